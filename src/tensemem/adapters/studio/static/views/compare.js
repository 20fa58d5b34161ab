// The difference between two moments: of the world, of what was known, or of both. Both stand in the address.

import { read } from "../api.js";
import { fill, h, redraw } from "../dom.js";
import { button, empty, field, heading, loading } from "../parts/basics.js";
import { differenceOf, showDifference } from "../parts/difference.js";
import { fillWith } from "../parts/turns.js";
import { change } from "../router.js";

/** Draw the tab. */
export function draw(place, page) {
  const outcome = h("div", { "aria-live": "polite" });
  redraw(place, form(page), outcome);
  const { query } = page;
  if (![query.at1, query.known1, query.at2, query.known2].some(Boolean)) {
    fill(
      outcome,
      empty(
        "Choose two moments.",
        "Leave a field empty for now. “True on” asks about the world, “as known at” about what the memory knew: a revision or a day.",
      ),
    );
    return;
  }
  fill(outcome, loading("Comparing"));
  fillWith(
    outcome,
    page.life,
    (signal) =>
      Promise.all([
        stateAt(page, query.at1, query.known1, signal),
        stateAt(page, query.at2, query.known2, signal),
      ]),
    ([before, after]) =>
      showDifference(
        differenceOf(before.facts, after.facts),
        `From ${told(query.at1, query.known1)} to ${told(query.at2, query.known2)}`,
      ),
    () => draw(place, page),
  );
}

function stateAt(page, at, known, signal) {
  return read("state", { ...page.scope, at: at || undefined, known_at: known || undefined }, { signal });
}

function told(at, known) {
  const parts = [
    at ? `true on ${at}` : "true now",
    known ? `as known at ${/^\d+$/.test(known) ? `revision ${known}` : known}` : "",
  ];
  return parts.filter(Boolean).join(" ");
}

function form(page) {
  const { query, latest } = page;
  const at = (name) => h("input", { type: "date", value: query[name] ?? "", data: { key: name } });
  const known = (name) =>
    h("input", {
      type: "text",
      value: query[name] ?? "",
      placeholder: String(latest),
      autocomplete: "off",
      inputmode: "text",
      data: { key: name },
    });
  const inputs = { at1: at("at1"), known1: known("known1"), at2: at("at2"), known2: known("known2") };
  const values = () => Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value.trim()]));
  const side = (title, first, second) =>
    h(
      "fieldset",
      {},
      h("legend", {}, title),
      h(
        "div.row",
        {},
        field("True on", inputs[first]),
        field("As known at", inputs[second], "A revision such as 12, or a day such as 2026-03-05."),
      ),
    );
  const submit = (event) => {
    event.preventDefault();
    change(values());
  };
  const swap = () =>
    change({ at1: inputs.at2.value, known1: inputs.known2.value, at2: inputs.at1.value, known2: inputs.known1.value });
  return h(
    "form.compare",
    { onsubmit: submit },
    heading(2, "Two moments"),
    h("div.two", {}, side("Before", "at1", "known1"), side("After", "at2", "known2")),
    h(
      "div.actions",
      {},
      button("Compare", null, { tone: "main", submit: true, key: "compare" }),
      button("Swap", swap, { tone: "quiet", key: "swap" }),
    ),
  );
}
