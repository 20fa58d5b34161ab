// Puts a fact right: wrong, it was X, still true, accept, reject, and undo; with what it would change before it is done.

import { onceKey, write } from "../api.js";
import { fill, h } from "../dom.js";
import { predicateOf } from "../registry.js";
import { button, field, loading } from "./basics.js";
import { openDialog } from "./dialog.js";
import { ages, labelOf, valueOf } from "./facts.js";
import { foresee } from "./foresee.js";
import { attempt, valueControl } from "./statement.js";
import { toast, toastProblem } from "./toast.js";
import { fillWith, giveUp } from "./turns.js";

const TITLES = { wrong: "Was this never true?", other: "What was it instead?", still: "Is this still true?" };

/** Open the dialog for a fact. `kind`: "wrong", "other" (another value, or other times) or "still". */
export function openAmend(page, fact, kind) {
  return openDialog(TITLES[kind], (close) => {
    const place = h("div", {}, loading());
    prepare(place, page, fact, kind, close);
    return place;
  });
}

async function prepare(place, page, fact, kind, close) {
  await fillWith(
    place,
    page.life,
    () => (kind === "other" ? predicateOf(page.scope.namespace, fact.predicate) : null),
    (known) => (kind === "still" ? stillForm(page, fact, close) : correctionForm(page, fact, kind, known, close)),
    () => prepare(place, page, fact, kind, close),
  );
  place.querySelector("[data-first]")?.focus();
}

function subjectLine(fact) {
  return h(
    "div.chain-fact",
    {},
    h("p.note", {}, fact.predicate),
    h("p.fact-value", {}, valueOf(fact)),
    ages(fact),
  );
}

function correctionForm(page, fact, kind, predicate, close) {
  const once = onceKey();
  const ahead = h("div.ahead", { "aria-live": "polite" });
  const failed = h("div");
  const why = h("input", { type: "text", autocomplete: "off", maxlength: 500 });
  const control = kind === "other" ? valueControl(predicate, fact.value) : null;
  const from = h("input", { type: "date" });
  const to = h("input", { type: "date" });
  const wanted = () => ({
    value: control ? control.value() : undefined,
    valid_from: from.value || undefined,
    valid_to: to.value || undefined,
  });
  const look = () =>
    fillWith(
      ahead,
      page.life,
      (signal) => foresee(fact, "correct", { ...of(page, fact), ...wanted() }, signal),
      (found) => found,
    );
  const act = async () => {
    const done = await write("correct", { ...of(page, fact), ...wanted(), reason: why.value || undefined }, { once });
    close();
    toast([`Corrected. ${fact.predicate}: `, shownNow(done)], {
      action: ["Undo", () => undo(page, fact.id)],
    });
    page.reload();
  };
  const isOld = () => {
    giveUp(ahead); // what was asked for, or is shown, is about another value
    fill(ahead);
  };
  control?.element.setAttribute("data-first", "");
  for (const one of [control?.element, from, to]) one?.addEventListener("input", isOld);
  if (kind === "wrong") look();
  const label = kind === "wrong" ? "It was never true" : "Correct it";
  return h(
    "form",
    { onsubmit: (event) => attempt(event, failed, kind === "other" ? look : act) },
    subjectLine(fact),
    h(
      "p",
      {},
      kind === "wrong"
        ? "A correction says that this was never true. For what was true and has ended, state what holds now instead."
        : "Say what was true over that time. The rest of the history stays as it is.",
    ),
    control && field("It was", control.element, control.hint),
    kind === "other" &&
      h(
        "details",
        {},
        h("summary", {}, "It held at other times"),
        h("div.row", {}, field("From", from), field("Until the end of", to)),
      ),
    field("Why (kept with the correction)", why),
    ahead,
    failed,
    h(
      "div.actions",
      {},
      kind === "other" && button("Preview", null, { submit: true }),
      button(label, kind === "other" ? (event) => attempt(event, failed, act) : null, {
        tone: kind === "wrong" ? "danger" : "main",
        submit: kind === "wrong",
      }),
      button("Leave it as it is", close, { tone: "quiet" }),
    ),
  );
}

function stillForm(page, fact, close) {
  const once = onceKey();
  const failed = h("div");
  const act = async () => {
    await write(
      "confirm",
      { ...page.scope, predicate: fact.predicate, value: fact.value, subject: fact.subject },
      { once },
    );
    close();
    toast(`Confirmed: ${labelOf(fact)}.`);
    page.reload();
  };
  return h(
    "form",
    { onsubmit: (event) => attempt(event, failed, act) },
    subjectLine(fact),
    h("p", {}, "This becomes newer evidence for it; its value does not change."),
    failed,
    h(
      "div.actions",
      {},
      button("It is still true", null, { tone: "main", submit: true }),
      button("Leave it as it is", close, { tone: "quiet" }),
    ),
  );
}

/** Open the dialog that accepts or rejects what waits. */
export function openReview(page, fact, accept) {
  return openDialog(accept ? "Accept this?" : "Reject this?", (close) => {
    const once = onceKey();
    const ahead = h("div.ahead", { "aria-live": "polite" });
    const failed = h("div");
    const act = async () => {
      await review(page, fact, accept, once);
      close();
    };
    fillWith(
      ahead,
      page.life,
      (signal) => foresee(fact, "review", { ...of(page, fact), accept }, signal),
      (found) => found,
    );
    return h(
      "form",
      { onsubmit: (event) => attempt(event, failed, act) },
      subjectLine(fact),
      ahead,
      failed,
      h(
        "div.actions",
        {},
        button(accept ? "Accept" : "Reject", null, { tone: accept ? "main" : "danger", submit: true }),
        button("Leave it waiting", close, { tone: "quiet" }),
      ),
    );
  });
}

/** Accept or reject, and say what was done. A rejection can be taken back; an acceptance is corrected by its value. */
export async function review(page, fact, accept, once = onceKey()) {
  const done = await write("review", { ...of(page, fact), accept }, { once });
  const takeBack = accept ? () => correctAgain(page, done.fact_id ?? fact.id) : () => undo(page, fact.id);
  toast([accept ? "Accepted: " : "Rejected: ", labelOf(fact), "."], { action: ["Undo", takeBack] });
  page.reload();
}

async function correctAgain(page, factId) {
  try {
    const done = await write(
      "correct",
      { ...of(page, { id: factId }), reason: "accepted by mistake" },
      { once: onceKey() },
    );
    toast(["Taken back. ", shownNow(done)]);
    page.reload();
  } catch (problem) {
    toastProblem(problem);
  }
}

/** Take a correction back. */
export async function undo(page, factId) {
  try {
    const done = await write("reinstate", of(page, { id: factId }), { once: onceKey() });
    toast(["Undone. ", shownNow(done)]);
    page.reload();
  } catch (problem) {
    toastProblem(problem);
  }
}

function shownNow(done) {
  return done.shown ? ["now ", valueOf(done.shown, { most: 80, class: "" }), "."] : "nothing is known now.";
}

function of(page, fact) {
  return {
    fact_id: fact.id,
    user_id: page.scope.user_id,
    agent_id: page.scope.agent_id,
    namespace: page.scope.namespace,
  };
}
