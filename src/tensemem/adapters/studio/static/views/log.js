// The log: what was said, what changed and why, and what can be found by its words; with filters, newest first.

import { read, write } from "../api.js";
import { fill, h, redraw, settled } from "../dom.js";
import { may } from "../key.js";
import { badge, button, empty, field, loading, select } from "../parts/basics.js";
import { operationOf, openChain } from "../parts/chain.js";
import { openDialog } from "../parts/dialog.js";
import { sourceOf, valueOf } from "../parts/facts.js";
import { isPast } from "../parts/clocks.js";
import { attempt } from "../parts/statement.js";
import { toast } from "../parts/toast.js";
import { afterwards, fillWith, giveUp } from "../parts/turns.js";
import { change } from "../router.js";
import { atMinute } from "../times.js";
import { written } from "../text.js";
import { count, outcome, reason, why } from "../words.js";
import { changes } from "./changes.js";

const PAGE = 50;
const WHAT = [
  ["messages", "Messages"],
  ["changes", "Changes"],
  ["search", "Search"],
];

/** Draw the tab. */
export function draw(place, page) {
  const what = whatOf(page);
  const form = place.querySelector("form.filters");
  if (form?.dataset.of === what) {
    keep(form, page.query);
  } else {
    redraw(place, filters(page, what), h("div.log-list", {}, loading("Loading the log")));
  }
  drawList(place.querySelector(".log-list"), page, what);
}

function whatOf(page) {
  return WHAT.some(([name]) => name === page.query.of) ? page.query.of : "messages";
}

/** Let the filters say what the address does, but for the one that somebody is typing in. */
function keep(form, query) {
  for (const control of form.querySelectorAll("[name]")) {
    if (control !== document.activeElement) control.value = query[control.name] ?? "";
  }
}

/** The log has grown: only the list is drawn anew, and only where nobody is in the middle of it. */
export function refresh(place, page) {
  const list = place.querySelector(".log-list");
  if (list && !list.contains(document.activeElement) && !page.query.before) {
    afterwards(list, () => drawList(list, page, whatOf(page)));
  }
}

function filters(page, what) {
  const { query } = page;
  const text = (name, label, type = "search") => {
    const input = h("input", {
      type,
      name,
      value: query[name] ?? "",
      autocomplete: "off",
      spellcheck: "false",
      data: { key: `filter-${name}` },
    });
    input.addEventListener(
      "input",
      settled(250, () => change({ [name]: input.value, before: "" }, { quietly: true })),
    );
    return field(label, input);
  };
  const pick = (name, label, options) =>
    field(
      label,
      select([["", "any"], ...options], query[name] ?? "", {
        name,
        onchange: (event) => change({ [name]: event.target.value, before: "" }),
        data: { key: `filter-${name}` },
      }),
    );
  const kinds = h(
    "div.segments",
    { role: "group", "aria-label": "What of the log" },
    WHAT.map(([name, label]) =>
      button(label, () => change({ of: name, before: "" }), { pressed: String(name === what), key: `of-${name}` }),
    ),
  );
  const more = {
    messages: () => [
      text("words", "With the words"),
      pick(
        "role",
        "Said by",
        ["user", "assistant", "system", "tool"].map((one) => [one, one]),
      ),
      text("session", "In the conversation"),
    ],
    changes: () => [
      text("attribute", "Of the attribute"),
      pick("kind", "Kind", [
        ["began", "began"],
        ["ended", "ended"],
        ["moved", "moved"],
      ]),
      pick(
        "why",
        "Because of",
        ["write", "extraction", "correction", "reinstatement", "review"].map((one) => [one, why(one)]),
      ),
    ],
    search: () => [text("words", "Words")],
  };
  return h(
    "form.filters",
    { onsubmit: (event) => event.preventDefault(), "aria-label": "Filters", data: { of: what } },
    kinds,
    h("div.row", {}, more[what]()),
  );
}

function drawList(list, page, what) {
  const ask = { messages, changes, search: found }[what];
  return fillWith(
    list,
    page.life,
    (signal) => ask(page, signal),
    (drawn) => drawn,
    () => drawList(list, page, what),
  );
}

async function messages(page, signal) {
  const { query, scope } = page;
  const asked = { ...scope, session_id: query.session || undefined, before: query.before || undefined, limit: PAGE };
  const { items } = await read("messages", asked, { signal });
  const words = (query.words ?? "").toLocaleLowerCase();
  const shown = [...items]
    .reverse()
    .filter(
      (one) => (!query.role || one.role === query.role) && (!words || one.content.toLocaleLowerCase().includes(words)),
    );
  const oldest = items[0]?.seq ?? 0;
  const isCut = items.length === PAGE && oldest > 1;
  if (!items.length)
    return empty(
      "There are no messages here.",
      query.session || query.before
        ? "Take the filters away to see more."
        : "What is said to the agent appears here as soon as it is added.",
    );
  return [
    (words || query.role) &&
      h("p.note", {}, `${count(shown.length, "message")} of the ${items.length} looked through.`),
    h(
      "ol.messages",
      {},
      shown.map((one) => message(page, one)),
    ),
    isCut && linkOlder(oldest),
  ];
}

