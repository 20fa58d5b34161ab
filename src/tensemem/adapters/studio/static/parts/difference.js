// The difference between two states: what would begin, end, or show another value.

import { h } from "../dom.js";
import { written } from "../text.js";
import { count, outcome, reason, subjectWords } from "../words.js";
import { ages, valueOf } from "./facts.js";
import { inParts } from "./basics.js";

/** Show a difference as the server gives it: `added`, `removed`, `changed` (pairs), and `decisions` where there are. */
export function showDifference(found, title) {
  const lines = [
    ...found.changed.map(([before, after]) =>
      line("changed", "≠", after, [
        valueOf(before, { class: "value was" }),
        h("span", { "aria-label": "becomes" }, " → "),
        valueOf(after),
      ]),
    ),
    ...found.added.map((fact) => line("added", "+", fact, [valueOf(fact)])),
    ...found.removed.map((fact) => line("removed", "−", fact, [valueOf(fact, { class: "value was" })])),
  ];
  return h(
    "section.difference",
    { "aria-label": title },
    h("h3", {}, title),
    lines.length ? h("p.note", {}, sums(found)) : h("p", {}, "Nothing: the state stays as it is."),
    inParts(lines, (one) => one),
    found.decisions?.length ? decided(found.decisions) : null,
  );
}

function sums(found) {
  const parts = [
    [found.changed.length, "changes"],
    [found.added.length, "comes"],
    [found.removed.length, "goes"],
  ];
  return parts
    .filter(([number]) => number)
    .map(
      ([number, word]) =>
        `${count(number, "value")} ${number === 1 ? word : { changes: "change", comes: "come", goes: "go" }[word]}`,
    )
    .join(" · ");
}

function line(kind, mark, fact, values) {
  const word = { added: "begins", removed: "ends", changed: "changes" }[kind];
  return h(
    "div.diff",
    { class: kind },
    h("span.diff-mark", { "aria-hidden": "true" }, mark),
    h(
      "div",
      {},
      h(
        "p",
        {},
        h(
          "span.diff-name",
          {},
          fact.subject !== "user" && [written(subjectWords(fact.subject)), " · "],
          written(fact.predicate),
        ),
        ` ${word}: `,
        values,
      ),
      ages(fact),
    ),
  );
}

function decided(decisions) {
  const refused = decisions.filter((one) => one.outcome !== "admitted");
  if (!refused.length) return null;
  return h(
    "ul.plain",
    {},
    refused
      .slice(0, 50)
      .map((one) =>
        h(
          "li",
          {},
          written(one.operation?.predicate ?? ""),
          " ",
          written(String(one.operation?.value ?? "")),
          `: ${outcome(one.outcome)} (${reason(one.reason)})`,
        ),
      ),
  );
}

/** Give the difference between two states, by attribute and value, as the server would give it. */
export function differenceOf(before, after) {
  const slots = (facts) => Map.groupBy(facts, (fact) => JSON.stringify([fact.subject, fact.predicate]));
  const [old, young] = [slots(before), slots(after)];
  const found = { added: [], removed: [], changed: [] };
  for (const slot of new Set([...old.keys(), ...young.keys()])) {
    const held = (facts) => new Map((facts ?? []).map((fact) => [JSON.stringify(fact.value), fact]));
    const [was, is] = [held(old.get(slot)), held(young.get(slot))];
    const gone = [...was].filter(([value]) => !is.has(value)).map(([, fact]) => fact);
    const come = [...is].filter(([value]) => !was.has(value)).map(([, fact]) => fact);
    if (gone.length === 1 && come.length === 1) found.changed.push([gone[0], come[0]]);
    else {
      found.removed.push(...gone);
      found.added.push(...come);
    }
  }
  return found;
}
