// What a change of the registry would touch: how the definition differs, what was proposed, and whose values.

import { read } from "../api.js";
import { fill, h } from "../dom.js";
import { to } from "../router.js";
import { valueText, written } from "../text.js";
import { count } from "../words.js";
import { button, loading, trouble } from "./basics.js";
import { put } from "./turns.js";

const AT_ONCE = 20;
const FIELDS = {
  type: "type",
  cardinality: "values",
  description: "description",
  aliases: "other names",
  choices: "choices",
  ttl: "holds for",
  review_after: "due for review after",
  writers: "writers",
  trust: "trusted order",
  min_confidence: "least certainty",
  verbatim: "verbatim",
};

/** Give what differs and whom it touches; people are looked through some at a time, as many as one asks for. */
export async function touched(view, before, wanted, signal) {
  const sample = h("div");
  const differences =
    before === null
      ? []
      : Object.keys(FIELDS).filter(
          (name) => JSON.stringify(plainOf(before[name])) !== JSON.stringify(plainOf(wanted[name])),
        );
  const proposed = await proposedFor(view, wanted, signal);
  const found = { people: 0, holders: [], misfits: [] };
  if (before !== null) looked(view, wanted, found, sample, await look(view, wanted, undefined, signal));
  return h(
    "section.difference",
    { "aria-label": "What it would touch" },
    h("h3", {}, "What it would touch"),
    before !== null && !differences.length && h("p", {}, "Nothing: this is the definition as it is."),
    differences.map((name) =>
      h(
        "div.diff.changed",
        {},
        h("span.diff-mark", { "aria-hidden": "true" }, "≠"),
        h("p", {}, `${FIELDS[name]}: `, told(before[name], "was"), " → ", told(wanted[name])),
      ),
    ),
    proposed.map((one) =>
      h(
        "div.diff.added",
        {},
        h("span.diff-mark", { "aria-hidden": "true" }, "+"),
        h(
          "p",
          {},
          `${count(one.count, "statement")} proposed as `,
          written(one.predicate),
          " will be decided on at once, such as ",
          written(one.examples[0] ?? "", { most: 60 }),
          ".",
        ),
      ),
    ),
    before === null &&
      !proposed.length &&
      h("p", {}, "Nobody’s memory: nothing was ever proposed under this name. It counts from the next message on."),
    before !== null && sample,
  );
}

function plainOf(value) {
  return value === undefined || value === null || (Array.isArray(value) && !value.length) ? "" : value;
}

function told(value, kind = "") {
  const text = Array.isArray(value) ? value.map(valueText).join(", ") : valueText(value);
  return h("span.value", { class: kind }, text ? written(text, { most: 160 }) : "nothing");
}

async function proposedFor(view, wanted, signal) {
  const names = new Set([wanted.name, ...wanted.aliases].map((name) => name.toLocaleLowerCase()));
  const { items } = await read("proposals", { namespace: view.namespace }, { signal });
  return items.filter((one) => names.has(one.predicate.toLocaleLowerCase()));
}

/** Give the next people, and what each of them knows of it. */
async function look(view, wanted, after, signal) {
  const scopes = await read("scopes", { limit: AT_ONCE, after, namespace: view.namespace }, { signal });
  const ofOne = ({ user_id, agent_id: agent }) => ({
    user_id,
    agent_id: agent || undefined,
    namespace: view.namespace,
    predicates: wanted.name,
  });
  const states = await Promise.all(scopes.items.map((scope) => read("state", ofOne(scope), { signal })));
  return { people: scopes.items, states, next: scopes.next };
}

/** Count what was found, and draw the sums of all so far. */
function looked(view, wanted, found, place, { people, states, next }) {
  found.people += states.length;
  states.forEach((state, at) => note(found, wanted, people[at], state));
  const more = h("div");
  const lookOn = () => {
    fill(more, loading("Looking"));
    put(
      more,
      view.life,
      (signal) => look(view, wanted, next, signal),
      (answer) => looked(view, wanted, found, place, answer),
      (problem) => fill(more, trouble(problem, lookOn)),
    );
  };
  if (next) more.append(button(`Look at ${AT_ONCE} more`, lookOn, { tone: "quiet" }));
  fill(place, sums(view, wanted, found), more);
}

function note(found, wanted, scope, state) {
  const facts = [...state.facts, ...state.planned, ...state.candidates];
  if (!facts.length) return;
  const misfits = facts.filter((fact) => !fits(fact, wanted));
  const slots = Map.groupBy(state.facts, (fact) => fact.subject);
  const isCrowded = wanted.cardinality === "one" && [...slots.values()].some((held) => held.length > 1);
  found.holders.push({ scope, facts });
  if (misfits.length || isCrowded) found.misfits.push({ scope, facts: misfits, isCrowded });
}

/** Whether a value would still be one; what only the server can tell is taken to fit. */
function fits(fact, wanted) {
  const text = String(fact.object ?? valueText(fact.value));
  if (wanted.choices)
    return wanted.choices.some((one) => valueText(one).toLocaleLowerCase() === text.toLocaleLowerCase());
  if (wanted.type === "number") return text.trim() !== "" && Number.isFinite(Number(text));
  if (wanted.type === "date") return /^\d{4}-\d{2}-\d{2}$/.test(text);
  if (wanted.type === "bool") return /^(yes|no|true|false)$/i.test(text);
  return true;
}

function sums(view, wanted, found) {
  // Another page of our own, so that what is typed here stays; as its opener it hands on the token of this tab.
  const link = ({ scope }) =>
    h(
      "a",
      {
        href: to("person", { user: scope.user_id, agent: scope.agent_id, namespace: view.namespace }),
        target: "_blank",
        rel: "opener",
      },
      written(scope.user_id, { most: 60 }),
    );
  const values = found.holders.reduce((sum, one) => sum + one.facts.length, 0);
  return [
    h(
      "p",
      {},
      `Of the first ${count(found.people, "memory", "memories")}, ${found.holders.length} ${found.holders.length === 1 ? "holds" : "hold"} ${count(values, "value")} of it; their histories are told anew.`,
    ),
    found.misfits.length > 0 &&
      h(
        "div.trouble",
        {},
        h("p.trouble-what", {}, `${count(found.misfits.length, "memory", "memories")} would not fit any more:`),
        h(
          "ul.plain",
          {},
          found.misfits
            .slice(0, 10)
            .map((one) =>
              h(
                "li",
                {},
                link(one),
                ": ",
                one.isCrowded
                  ? "several values hold at once"
                  : one.facts.slice(0, 3).map((fact, at) => [at > 0 && ", ", written(fact.object, { most: 40 })]),
              ),
            ),
        ),
      ),
    !found.misfits.length && found.holders.length > 0 && h("p.note", {}, "All of these values fit the new definition."),
  ];
}
