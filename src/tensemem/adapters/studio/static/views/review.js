// What waits for a person's decision: open questions first, then candidates and plans. Keys: j, k, a, r.

import { read, write, onceKey } from "../api.js";
import { h, redraw } from "../dom.js";
import { may } from "../key.js";
import { openReview } from "../parts/amend.js";
import { badge, button, empty, heading, inParts, loading, statusMark, trouble } from "../parts/basics.js";
import { openChain } from "../parts/chain.js";
import { isPast } from "../parts/clocks.js";
import { ages, doubts, labelOf, newestQuote, valueOf } from "../parts/facts.js";
import { toast, toastProblem } from "../parts/toast.js";
import { put } from "../parts/turns.js";
import { plain, valueText, written } from "../text.js";

export const isRedrawn = true;
const KINDS = {
  contested: ["in doubt", "warn"],
  due_plan: ["plan is due", "plan"],
  candidate: ["not sure", ""],
  due_for_review: ["not heard of for long", "warn"],
};

/** Draw the tab. */
export function draw(place, page) {
  if (!place.firstChild) place.append(loading());
  if (isPast(page)) {
    redraw(
      place,
      queue(page),
      !page.state.candidates.length &&
        !page.state.planned.length &&
        empty("Nothing was waiting then.", "Go back to now to decide."),
    );
    return;
  }
  put(
    place,
    page.life,
    (signal) => read("questions", { ...page.scope, limit: 50 }, { signal }),
    ({ items }) => {
      const isEmpty = !items.length && !page.state.candidates.length && !page.state.planned.length;
      redraw(place, isEmpty ? nothing() : [questions(page, items), queue(page)]);
    },
    (problem) =>
      redraw(
        place,
        trouble(problem, () => draw(place, page)),
      ),
  );
}

function nothing() {
  return empty(
    "Nothing waits for a decision.",
    "What the memory is not sure of, plans, and facts nobody has spoken of for long appear here.",
  );
}

function questions(page, items) {
  if (!items.length) return null;
  return h(
    "section.subject",
    { "aria-label": "Questions" },
    heading(2, "Questions"),
    h("p.note", {}, "These are worth asking the person.", may("answer") && " If you know the answer, give it here."),
    inParts(items, (item) => question(page, item)),
  );
}

function question(page, item) {
  const [label, tone] = KINDS[item.kind] ?? [item.kind, ""];
  const answer = (value) => async () => {
    try {
      await write(
        "answer",
        {
          question_id: item.id,
          answer: value,
          user_id: page.scope.user_id,
          agent_id: page.scope.agent_id,
          namespace: page.scope.namespace,
        },
        { once: onceKey() },
      );
      toast(`Answered: ${plain(valueText(value))}.`);
      page.reload();
    } catch (problem) {
      toastProblem(problem);
    }
  };
  const options = (item.options ?? []).filter((one) => one !== item.fact.value).slice(0, 4);
  return h(
    "article.slot.question",
    { "aria-label": plain(item.text) },
    h("div", {}, h("p.question-text", {}, written(item.text)), badge(label, tone)),
    h(
      "div.fact-acts",
      { role: "group", "aria-label": "Answers" },
      may("answer") && [
        button("Yes", answer("yes"), { name: `Yes: ${plain(item.text)}`, key: `yes ${item.id}` }),
        button("No", answer("no"), { name: `No: ${plain(item.text)}`, key: `no ${item.id}` }),
        options.map((one) =>
          button([written(valueText(one), { most: 40 })], answer(one), {
            tone: "quiet",
            key: `opt ${item.id} ${valueText(one)}`,
          }),
        ),
      ],
      button("Why?", () => openChain(page, item.fact.id), {
        tone: "quiet",
        name: `Why: ${plain(item.text)}`,
        key: `qwhy ${item.id}`,
      }),
    ),
  );
}

function queue(page) {
  const waiting = [...page.state.candidates, ...page.state.planned];
  if (!waiting.length) return null;
  const list = h(
    "ol.queue",
    { "aria-label": "Waits for a decision" },
    waiting.slice(0, 200).map((fact) => item(page, fact)),
  );
  list.addEventListener("keydown", (event) => steer(event, list));
  return h(
    "section.subject",
    { "aria-label": "Candidates and plans" },
    heading(2, "Candidates and plans"),
    h(
      "p.note.keys",
      {},
      "Keys: ",
      h("kbd", {}, "j"),
      " next, ",
      h("kbd", {}, "k"),
      " back, ",
      may("review") && [h("kbd", {}, "a"), " accept, ", h("kbd", {}, "r"), " reject, "],
      h("kbd", {}, "w"),
      " why.",
    ),
    list,
    waiting.length > 200 && h("p.note", {}, `${waiting.length - 200} more follow once these are decided.`),
  );
}

function item(page, fact) {
  const key = (word) => `${word} ${fact.id}`;
  return h(
    "li.slot",
    { tabindex: "0", "aria-label": labelOf(fact), data: { key: key("item") } },
    h("div.slot-name", {}, h("h3", {}, written(fact.predicate, { most: 80 })), statusMark(fact.status)),
    h(
      "div.fact",
      {},
      h("div.fact-main", {}, h("p.fact-value", {}, valueOf(fact), " ", doubts(fact, page.state.at)), ages(fact), newestQuote(fact)),
      h(
        "div.fact-acts",
        { role: "group", "aria-label": `What to do about ${labelOf(fact)}` },
        button("Why?", () => openChain(page, fact.id), { tone: "quiet", name: `Why ${labelOf(fact)}?`, key: key("w") }),
        !isPast(page) &&
          may("review") &&
          button("Accept", () => openReview(page, fact, true), { name: `Accept ${labelOf(fact)}`, key: key("a") }),
        !isPast(page) &&
          may("review") &&
          button("Reject", () => openReview(page, fact, false), { name: `Reject ${labelOf(fact)}`, key: key("r") }),
      ),
    ),
  );
}

function steer(event, list) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
  const items = [...list.children];
  const at = items.findIndex((one) => one.contains(event.target));
  if (event.key === "j" || event.key === "k") {
    event.preventDefault();
    items[Math.max(0, Math.min(items.length - 1, at + (event.key === "j" ? 1 : -1)))]?.focus();
  } else if (["a", "r", "w"].includes(event.key)) {
    const found = [...items[at].querySelectorAll("button")].find((one) => one.dataset.key?.startsWith(`${event.key} `));
    if (found) {
      event.preventDefault();
      found.click();
    }
  }
}
