// The timeline of a slot, or of all of a subject: drawn, and as a list that says the same in words.

import { read } from "../api.js";
import { h, redraw } from "../dom.js";
import { may } from "../key.js";
import { undo } from "../parts/amend.js";
import { button, empty, field, heading, loading, select, statusMark, table, trouble } from "../parts/basics.js";
import { openChain } from "../parts/chain.js";
import { isPast } from "../parts/clocks.js";
import { drawTimeline } from "../parts/drawing.js";
import { labelOf, sourceOf, valueOf } from "../parts/facts.js";
import { fillWith, put } from "../parts/turns.js";
import { registry } from "../registry.js";
import { change } from "../router.js";
import { onDay, stretch } from "../times.js";
import { valueText, written } from "../text.js";
import { count, subjectWords } from "../words.js";

const PAGE = 200;
const EVERYTHING = "*";
const LONG = 1500; // revisions from which on a whole life is not drawn unless somebody asks for it: it is read whole

/** Draw the tab. */
export function draw(place, page) {
  if (!place.firstChild) place.append(loading("Loading the timeline"));
  const parameters = parametersOf(page);
  return put(
    place,
    page.life,
    (signal) => Promise.all([registry(page.scope.namespace), read("history", parameters, { signal })]),
    ([known, found]) =>
      redraw(
        place,
        chooser(page, known),
        found.facts.length || found.retractions.length ? drawn(page, parameters, found) : none(page),
      ),
    (problem) =>
      redraw(
        place,
        trouble(problem, () => draw(place, page)),
      ),
  );
}

/** The log has grown: draw anew, unless the keyboard is inside (then the next visit shows it). */
export function refresh(place, page) {
  if (!place.contains(document.activeElement) || document.activeElement === place) draw(place, page);
}

/** The attribute that is looked at; "" for all of them. */
function predicateOf({ query, state, latest }) {
  if (query.predicate === EVERYTHING) return "";
  if (query.predicate) return query.predicate;
  return latest < LONG ? "" : (state.facts.find((fact) => fact.subject === (query.subject || "user"))?.predicate ?? "");
}

function parametersOf(page) {
  const { scope, query } = page;
  return {
    ...scope,
    predicate: predicateOf(page) || undefined,
    subject: query.subject || undefined,
    known_at: query.known_at || undefined,
    limit: PAGE,
  };
}

function chooser(page, known) {
  const { query, state } = page;
  const subjects = new Set([
    "user",
    query.subject || "user",
    ...[...state.facts, ...state.planned, ...state.candidates].map((fact) => fact.subject),
  ]);
  const names = new Set(known.map((one) => one.name));
  const chosen = predicateOf(page);
  if (chosen) names.add(chosen);
  const attributes = select(
    [[EVERYTHING, "Everything"], ...[...names].map((name) => [name, name])],
    chosen || EVERYTHING,
    {
      onchange: (event) => change({ predicate: event.target.value }),
      data: { key: "timeline-attribute" },
    },
  );
  const whose = select(
    [...subjects].map((one) => [one, subjectWords(one)]),
    query.subject ?? "user",
    {
      onchange: (event) => change({ subject: event.target.value === "user" ? "" : event.target.value }),
      data: { key: "timeline-subject" },
    },
  );
  return h("div.row", {}, field("Attribute", attributes), subjects.size > 1 && field("About", whose));
}

function none(page) {
  return empty(
    "There is no history here.",
    predicateOf(page) ? "Nothing has ever been said about this attribute." : "Nothing has been learnt yet.",
  );
}

function drawn(page, parameters, found) {
  const picture = h("div.timeline-place", {}, loading("Drawing"));
  drawTimeline(picture, page, { ...parameters, width: widthFor(page.body) }, found.facts);
  const rows = found.facts.map((fact) => row(page, fact));
  const more = h("div");
  if (found.next) more.append(nextPage(page, parameters, found.next, more));
  return [
    h("section", { "aria-label": "Timeline" }, picture),
    heading(
      2,
      "In words",
      h("span.note", {}, found.next ? `the first ${PAGE} of more` : count(found.facts.length, "fact")),
    ),
    factTable("Every fact, in order of time", rows),
    more,
    found.retractions.length > 0 && takenBack(page, found.retractions),
  ];
}

/** The width to draw for: as much as there is, and on a phone enough to read, which then scrolls in its frame. */
function widthFor(body) {
  const room = body.clientWidth - 28; // the frame's own edges
  return Math.round(Math.max(560, Math.min(1200, room)));
}

function factTable(caption, rows) {
  return table(caption, [["Value", "wide"], ["Status"], ["When"], ["Said"], ["What to do", "acts"]], rows);
}

function row(page, fact) {
  return [
    [!predicateOf(page) && h("span.note", {}, written(fact.predicate), ": "), valueOf(fact, { most: 120 })],
    statusMark(fact.status),
    stretch(fact),
    [onDay(fact.said_at), " by ", sourceOf(fact.source)],
    [
      button("Why?", () => openChain(page, fact.id), {
        tone: "quiet",
        name: `Why ${labelOf(fact)}?`,
        key: `why ${fact.id}`,
      }),
      fact.status === "corrected" &&
        !isPast(page) &&
        may("reinstate") &&
        button("Undo", () => undo(page, fact.id), {
          tone: "quiet",
          name: `Undo the correction of ${labelOf(fact)}`,
          key: `undo ${fact.id}`,
        }),
    ],
  ];
}

function nextPage(page, parameters, after, place) {
  const more = async () => {
    const ask = (signal) => read("history", { ...parameters, after }, { signal });
    await fillWith(place, page.life, ask, (found) => nextPart(page, parameters, found), more);
    place.querySelector("button")?.focus();
  };
  return button("Show more", more);
}

function nextPart(page, parameters, found) {
  const next = h("div");
  if (found.next) next.append(nextPage(page, parameters, found.next, next));
  return [
    factTable(
      "More facts",
      found.facts.map((fact) => row(page, fact)),
    ),
    next,
  ];
}

function takenBack(page, statements) {
  const words = { retract: "no longer", remove: "removed", deny: "never true", replace: "replaced all with" };
  const rows = statements
    .slice(0, 200)
    .map((one) => [
      [
        !predicateOf(page) && h("span.note", {}, written(one.predicate), ": "),
        h("span", {}, words[one.kind] ?? one.kind, " "),
        one.value === null ? "any value" : written(valueText(one.value), { most: 120 }),
      ],
      one.corrected ? "corrected" : one.in_force ? "in force" : "without effect",
      onDay(one.said_at),
      ["by ", sourceOf(one.source), one.quote && [": ", h("q", {}, written(one.quote, { most: 120 }))]],
    ]);
  return [
    heading(2, "What was taken back"),
    table(
      "Retractions, removals, denials and replacements",
      [["Statement", "wide"], ["Effect"], ["Said"], ["By"]],
      rows,
    ),
  ];
}
