// Exactly the text an agent is given, with what it costs, what is in it, and what was left out.

import { read } from "../api.js";
import { h, redraw } from "../dom.js";
import { badge, button, check, field, freshnessBadge, heading, loading, select } from "../parts/basics.js";
import { openChain } from "../parts/chain.js";
import { labelOf } from "../parts/facts.js";
import { toast } from "../parts/toast.js";
import { afterwards, fillWith } from "../parts/turns.js";
import { change } from "../router.js";
import { count, number } from "../words.js";

/** Draw the tab. */
export function draw(place, page) {
  const outcome = h("div", {}, loading("Asking for the text"));
  redraw(place, form(page), outcome);
  drawText(outcome, page);
}

/** The log has grown: the text is read anew, the form stays. */
export function refresh(place, page) {
  const outcome = place.lastElementChild;
  if (outcome && !outcome.contains(document.activeElement)) afterwards(outcome, () => drawText(outcome, page));
}

function drawText(outcome, page) {
  const { query, scope } = page;
  const parameters = {
    ...scope,
    query: query.q || undefined,
    max_tokens: query.tokens || undefined,
    format: query.format || undefined,
    include_history: query.past ? true : undefined,
    at: query.at || undefined,
    known_at: query.known_at || undefined,
  };
  return fillWith(
    outcome,
    page.life,
    (signal) => read("context", parameters, { signal }),
    (found) => shown(page, found),
    () => drawText(outcome, page),
  );
}

function form(page) {
  const { query } = page;
  const question = h("input", {
    type: "search",
    value: query.q ?? "",
    autocomplete: "off",
    data: { key: "context-query" },
  });
  const tokens = h("input", {
    type: "number",
    min: 0,
    step: 1,
    value: query.tokens ?? "",
    inputmode: "numeric",
    data: { key: "context-tokens" },
  });
  const format = select(
    [
      ["", "markdown"],
      ["xml", "xml"],
      ["json", "json"],
    ],
    query.format ?? "",
  );
  const past = check("With what held before", Boolean(query.past));
  const submit = (event) => {
    event.preventDefault();
    change({
      q: question.value,
      tokens: tokens.value,
      format: format.value,
      past: past.querySelector("input").checked ? "1" : "",
    });
  };
  return h(
    "form",
    { onsubmit: submit, "aria-label": "What to ask for" },
    h(
      "div.row",
      {},
      field("About (what the person just asked)", question),
      field("Most tokens", tokens),
      field("Form", format),
    ),
    h("div.row", {}, past, button("Show", null, { tone: "main", submit: true, key: "show-context" })),
  );
}

function shown(page, found) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(found.text);
      toast("Copied.");
    } catch {
      toast("The browser does not let this page copy. Select the text instead.", { tone: "bad" });
    }
  };
  return [
    heading(
      2,
      "The text",
      badge(count(found.token_count, "token")),
      found.omitted > 0 && badge(`${number(found.omitted)} left out`, "warn", "For the budget."),
      freshnessBadge(found.freshness),
      button("Copy", copy, { tone: "quiet" }),
    ),
    h("pre.context-text", { tabindex: "0", dir: "auto", "aria-label": "The text an agent is given" }, found.text),
    heading(2, "What is in it", h("span.note", {}, count(found.facts_used.length, "fact"))),
    h(
      "ul.used",
      {},
      found.facts_used.slice(0, 200).map((fact) =>
        h(
          "li",
          {},
          button(labelOf(fact), () => openChain(page, fact.id), { tone: "quiet" }),
        ),
      ),
    ),
  ];
}