function linkOlder(before) {
  return h(
    "div.pager",
    {},
    button("Older messages", () => change({ before: String(before) }), { key: "older" }),
  );
}

function message(page, one) {
  const place = h("div");
  return h(
    "li.message",
    { class: `from-${one.role}` },
    h(
      "div.message-head",
      {},
      h("strong", {}, sourceOf(one.role)),
      one.speaker && [" (", written(one.speaker, { most: 40 }), ")"],
      h("span.note", {}, ` · ${atMinute(one.said_at)} · episode ${one.seq}`),
      one.session_id && h("span.note", {}, " · ", written(one.session_id, { most: 40 })),
      one.corrected && badge("corrected", "warn", "A fact from this message was corrected: do not quote it as truth."),
      page.state.freshness.failed_seqs?.includes(one.seq) && badge("failed", "bad"),
    ),
    one.gone
      ? h("p.note", {}, `Its text was ${one.gone}.`)
      : h("p.message-text", {}, written(one.content, { lines: true })),
    h(
      "div.message-acts",
      {},
      button("What was made of it", () => decided(place, page, one.seq), {
        tone: "quiet",
        name: `What was made of episode ${one.seq}`,
      }),
      !isPast(page) &&
        !one.gone &&
        may("erase") &&
        button("Erase", () => openErase(page, one), { tone: "quiet", name: `Erase episode ${one.seq}` }),
    ),
    place,
  );
}

function decided(place, page, seq) {
  if (place.firstChild) {
    giveUp(place);
    place.replaceChildren();
    return;
  }
  fill(place, loading());
  fillWith(
    place,
    page.life,
    (signal) => read("decisions", { ...page.scope, seq }, { signal }),
    ({ items }) =>
      items.length
        ? h(
            "ul.decisions",
            {},
            items.map((one) => decision(page, one)),
          )
        : h("p.note", {}, "It has not been read yet."),
  );
}

function decision(page, one) {
  return h(
    "li",
    {},
    Object.keys(one.operation ?? {}).length ? operationOf(one.operation) : null,
    h(
      "p.note",
      {},
      outcome(one.outcome),
      one.reason && ` (${reason(one.reason)})`,
      " ",
      one.claim_id && button("Why?", () => openChain(page, one.claim_id), { tone: "quiet" }),
    ),
  );
}

function openErase(page, one) {
  openDialog("Erase this episode?", (close) => {
    const failed = h("div");
    const act = async () => {
      const done = await write("erase", { ...page.scope, seq: one.seq });
      close();
      toast(`Erased: ${count(done.claims, "statement")} and ${count(done.facts, "fact")} went with it.`);
      page.reload();
      change({ erased: String(one.seq) }, { quietly: true });
    };
    return h(
      "form",
      { onsubmit: (event) => attempt(event, failed, act) },
      h("p.message-text", {}, written(one.content, { most: 300 })),
      h(
        "p",
        {},
        "Its content, what was learnt from it, and corrections of nothing but that are removed for good. Its number stays, empty.",
      ),
      failed,
      h(
        "div.actions",
        {},
        button("Erase it", null, { tone: "danger", submit: true }),
        button("Keep it", close, { tone: "quiet" }),
      ),
    );
  });
}

async function found(page, signal) {
  const { query, scope } = page;
  if (!(query.words ?? "").trim())
    return empty("Search for words.", "Facts and messages that hold them appear here, what is true now first.");
  const { items } = await read("search", { ...scope, query: query.words, limit: PAGE }, { signal });
  if (!items.length) return empty("Nothing holds these words.", "Try fewer words, or another form of them.");
  return h(
    "ol.messages",
    {},
    items.map((hit) => hitOf(page, hit)),
  );
}

function hitOf(page, hit) {
  if (hit.fact) {
    return h(
      "li.message",
      {},
      h("div.message-head", {}, h("strong", {}, hit.fact.predicate), badge("fact")),
      h("p.fact-value", {}, valueOf(hit.fact)),
      h(
        "div.message-acts",
        {},
        button("Why?", () => openChain(page, hit.fact.id), { tone: "quiet" }),
      ),
    );
  }
  return h(
    "li.message",
    { class: `from-${hit.role}` },
    h(
      "div.message-head",
      {},
      h("strong", {}, sourceOf(hit.role)),
      h("span.note", {}, ` · ${atMinute(hit.said_at)} · episode ${hit.seq}`),
      hit.corrected && badge("corrected", "warn"),
    ),
    h("p.message-text", {}, written(hit.text, { lines: true })),
  );
}
