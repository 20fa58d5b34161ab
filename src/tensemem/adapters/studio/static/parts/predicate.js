// The editor of an attribute. Before anything is saved it tells what differs, and whom it would touch.

import { write } from "../api.js";
import { fill, h } from "../dom.js";
import { brief, valueText } from "../text.js";
import { button, check, field, loading, select, trouble } from "./basics.js";
import { openDialog } from "./dialog.js";
import { attempt } from "./statement.js";
import { toast } from "./toast.js";
import { touched } from "./touch.js";
import { giveUp, put } from "./turns.js";

const TYPES = ["text", "number", "bool", "date", "datetime", "duration", "enum", "entity", "json"];

/** Open the editor: of an attribute, of a proposal (`isNew`), or (null) of a new one. */
export function openPredicate(view, given) {
  const isNew = given === null || given.isNew === true;
  return openDialog(
    isNew ? "Register an attribute" : `Change ${brief(given.name)}`,
    (close) => form(view, given ?? {}, isNew, close),
    { wide: true },
  );
}

function form(view, given, isNew, close) {
  const outcome = h("div", { "aria-live": "polite" });
  const place = h("div.actions");
  const controls = controlsOf(given, isNew);
  const review = (event) => {
    event.preventDefault();
    fill(outcome, loading("Looking for whom it touches"));
    const wanted = wantedOf(controls, given);
    put(
      outcome,
      view.life,
      (signal) => touched(view, isNew ? null : given, wanted, signal),
      (found) => {
        fill(outcome, found);
        fill(place, save(wanted), button("Cancel", close, { tone: "quiet" }));
      },
      (problem) => fill(outcome, trouble(problem)),
    );
  };
  const save = (wanted) =>
    button(
      isNew ? "Register it" : "Save the change",
      (event) =>
        attempt(event, outcome, async () => {
          const { isNew: _, ...definition } = wanted;
          await write("register_predicate", { ...definition, namespace: view.namespace, update: !isNew });
          close();
          toast(isNew ? `Registered: ${brief(wanted.name)}.` : `Changed: ${brief(wanted.name)}.`);
          view.reload();
        }),
      { tone: "main" },
    );
  const first = () =>
    fill(
      place,
      button("What would it touch?", null, { tone: "main", submit: true }),
      button("Cancel", close, { tone: "quiet" }),
    );
  first();
  const element = h(
    "form.predicate-form",
    { onsubmit: review },
    h("div.row", {}, field("Name", controls.name), field("Type", controls.type), field("Values", controls.cardinality)),
    field("Description", controls.description, "Extractors read it: say what belongs here."),
    field("Other names", controls.aliases, "With commas between them."),
    field("Choices", controls.choices, "One on a line; left out: any value of the type."),
    h(
      "div.row",
      {},
      field("Holds for", controls.ttl, "As 30d; left out: until it is said otherwise."),
      field("Due for review after", controls.review_after, "As 90d."),
    ),
    h(
      "details",
      {},
      h("summary", {}, "Who may write it, and how sure it must be"),
      field(
        "Writers",
        controls.writers,
        "Roles or source labels, with commas; left out: the user and the application.",
      ),
      field("Trusted in this order", controls.trust, "Source labels, the most trusted first."),
      h("div.row", {}, field("Least certainty", controls.min_confidence, "From 0 to 1."), controls.verbatim),
    ),
    outcome,
    place,
  );
  element.addEventListener("input", () => {
    giveUp(outcome); // what was asked for, or is shown, is about another definition
    fill(outcome);
    if (!place.querySelector("[type=submit]")) first();
  });
  return element;
}

function controlsOf(given, isNew) {
  const text = (value, more = {}) => h("input", { type: "text", value: value ?? "", autocomplete: "off", ...more });
  const cardinality = [
    ["one", "one at a time"],
    ["many", "many at once"],
  ];
  const trust =
    given.trust && !Array.isArray(given.trust)
      ? Object.entries(given.trust)
          .sort(([, a], [, b]) => b - a)
          .map(([label]) => label)
      : given.trust;
  return {
    name: text(given.name, { required: true, readOnly: !isNew || given.isNew === true, "data-first": isNew }),
    type: select(
      TYPES.map((one) => [one, one]),
      given.type ?? "text",
    ),
    cardinality: select(cardinality, given.cardinality ?? "one"),
    description: h("textarea", { rows: 2, value: given.description ?? "" }),
    aliases: text((given.aliases ?? []).join(", ")),
    choices: h("textarea", { rows: 3, value: (given.choices ?? []).map(valueText).join("\n") }),
    ttl: text(given.ttl),
    review_after: text(given.review_after),
    writers: text((given.writers ?? []).join(", ")),
    trust: text((trust ?? []).join(", ")),
    min_confidence: text(given.min_confidence ?? "", { inputmode: "decimal" }),
    verbatim: check("The value must stand in the message as a whole", given.verbatim === true),
  };
}

function wantedOf(controls, given) {
  const list = (control) =>
    control.value
      .split(",")
      .map((one) => one.trim())
      .filter(Boolean);
  const lines = controls.choices.value
    .split("\n")
    .map((one) => one.trim())
    .filter(Boolean);
  const isVerbatim = controls.verbatim.querySelector("input").checked;
  const certainty = controls.min_confidence.value.trim();
  return {
    name: controls.name.value.trim(),
    type: controls.type.value,
    cardinality: controls.cardinality.value,
    description: controls.description.value.trim(),
    aliases: list(controls.aliases),
    choices: lines.length
      ? lines.map((one) => (controls.type.value === "number" && Number.isFinite(Number(one)) ? Number(one) : one))
      : null,
    ttl: controls.ttl.value.trim() || null,
    review_after: controls.review_after.value.trim() || null,
    writers: list(controls.writers).length ? list(controls.writers) : null,
    trust: list(controls.trust).length ? list(controls.trust) : null,
    min_confidence: certainty === "" ? null : Number(certainty),
    verbatim: isVerbatim ? true : given.verbatim === true ? null : (given.verbatim ?? null),
    examples: given.examples ?? [],
  };
}

/** Open the form that registers a thing and the names it goes by. */
export function openEntity(view) {
  return openDialog("Register a name", (close) => {
    const name = h("input", { type: "text", required: true, autocomplete: "off", "data-first": true });
    const aliases = h("input", { type: "text", autocomplete: "off" });
    const kind = h("input", { type: "text", value: "thing", autocomplete: "off" });
    const failed = h("div");
    const act = async () => {
      const others = aliases.value
        .split(",")
        .map((one) => one.trim())
        .filter(Boolean);
      await write("register_entity", {
        name: name.value.trim(),
        aliases: others,
        kind: kind.value.trim() || "thing",
        namespace: view.namespace,
      });
      close();
      toast(`Registered: ${brief(name.value)}.`);
    };
    return h(
      "form",
      { onsubmit: (event) => attempt(event, failed, act) },
      h(
        "p",
        {},
        "Values that are other names of one thing become one value, in what was said before too: Postgres and pg are PostgreSQL.",
      ),
      field("Name", name),
      field("Other names", aliases, "With commas between them."),
      field("What it is", kind),
      failed,
      h(
        "div.actions",
        {},
        button("Register it", null, { tone: "main", submit: true }),
        button("Cancel", close, { tone: "quiet" }),
      ),
    );
  });
}
