// Puts a timeline that the server has drawn on the page, and lets people point at its bars.

import { read, readDrawing } from "../api.js";
import { fill, h, settled, SVG } from "../dom.js";
import { stretch } from "../times.js";
import { quoted } from "../text.js";
import { loading, statusMark, trouble } from "./basics.js";
import { openChain } from "./chain.js";
import { openDialog } from "./dialog.js";
import { sourceOf, valueOf } from "./facts.js";
import { put } from "./turns.js";

const ELEMENTS = new Set([
  "svg",
  "g",
  "rect",
  "line",
  "path",
  "text",
  "tspan",
  "circle",
  "polygon",
  "polyline",
  "defs",
  "pattern",
  "clipPath",
]);
const ATTRIBUTES = new Set([
  "class",
  "id",
  "role",
  "tabindex",
  "aria-label",
  "aria-hidden",
  "aria-labelledby",
  "viewBox",
  "width",
  "height",
  "x",
  "y",
  "x1",
  "y1",
  "x2",
  "y2",
  "d",
  "points",
  "cx",
  "cy",
  "r",
  "rx",
  "ry",
  "dx",
  "dy",
  "fill",
  "stroke",
  "stroke-dasharray",
  "stroke-width",
  "text-anchor",
  "transform",
  "patternUnits",
  "patternTransform",
  "clip-path",
  "preserveAspectRatio",
]);
const PAINTS = new Set(["fill", "stroke", "clip-path"]);
const LOCAL = /^(?:[#\w-]+|url\(#[\w-]+\))$/;

/**
 * Draw a history. `facts` (from the same history, as JSON) tell what a bar is before the server is asked for the whole
 * of it.
 */
export function drawTimeline(place, page, parameters, facts) {
  const frame = h("div.timeline-frame", { tabindex: "0", role: "group", "aria-label": "Drawn timeline" });
  const hint = h("div.hover-card", { hidden: true, role: "status" });
  return put(
    place,
    page.life,
    (signal) => readDrawing("history", parameters, { signal }),
    (text) => {
      const drawn = imported(text);
      if (drawn === null) return;
      frame.append(drawn);
      fill(place, frame, hint);
      listen(frame, hint, page, new Map(facts.map((fact) => [fact.id, fact])));
    },
    (problem) =>
      fill(
        place,
        trouble(problem, () => drawTimeline(place, page, parameters, facts)),
      ),
  );
}

/** Read a drawing and rebuild it from what a drawing may have: whatever else stands in it stays out of the page. */
export function imported(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return parsed.localName === "svg" && parsed.namespaceURI === SVG ? rebuilt(parsed) : null;
}

function rebuilt(source) {
  const made = document.createElementNS(SVG, source.localName);
  for (const { name, value } of source.attributes) {
    const isKnown = ATTRIBUTES.has(name) || name.startsWith("data-");
    if (isKnown && (!PAINTS.has(name) || LOCAL.test(value))) made.setAttribute(name, value);
  }
  for (const child of source.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) made.append(child.textContent);
    else if (child.namespaceURI === SVG && ELEMENTS.has(child.localName)) made.append(rebuilt(child));
  }
  return made;
}

function listen(frame, hint, page, facts) {
  const open = (bar) => {
    if (bar.dataset.fact) openChain(page, bar.dataset.fact);
    else if (bar.dataset.statement) openChain(page, bar.dataset.statement);
    else if (bar.dataset.facts) openSeveral(page, bar.dataset.facts.split(" "), facts);
  };
  const barOf = (event) => event.target.closest?.("[data-fact], [data-statement], .tm-several[data-facts]");
  frame.addEventListener("click", (event) => {
    const bar = barOf(event);
    if (bar) open(bar);
  });
  frame.addEventListener("keydown", (event) => {
    const bar = barOf(event);
    if (bar && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      open(bar);
    } else if (bar && (event.key === "ArrowRight" || event.key === "ArrowLeft")) {
      event.preventDefault();
      neighbour(frame, bar, event.key === "ArrowRight" ? 1 : -1)?.focus();
    }
  });
  const tell = settled(90, (bar) => tellOf(hint, page, bar, facts));
  const pointed = (event) => {
    const bar = barOf(event);
    if (bar?.dataset.fact) tell(bar);
  };
  frame.addEventListener("mouseover", pointed);
  frame.addEventListener("focusin", pointed);
}

function neighbour(frame, bar, step) {
  const bars = [...frame.querySelectorAll("[tabindex='0']")];
  return bars[bars.indexOf(bar) + step];
}

function tellOf(hint, page, bar, facts) {
  const id = bar.dataset.fact;
  const fact = facts.get(id);
  hint.hidden = false;
  if (fact) fill(hint, headOf(fact), loading("Looking up its words"));
  return put(
    hint,
    page.life,
    () => explained(page, id),
    (found) => fill(hint, headOf(found.fact), wordsOf(found)),
    () => fact && fill(hint, headOf(fact)),
  );
}

function headOf(fact) {
  return h(
    "p",
    {},
    h("span.note", {}, fact.predicate, ": "),
    valueOf(fact, { most: 80 }),
    " ",
    statusMark(fact.status),
    h("span.note", {}, ` ${stretch(fact)}`),
  );
}

function wordsOf(found) {
  const step = [...found.steps].reverse().find((one) => one.kind === "message");
  if (!step) return h("p.note", {}, "Stated by a program, without a message.");
  const evidence = found.fact.evidence.find((one) => one.claim_id === step.claim_id);
  return [
    h("p.message-text", {}, quoted(step.text, step.quote, evidence?.begin, evidence?.stop)),
    h("p.note", {}, "said by ", sourceOf(step.role)),
  ];
}

/** Ask why, once for a fact and a revision: who points at bars comes back to them. */
function explained(page, id) {
  page.explained ??= new Map();
  const key = `${id} ${page.latest}`;
  if (!page.explained.has(key)) {
    const asked = read("explain", { fact_id: id, ...page.scope }, { signal: page.life.signal });
    asked.catch(() => page.explained.delete(key));
    page.explained.set(key, asked);
  }
  return page.explained.get(key);
}

function openSeveral(page, ids, facts) {
  return openDialog(`${ids.length} facts that lie close together`, (close) =>
    h(
      "ul.plain",
      {},
      ids.map((id) =>
        h(
          "li",
          {},
          h(
            "button.link",
            {
              type: "button",
              onclick: () => {
                close();
                openChain(page, id);
              },
            },
            facts.has(id) ? [valueOf(facts.get(id), { most: 80 }), " ", stretch(facts.get(id))] : id,
          ),
        ),
      ),
    ),
  );
}
