// Why a fact is shown, as a chain: message → operation → decision → fact, and what happened to it since.

import { read } from "../api.js";
import { fill, h } from "../dom.js";
import { may } from "../key.js";
import { atMinute } from "../times.js";
import { quoted, valueText, written } from "../text.js";
import { operationWords, outcome, reason } from "../words.js";
import { openAmend, undo } from "./amend.js";
import { button, loading, statusMark } from "./basics.js";
import { isPast } from "./clocks.js";
import { openDialog } from "./dialog.js";
import { ages, doubts, sourceOf, valueOf } from "./facts.js";
import { fillWith } from "./turns.js";

/** Open the chain of a fact. */
export function openChain(page, factId) {
  return openDialog(
    "Why?",
    (close) => {
      const place = h("div.chain", {}, loading("Asking why"));
      explained(place, page, factId, close);
      return place;
    },
    { wide: true },
  );
}

function explained(place, page, factId, close) {
  return fillWith(
    place,
    page.life,
    (signal) => read("explain", { fact_id: factId, ...page.scope }, { signal }),
    (found) => [
      theFact(page, found.fact),
      acts(page, found.fact, close),
      chains(found),
      afterwards(found),
      neighbours(place, page, found, close),
    ],
    () => explained(place, page, factId, close),
  );
}

function theFact(page, fact) {
  return h(
    "div.chain-fact",
    {},
    h("p.note", {}, written(fact.predicate)),
    h("p.fact-value", {}, valueOf(fact), " ", statusMark(fact.status), " ", doubts(fact, page.state.at)),
    ages(fact),
  );
}

const AMENDABLE = new Set([
  "active",
  "superseded",
  "retracted",
  "expired",
  "scheduled",
  "overridden",
  "candidate",
  "planned",
]);

function acts(page, fact, close) {
  if (isPast(page)) return null;
  const then = (kind) => () => {
    close();
    openAmend(page, fact, kind);
  };
  if (fact.status === "corrected") {
    if (!may("reinstate")) return null;
    return h(
      "div.actions",
      {},
      button("Undo the correction", () => {
        close();
        undo(page, fact.id);
      }),
    );
  }
  if (!AMENDABLE.has(fact.status) || !may("correct")) return null;
  return h("div.actions", {}, button("Wrong", then("wrong")), button("It was …", then("other")));
}

function chains(found) {
  const byClaim = new Map();
  for (const step of found.steps) {
    if (!["message", "write", "extraction", "admission"].includes(step.kind)) continue;
    if (!byClaim.has(step.claim_id)) byClaim.set(step.claim_id, []);
    byClaim.get(step.claim_id).push(step);
  }
  const all = [...byClaim].map(([claim, steps]) => chainOf(found, claim, steps));
  const shown = all.slice(-8);
  return h(
    "section",
    { "aria-label": "What it rests on" },
    h("h3", {}, all.length > 1 ? `It rests on ${all.length} statements` : "It rests on one statement"),
    all.length > shown.length && h("p.note", {}, `The newest ${shown.length} are shown.`),
    shown,
  );
}

function chainOf(found, claim, steps) {
  const evidence = found.fact.evidence.find((one) => one.claim_id === claim);
  const decision = found.decisions.find((one) => one.claim_id === claim);
  const seq = steps[0].seq;
  const proposed = steps.find((step) => step.kind === "extraction");
  const admitted = steps.find((step) => step.kind === "admission");
  const first = steps.find((step) => step.kind === "message" || step.kind === "write");
  return h(
    "ol.links",
    {},
    first &&
      link(first.kind === "message" ? "Message" : "Write", [
        h("p.note", {}, sourceOf(first.role), ` · ${atMinute(first.said_at)} · episode ${seq}`),
        first.kind === "message"
          ? h("p.message-text", {}, quoted(first.text, first.quote, evidence?.begin, evidence?.stop))
          : h("p", {}, "Stated by a program."),
      ]),
    link("Operation", [
      decision ? operationOf(decision.operation) : h("p", {}, "Its proposal is not kept."),
      proposed && h("p.note", {}, "proposed by ", written(proposed.extractor || "an extractor")),
    ]),
    link("Decision", [
      h(
        "p",
        {},
        decision ? outcome(decision.outcome) : admitted?.text,
        decision?.reason && ` (${reason(decision.reason)})`,
      ),
      decision?.message && h("p.note", {}, written(decision.message)),
    ]),
    link("Fact", [h("p", {}, written(found.fact.predicate), " = ", valueOf(found.fact, { most: 120 }))]),
  );
}

function link(name, content) {
  return h("li.chain-step", {}, h("span.link-name", {}, name), h("div", {}, content));
}

/** An operation in words, with what it says beside its value. */
export function operationOf(op) {
  const more = ["modality", "since", "until", "valid_from", "valid_to"].filter(
    (name) => op[name] && op[name] !== "asserted",
  );
  return h(
    "p.operation",
    {},
    h("code", {}, operationWords(op.op)),
    " ",
    op.subject && op.subject !== "user" ? [written(op.subject), " "] : null,
    written(op.predicate ?? ""),
    " ",
    op.value !== null && op.value !== undefined ? h("strong", {}, written(valueText(op.value), { most: 160 })) : null,
    more.map((name) => h("span.note", {}, ` · ${name.replaceAll("_", " ")} `, written(valueText(op[name])))),
    op.confidence !== undefined && op.confidence < 1
      ? h("span.note", {}, ` · ${Math.round(op.confidence * 100)} % sure`)
      : null,
  );
}

function afterwards(found) {
  const later = found.steps.filter((step) => !["message", "write", "extraction", "admission"].includes(step.kind));
  if (!later.length) return null;
  return h(
    "section",
    { "aria-label": "What happened since" },
    h("h3", {}, "What happened since"),
    h(
      "ol.links",
      {},
      later.map((step) =>
        link(step.kind === "correction" ? "Correction" : step.kind, [
          h("p", {}, written(step.text, { most: 240 })),
          h(
            "p.note",
            {},
            `${atMinute(step.said_at)} · episode ${step.seq}`,
            step.reason && [" · because: ", written(step.reason)],
          ),
        ]),
      ),
    ),
  );
}

function neighbours(place, page, found, close) {
  const list = (title, facts) =>
    facts.length > 0 &&
    h(
      "section",
      { "aria-label": title },
      h("h3", {}, title),
      h(
        "ul.plain",
        {},
        facts.map((fact) =>
          h(
            "li",
            {},
            button(
              [valueOf(fact, { most: 80 })],
              () => {
                fill(place, loading());
                explained(place, page, fact.id, close);
              },
              { tone: "quiet" },
            ),
            " ",
            statusMark(fact.status),
            ages(fact),
          ),
        ),
      ),
    );
  return [list("What it displaced", found.displaced), list("What displaced it", found.displaced_by)];
}
