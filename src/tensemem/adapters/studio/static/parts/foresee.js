// What would be shown once something is done, before it is done: the server does it, tells, and keeps nothing of it.

import { write } from "../api.js";
import { h } from "../dom.js";
import { stretch } from "../times.js";
import { valueText, written } from "../text.js";
import { count } from "../words.js";
import { valueOf } from "./facts.js";

const MOST = 30;
const KINDS = {
  began: ["added", "+", "holds, "],
  ended: ["removed", "−", "does not hold, "],
  moved: ["changed", "≠", "holds at other times: "],
};

/** Give what an amendment would do: `verb` is "correct", "reinstate" or "review", `parameters` are the verb's. */
export async function foresee(fact, verb, parameters, signal) {
  const found = await write(verb, { ...parameters, dry_run: true }, { signal });
  const shown = found.changes.slice(0, MOST);
  return h(
    "section.difference",
    { "aria-label": "What would change" },
    h("h3", {}, "What would change"),
    !shown.length && h("p", {}, "No value: the timeline stays as it is."),
    shown.map((change) => line(...KINDS[change.kind], change)),
    found.changes.length > MOST && h("p.note", {}, `${count(found.changes.length - MOST, "more change")}.`),
    h(
      "p.after",
      {},
      h("strong", {}, "Then, now: "),
      written(fact.predicate),
      found.shown ? [" is ", valueOf(found.shown)] : " is not known",
      ".",
    ),
  );
}

function line(kind, mark, word, change) {
  const value = written(valueText(change.value), { most: 160, class: kind === "removed" ? "value was" : "value" });
  return h(
    "div.diff",
    { class: kind },
    h("span.diff-mark", { "aria-hidden": "true" }, mark),
    h("p", {}, value, " ", h("span.note", {}, word, stretch({ ...change, precision: "day", status: "" }))),
  );
}
