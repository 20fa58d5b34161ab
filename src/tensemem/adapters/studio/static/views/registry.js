// The registry: which attributes may be remembered, and what extractors proposed that nobody has registered.

import { read } from "../api.js";
import { fill, h } from "../dom.js";
import { may } from "../key.js";
import { badge, button, empty, heading, inParts, loading } from "../parts/basics.js";
import { openEntity, openPredicate } from "../parts/predicate.js";
import { fillWith } from "../parts/turns.js";
import { registry } from "../registry.js";
import { brief, valueText, written } from "../text.js";
import { count } from "../words.js";

/** Show the registry. */
export async function show(place, query, life) {
  const list = h("div", {}, loading());
  const view = { list, life, namespace: query.namespace };
  view.reload = () => draw(view);
  fill(
    place,
    h(
      "div.page-head",
      {},
      h("h1", {}, "Registry"),
      h(
        "div.head-end",
        {},
        may("register_predicate") &&
          button("Register an attribute", () => openPredicate(view, null), { tone: "main", key: "new" }),
        may("register_entity") && button("Register a name", () => openEntity(view), { key: "new-name" }),
      ),
    ),
    h(
      "p",
      {},
      "Only what is registered is remembered.",
      may("proposals") && " What an extractor proposes beyond that waits here until somebody registers it.",
    ),
    !may("register_predicate") &&
      h("p.note", {}, "With this key the registry is only looked at: changing it takes an administrator’s key for everybody."),
    list,
  );
  draw(view);
}

function draw(view) {
  return fillWith(
    view.list,
    view.life,
    (signal) =>
      Promise.all([
        registry(view.namespace, { isAnew: true }),
        may("proposals") ? read("proposals", { namespace: view.namespace }, { signal }) : { items: [] },
      ]),
    ([known, proposed]) => [proposals(view, proposed.items), attributes(view, known)],
    () => draw(view),
  );
}

function proposals(view, items) {
  if (!items.length) return null;
  return h(
    "section.subject",
    { "aria-label": "Proposals" },
    heading(
      2,
      "Proposals",
      may("register_predicate") && h("span.note", {}, "registering one admits what was proposed for it"),
    ),
    inParts(items, (one) =>
      h(
        "article.slot",
        {},
        h(
          "div.slot-name",
          {},
          h("h3", {}, written(one.predicate, { most: 80 })),
          h("span.note", {}, `proposed ${count(one.count, "time")}`),
        ),
        h(
          "div.fact",
          {},
          h(
            "div.fact-main",
            {},
            h(
              "p",
              {},
              "such as ",
              one.examples.slice(0, 5).map((text, at) => [at > 0 && ", ", h("q", {}, written(text, { most: 60 }))]),
            ),
          ),
          h(
            "div.fact-acts",
            {},
            may("register_predicate") &&
              button(
                "Register …",
                () => openPredicate(view, { name: one.predicate, cardinality: one.cardinality, isNew: true }),
                { name: `Register ${brief(one.predicate)}`, key: `register ${one.predicate}` },
              ),
          ),
        ),
      ),
    ),
  );
}

function attributes(view, known) {
  if (!known.length)
    return empty(
      "Nothing is registered yet.",
      "An attribute is what may be remembered of a person: lives_in, diet, languages.",
    );
  return h(
    "section.subject",
    { "aria-label": "Attributes" },
    heading(2, "Attributes", h("span.note", {}, count(known.length, "attribute"))),
    inParts(known, (one) => attributeRow(view, one), 100),
  );
}

function attributeRow(view, one) {
  const notes = [
    one.aliases.length > 0 && [
      "also ",
      one.aliases.slice(0, 6).map((text, at) => [at > 0 && ", ", written(text, { most: 40 })]),
    ],
    one.choices && ["one of ", brief(one.choices.map(valueText).join(", "), 120)],
    one.ttl && `holds for ${one.ttl} unless said again`,
    one.review_after && `due for review after ${one.review_after}`,
    one.writers && `written by ${brief(one.writers.join(", "), 80)}`,
    one.min_confidence !== null && `needs ${Math.round(one.min_confidence * 100)} % certainty`,
  ].filter(Boolean);
  return h(
    "article.slot",
    {},
    h(
      "div.slot-name",
      {},
      h("h3", {}, written(one.name, { most: 80 })),
      h("span", {}, badge(one.type), " ", one.cardinality === "many" && badge("many values")),
    ),
    h(
      "div.fact",
      {},
      h(
        "div.fact-main",
        {},
        one.description && h("p", {}, written(one.description)),
        notes.length > 0 &&
          h(
            "p.ages",
            {},
            notes.map((note) => h("span", {}, note)),
          ),
      ),
      h(
        "div.fact-acts",
        {},
        may("register_predicate") &&
          button("Change …", () => openPredicate(view, one), {
            name: `Change ${brief(one.name)}`,
            key: `change ${one.name}`,
          }),
      ),
    ),
  );
}
