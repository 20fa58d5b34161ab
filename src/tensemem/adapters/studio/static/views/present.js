// A person's present: each attribute with its value, since when, on what words it rests, and one click to put it right.

import { append, h, redraw } from "../dom.js";
import { may } from "../key.js";
import { openAmend, openReview } from "../parts/amend.js";
import { button, empty, field, heading, inParts, linkButton, loading, select } from "../parts/basics.js";
import { openChain } from "../parts/chain.js";
import { isPast } from "../parts/clocks.js";
import { openStatement } from "../parts/statement.js";
import { ages, bySlot, doubts, labelOf, newestQuote, valueOf } from "../parts/facts.js";
import { put } from "../parts/turns.js";
import { registry } from "../registry.js";
import { change, to } from "../router.js";
import { written } from "../text.js";
import { subjectWords } from "../words.js";

export const isRedrawn = true;

/** Draw the tab. */
export function draw(place, page) {
  const { state } = page;
  const subjects = [...bySlot(state.facts)];
  const isEmpty = !state.isPart && !state.facts.length && !state.planned.length && !state.candidates.length;
  redraw(
    place,
    isEmpty && nothing(page),
    page.query.only ? onlyOne(page) : state.isPart && part(page),
    subjects.map(([subject, slots]) =>
      h(
        "section.subject",
        { "aria-label": subjectWords(subject) },
        heading(
          2,
          subject === "user" ? "What holds" : written(subjectWords(subject), { most: 80 }),
          subject === "user" && !isPast(page) && newValue(page),
        ),
        inParts([...slots], ([predicate, facts]) => slot(page, predicate, facts)),
      ),
    ),
    !isEmpty && !state.facts.some((fact) => fact.subject === "user") && !isPast(page) && h("p", {}, newValue(page)),
    waitingPart(page, "Planned", state.planned, "Plans count once they are confirmed."),
    waitingPart(
      page,
      "Waits for review",
      state.candidates,
      "Nobody is sure of these yet, so no agent is told that they hold.",
    ),
  );
}

/** Says that there is more than is shown, and how to see it. */
function part(page) {
  if (page.state.isPart === "so far") return loading("Reading the rest");
  const choice = select([["", "…"]], "", {
    onchange: (event) => change({ only: event.target.value }),
    data: { key: "only" },
  });
  put(
    choice,
    page.life,
    () => registry(page.scope.namespace),
    (known) => append(choice, known.map(({ name }) => h("option", { value: name }, name))),
    () => {},
  );
  return h(
    "section.part",
    { "aria-label": "More than is shown" },
    h("p", {}, "More is remembered than is read at once. These are the person’s own attributes that have one value."),
    h(
      "div.row",
      {},
      field("Show all of one attribute", choice),
      button("Show everything (this may take long)", page.readAll, { tone: "quiet", key: "everything" }),
    ),
  );
}

function onlyOne(page) {
  return h(
    "section.part",
    { "aria-label": "Less than there is" },
    h("p", {}, "Only ", written(page.query.only, { most: 80 }), " is shown."),
    button("Show the others too", () => change({ only: "" }), { tone: "quiet", key: "others" }),
  );
}

function newValue(page) {
  if (!may("set")) return null;
  return button("State something", () => openStatement(page), { key: "state-something" });
}

function nothing(page) {
  if (isPast(page)) return empty("Nothing was known then.", "Move the sliders to another moment, or go back to now.");
  const { pending } = page.state.freshness;
  const why = pending
    ? "There are messages, but none has been read yet: they wait for an extractor."
    : "No message has told anything that is registered, and no program has set a value.";
  return empty(
    "Nothing is known of this person.",
    why,
    newValue(page),
    " ",
    linkButton("Look at the log", to("person", { ...page.query, tab: "log" })),
  );
}

function slot(page, predicate, facts) {
  const timeline = to("person", { ...page.query, tab: "timeline", predicate, subject: facts[0].subject });
  return h(
    "article.slot",
    { "aria-label": predicate },
    h(
      "div.slot-name",
      {},
      h("h3", {}, written(predicate, { most: 80 })),
      h(
        "a.quiet-link",
        {
          href: timeline,
          "aria-label": `Timeline of ${predicate}`,
          data: { key: `tl ${facts[0].subject} ${predicate}` },
        },
        "Timeline",
      ),
    ),
    h(
      "div.slot-values",
      {},
      inParts(facts, (fact) => held(page, fact), 20),
    ),
  );
}

function held(page, fact) {
  const name = labelOf(fact);
  const key = (word) => `${word} ${fact.id}`;
  return h(
    "div.fact",
    {},
    h("div.fact-main", {}, h("p.fact-value", {}, valueOf(fact), " ", doubts(fact, page.state.at)), ages(fact), newestQuote(fact)),
    h(
      "div.fact-acts",
      { role: "group", "aria-label": `What to do about ${name}` },
      button("Why?", () => openChain(page, fact.id), { tone: "quiet", name: `Why ${name}?`, key: key("why") }),
      !isPast(page) && [
        fact.due_for_review &&
          may("confirm") &&
          button("Still true", () => openAmend(page, fact, "still"), {
            name: `${name} is still true`,
            key: key("still"),
          }),
        may("correct") && [
          button("Wrong", () => openAmend(page, fact, "wrong"), { name: `${name} was never true`, key: key("wrong") }),
          button("It was …", () => openAmend(page, fact, "other"), {
            name: `${name} was something else`,
            key: key("other"),
          }),
        ],
      ],
    ),
  );
}

function waitingPart(page, title, facts, note) {
  if (!facts.length) return null;
  return h(
    "section.subject",
    { "aria-label": title },
    heading(2, title),
    h("p.note", {}, note),
    inParts(facts, (fact) =>
      h(
        "article.slot",
        {},
        h(
          "div.slot-name",
          {},
          h("h3", {}, written(fact.predicate, { most: 80 })),
          fact.subject !== "user" && h("p.note", {}, written(subjectWords(fact.subject), { most: 60 })),
        ),
        h(
          "div.slot-values",
          {},
          h(
            "div.fact",
            {},
            h(
              "div.fact-main",
              {},
              h("p.fact-value", {}, valueOf(fact), " ", doubts(fact, page.state.at)),
              ages(fact),
              newestQuote(fact),
            ),
            h(
              "div.fact-acts",
              { role: "group", "aria-label": `What to do about ${labelOf(fact)}` },
              button("Why?", () => openChain(page, fact.id), {
                tone: "quiet",
                name: `Why ${labelOf(fact)}?`,
                key: `why ${fact.id}`,
              }),
              !isPast(page) &&
                may("review") &&
                button("Accept", () => openReview(page, fact, true), {
                  name: `Accept ${labelOf(fact)}`,
                  key: `accept ${fact.id}`,
                }),
              !isPast(page) &&
                may("review") &&
                button("Reject", () => openReview(page, fact, false), {
                  name: `Reject ${labelOf(fact)}`,
                  key: `reject ${fact.id}`,
                }),
            ),
          ),
        ),
      ),
    ),
  );
}
