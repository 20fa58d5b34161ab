// States a value, as a program would: for what nobody has said yet. The typed control comes from the registry.

import { onceKey, write } from "../api.js";
import { fill, h } from "../dom.js";
import { registry } from "../registry.js";
import { button, field, loading, select, trouble } from "./basics.js";
import { openDialog } from "./dialog.js";
import { showDifference } from "./difference.js";
import { toast } from "./toast.js";
import { labelOf } from "./facts.js";
import { fillWith, giveUp } from "./turns.js";

/** Open the form. */
export function openStatement(page) {
  return openDialog("State something", (close) => {
    const place = h("div", {}, loading());
    prepare(place, page, close);
    return place;
  });
}

function prepare(place, page, close) {
  return fillWith(
    place,
    page.life,
    () => registry(page.scope.namespace),
    (known) =>
      known.length
        ? form(page, known, close)
        : h("p", {}, "Nothing is registered yet: register an attribute first, under Registry."),
    () => prepare(place, page, close),
  );
}

function form(page, known, close) {
  const once = onceKey();
  const name = select(
    known.map(({ name: one }) => [one, one]),
    known[0].name,
    { "data-first": true },
  );
  const valuePlace = h("div");
  const since = h("input", { type: "date" });
  const outcome = h("div", { "aria-live": "polite" });
  let control = null;
  const isOld = () => {
    giveUp(outcome); // what was asked for, or is shown, is about another statement
    fill(outcome);
  };
  const drawValue = () => {
    control = valueControl(known.find((one) => one.name === name.value));
    fill(valuePlace, field("Value", control.element, control.hint));
  };
  name.addEventListener("change", drawValue);
  drawValue();
  const operation = () => ({
    op: "set",
    predicate: name.value,
    value: control.value(),
    ...(since.value ? { since: since.value } : {}),
  });
  const save = async () => {
    const { predicate, value, since: from } = operation();
    const done = await write("set", { ...page.scope, predicate, value, since: from }, { once });
    close();
    toast(["Stated: ", predicate, done.changed ? "." : ". Nothing changed by it."], undoOf(page, done));
    page.reload();
  };
  return h(
    "form",
    {
      onsubmit: (event) => attempt(event, outcome, () => previewed(page, [operation()], outcome)),
      oninput: isOld,
    },
    field("Attribute", name),
    valuePlace,
    field("Since (left out: from now on)", since),
    outcome,
    h(
      "div.actions",
      {},
      button("Preview", null, { submit: true }),
      button("State it", (event) => attempt(event, outcome, save), { tone: "main" }),
    ),
  );
}

function undoOf(page, done) {
  if (!done.fact_id || !done.changed || !done.current) return {};
  return {
    action: [
      "Undo",
      async () => {
        await write("correct", {
          fact_id: done.fact_id,
          user_id: page.scope.user_id,
          agent_id: page.scope.agent_id,
          namespace: page.scope.namespace,
          reason: "stated by mistake",
        });
        toast(["Taken back: ", done.shown ? labelOf(done.shown) : "it"]);
        page.reload();
      },
    ],
  };
}

/** Do something that may go wrong, and tell in a place if it does. */
export async function attempt(event, place, call) {
  event.preventDefault();
  try {
    await call();
  } catch (problem) {
    fill(place, trouble(problem));
  }
}

/** Show in a place what operations would change; nothing is written. */
function previewed(page, operations, place) {
  fill(place, loading("Looking ahead"));
  return fillWith(
    place,
    page.life,
    (signal) => write("preview", { ...page.scope, messages_or_operations: operations }, { signal }),
    (found) => showDifference(found, "What would change"),
  );
}

/** Give the control for a value of an attribute: `element`, `value()` (typed as the server wants it) and a hint. */
export function valueControl(predicate, current = null) {
  const type = predicate?.type ?? "text";
  if (predicate?.choices) return choiceControl(predicate.choices, current);
  if (type === "bool") return choiceControl([true, false], current);
  if (type === "date") return textControl({ type: "date" }, current, "");
  if (type === "number") return numberControl(current);
  if (type === "json") return jsonControl(current);
  const hints = { duration: "As 30d, 2h30m or PT90M.", datetime: "As 2026-03-05T10:30Z." };
  return textControl({ type: "text", autocomplete: "off" }, current, hints[type] ?? "");
}

function choiceControl(choices, current) {
  const element = select(
    choices.map((one) => [JSON.stringify(one), typeof one === "boolean" ? (one ? "yes" : "no") : String(one)]),
    JSON.stringify(current ?? choices[0]),
  );
  if (element.selectedIndex < 0) element.selectedIndex = 0;
  return { element, value: () => JSON.parse(element.value), hint: "" };
}

function textControl(attributes, current, hint) {
  const element = h("input", { ...attributes, value: current === null ? "" : String(current), required: true });
  return { element, value: () => element.value, hint };
}

function numberControl(current) {
  const { element } = textControl({ type: "text", inputmode: "decimal", autocomplete: "off" }, current, "");
  const value = () => {
    const number = Number(element.value);
    return element.value.trim() !== "" && Number.isFinite(number) && String(number) === element.value.trim()
      ? number
      : element.value;
  };
  return { element, value, hint: "A number." };
}

function jsonControl(current) {
  const element = h("textarea", {
    rows: 4,
    value: current === null ? "" : JSON.stringify(current, null, 2),
    spellcheck: "false",
  });
  return { element, value: () => JSON.parse(element.value), hint: "JSON." };
}
