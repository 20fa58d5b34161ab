// The changes of a memory, newest first: what began, ended or moved, in which revision, and why.

import { read } from "../api.js";
import { h } from "../dom.js";
import { button, empty } from "../parts/basics.js";
import { openChain } from "../parts/chain.js";
import { valueOf } from "../parts/facts.js";
import { change } from "../router.js";
import { onDay } from "../times.js";
import { plain, valueText, written } from "../text.js";
import { count, subjectWords, why } from "../words.js";

const PAGE = 50;
const MOST = 400;

/** Give the list, as the filters in the address want it. */
export async function changes(page, signal) {
  const { query, latest } = page;
  const until = Number(query.before) || latest;
  const [items, after] = await newest(page, until, signal);
  const name = (query.attribute ?? "").toLocaleLowerCase();
  const shown = items
    .filter(
      (one) =>
        (!query.kind || one.kind === query.kind) &&
        (!query.why || one.why === query.why) &&
        (!name || one.predicate.toLocaleLowerCase().includes(name)),
    )
    .reverse();
  return [
    h(
      "p.note",
      {},
      after > 0 || until < latest
        ? `Revisions ${after + 1} to ${until} of ${latest}.`
        : `All ${count(latest, "revision")}.`,
    ),
    shown.length
      ? h(
          "ol.changes",
          {},
          shown.slice(0, MOST).map((one) => changed(page, one)),
        )
      : empty("No value changed here.", "Take the filters away, or look at older revisions."),
    after > 0 &&
      h(
        "div.pager",
        {},
        button("Older changes", () => change({ before: String(after) }), { key: "older" }),
      ),
  ];
}

/**
 * Give the newest changes up to a revision, and behind which one they begin. An entry may change much: where too many
 * come, fewer revisions are looked at, so that the newest are told first and nothing is asked for in vain.
 */
async function newest(page, until, signal) {
  for (let span = 4 * PAGE; ; span = Math.max(1, Math.floor(span / 8))) {
    const after = Math.max(0, until - span);
    const { items } = await read("changes", { ...page.scope, after_rev: after, limit: MOST }, { signal });
    const isWhole = items.length < MOST || items.at(-1).rev >= until;
    if (isWhole || span === 1) return [items.filter((one) => one.rev <= until), after];
  }
}

function changed(page, one) {
  const word = { began: "began", ended: "ended", moved: "holds over other times" }[one.kind] ?? one.kind;
  const value = valueOf(
    { object: valueText(one.value) },
    { most: 120, class: one.kind === "ended" ? "value was" : "value" },
  );
  return h(
    "li.change",
    { class: one.kind },
    h("span.rev", {}, `rev ${one.rev}`),
    h(
      "div",
      {},
      h(
        "p",
        {},
        one.subject !== "user" && [written(subjectWords(one.subject)), " · "],
        h("strong", {}, written(one.predicate)),
        " ",
        value,
        ` ${word}`,
      ),
      h(
        "p.note",
        {},
        why(one.why),
        one.reason && [": ", written(one.reason)],
        ` · episode ${one.seq}`,
        one.valid_from && ` · from ${onDay(one.valid_from)}`,
        one.valid_to && ` until ${onDay(one.valid_to)}`,
      ),
    ),
    button("Why?", () => openChain(page, one.fact_id), {
      tone: "quiet",
      name: `Why ${plain(one.predicate)} ${plain(valueText(one.value))}?`,
    }),
  );
}
