// What would be shown once something is done, before it is done.

import { read, write } from "../api.js";
import { h } from "../dom.js";
import { written, valueText } from "../text.js";
import { attribute } from "../words.js";
import { showDifference } from "./difference.js";
import { ages, valueOf } from "./facts.js";

/** What a correction would bring back: what the fact had displaced, for the timeline is painted from what is left. */
export async function foreseeCorrection(page, fact, wanted) {
  const found = await read("explain", { fact_id: fact.id, user_id: page.scope.user_id, agent_id: page.scope.agent_id, namespace: page.scope.namespace });
  const instead = wanted.value ?? (wanted.valid_from || wanted.valid_to ? fact.value : undefined);
  return h(
    "section.difference", { "aria-label": "What would change" },
    h("h3", {}, "What would change"),
    line("removed", "−", [valueOf(fact, { class: "value was" }), " is shown no more, over the time it held."]),
    instead !== undefined && line("added", "+", [written(valueText(instead), { class: "value" }), " holds instead."]),
    instead === undefined && returning(fact, found.displaced),
  );
}

function returning(fact, displaced) {
  if (!displaced.length) {
    return line("", "○", ["It had displaced nothing: ", written(attribute(fact.predicate)), " is not known for that time then."]);
  }
  return displaced.map((one) => line("added", "+", [valueOf(one), " was displaced by it, and shows again unless later words speak against it.", ages(one)]));
}

/** What accepting a candidate or a plan would change, as the engine foresees it. */
export async function foreseeConfirm(page, fact) {
  const operation = { op: "confirm", predicate: fact.predicate, value: fact.value, subject: fact.subject };
  const found = await write("preview", { ...page.scope, messages_or_operations: [operation] });
  return showDifference({ ...found, decisions: [] }, "What would change");
}

/** What rejecting one would change. */
export function foreseeRejection(fact) {
  return h("section.difference", { "aria-label": "What would change" }, h("h3", {}, "What would change"),
    line("removed", "−", [valueOf(fact, { class: "value was" }), " waits no more. What is shown now stays as it is."]));
}

function line(kind, mark, content) {
  return h("div.diff", { class: kind }, h("span.diff-mark", { "aria-hidden": "true" }, mark), h("div", {}, content));
}
