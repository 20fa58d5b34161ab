// The difference between two moments: of the world, of what was known, or of both. Both stand in the address.

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
    (signal) => bothOf(page, signal),
    ([before, after]) => [
      after.isPart && part(page),
      showDifference(
        differenceOf(before.facts, after.facts),
        `From ${told(query.at1, query.known1)} to ${told(query.at2, query.known2)}`,
      ),
    ],
    () => draw(place, page),
  );
}

/** Give both states, one after the other, since how much is read of the one is known from the other: all, or a part. */
async function bothOf(page, signal) {
  const { at1, known1, at2, known2 } = page.query;
  const stateAt = (at, known) => page.stateOf({ at: at || undefined, known_at: known || undefined }, signal);
  const before = await stateAt(at1, known1);
  const after = await stateAt(at2, known2);
  return after.isPart && !before.isPart ? [await stateAt(at1, known1), after] : [before, after];
}

function part(page) {
  return h(
    "section.part",
    { "aria-label": "More than is compared" },
    h("p", {}, "More is remembered than is read at once. These are the person’s own attributes that have one value."),
    button("Compare everything (this may take long)", page.readAll, { tone: "quiet", key: "everything" }),
  );
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
