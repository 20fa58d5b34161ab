// A fact as people read it: its value, since when, on what it rests, what is doubtful about it.

import { h } from "../dom.js";
import { atMinute, onDay, since, stretch } from "../times.js";
import { brief, valueText, written } from "../text.js";
import { badge } from "./basics.js";

/** A fact's value. */
export function valueOf(fact, options = {}) {
  return written(fact.object ?? valueText(fact.value), { most: options.most ?? 240, class: options.class ?? "value" });
}

/** What is doubtful about a fact at a moment, as badges. A plan whose date has passed is due, as it is in a context. */
export function doubts(fact, at) {
  const isDuePlan = fact.status === "planned" && fact.valid_from !== null && new Date(fact.valid_from) <= new Date(at);
  return [
    fact.contested &&
      badge("in doubt", "warn", "A newer statement against it waits for review, or comes from a less trusted source."),
    isDuePlan && badge("due", "warn", "Its date has passed, and nobody has said whether it happened."),
    fact.due_for_review && badge("due for review", "warn", "Nothing has been heard of it for long."),
    fact.paraphrased && badge("paraphrased", "", "Only some words of the value are the user’s own."),
    fact.confidence < 1 && badge(`${Math.round(fact.confidence * 100)} % sure`, "", "How sure the extractor was."),
  ];
}

/** When it holds, when it was last said, and by whom: one quiet line. */
export function ages(fact) {
  const precise = fact.valid_from === null ? undefined : atMinute(fact.valid_from);
  const isOlder = fact.last_evidence_at !== fact.said_at;
  return h(
    "p.ages",
    {},
    h("span", { title: precise }, stretch(fact)),
    h(
      "span",
      { title: atMinute(fact.last_evidence_at) },
      `${isOlder ? "last said" : "said"} ${onDay(fact.last_evidence_at)} (${since(fact.last_evidence_at)})`,
    ),
    h("span", {}, "by ", sourceOf(fact.source)),
  );
}

/** Who said it, in words. */
export function sourceOf(source) {
  const known = {
    user: "the user",
    application: "the application",
    assistant: "the assistant",
    system: "the system",
    tool: "a tool",
  };
  return known[source] ?? written(source, { most: 60 });
}

/** The newest words a fact rests on; null where it was written by a program. */
export function newestQuote(fact) {
  const found = [...fact.evidence].reverse().find((evidence) => evidence.quote);
  return found ? h("blockquote.quote", {}, written(found.quote, { most: 200 })) : null;
}

/** A fact's name for labels: `lives in: Delhi`. */
export function labelOf(fact) {
  return `${fact.predicate}: ${brief(fact.object ?? valueText(fact.value), 40)}`;
}

/** Facts by subject, then by attribute, in the order they come in. */
export function bySlot(facts) {
  const subjects = new Map();
  for (const fact of facts) {
    if (!subjects.has(fact.subject)) subjects.set(fact.subject, new Map());
    const slots = subjects.get(fact.subject);
    if (!slots.has(fact.predicate)) slots.set(fact.predicate, []);
    slots.get(fact.predicate).push(fact);
  }
  return subjects;
}
