// Forgetting: an attribute, a value, or the whole person, for good; only after it was typed what is meant.

import { write } from "../api.js";
import { fill, h } from "../dom.js";
import { knowKey } from "../key.js";
import { button, empty, field, heading, select, table } from "../parts/basics.js";
import { isPast } from "../parts/clocks.js";
import { openDialog } from "../parts/dialog.js";
import { labelOf } from "../parts/facts.js";
import { attempt } from "../parts/statement.js";
import { toast } from "../parts/toast.js";
import { go, to } from "../router.js";
import { isTypable, written } from "../text.js";
import { count, subjectWords } from "../words.js";

/** Draw the tab. */
export function draw(place, page) {
  if (isPast(page)) {
    fill(
      place,
      empty("This is about the present.", "What is forgotten is gone from every moment. Go back to now first."),
    );
    return;
  }
  const outcome = h("div", { "aria-live": "polite" });
  fill(
    place,
    heading(2, "Forget"),
    h(
      "p",
      {},
      "What is forgotten can’t be brought back: not by undo, not by a rebuild, not by an older backup. To say that something was never true, correct it instead.",
    ),
    h("div.two", {}, partCard(page, outcome), personCard(page, outcome)),
    outcome,
  );
}

function partCard(page, outcome) {
  const facts = [...page.state.facts, ...page.state.planned, ...page.state.candidates].slice(0, 500);
  const slots = new Map(facts.map((fact) => [JSON.stringify([fact.subject, fact.predicate]), fact]));
  if (!facts.length)
    return h(
      "section.card",
      {},
      h("h3", {}, "A part"),
      h("p.note", {}, "Nothing is known, so there is no part to forget."),
    );
  const options = [
    ...[...slots].map(([key, fact]) => [
      `slot ${key}`,
      `All of ${fact.subject === "user" ? "" : `${subjectWords(fact.subject)}: `}${fact.predicate}`,
    ]),
    ...facts.map((fact) => [`fact ${fact.id}`, `Only ${labelOf(fact)}`]),
  ];
  const what = select(options, options[0][0], {});
  const wanted = () => {
    const [kind] = what.value.split(" ", 1);
    const rest = what.value.slice(kind.length + 1);
    if (kind === "fact")
      return {
        fact_id: rest,
        user_id: page.scope.user_id,
        agent_id: page.scope.agent_id,
        namespace: page.scope.namespace,
      };
    const [subject, predicate] = JSON.parse(rest);
    return { ...page.scope, subject, predicate };
  };
  const ask = () =>
    confirmTyped(page, {
      title: "Forget this part?",
      what: [
        h("p", {}, h("strong", {}, written(what.selectedOptions[0].textContent))),
        h(
          "p",
          {},
          "Everything said of it goes, with the words it rests on, also what arrives late. Other facts made of the same messages stay.",
        ),
      ],
      phrase: "forget",
      act: async () => told(page, outcome, await write("forget", wanted())),
    });
  return h(
    "section.card",
    { "aria-label": "Forget a part" },
    h("h3", {}, "A part"),
    field("What", what),
    h("div.actions", {}, button("Forget this part …", ask, { tone: "danger" })),
  );
}

function personCard(page, outcome) {
  const { user_id: user } = page.scope;
  const phrase = isTypable(user) ? user : `forget ${page.latest}`;
  const ask = () =>
    confirmTyped(page, {
      title: "Forget this person?",
      what: [
        h(
          "p",
          {},
          "All that is remembered of ",
          h("strong", {}, written(user, { most: 120 })),
          " goes: ",
          count(page.latest, "revision"),
          ", ",
          count(page.state.facts.length, "fact"),
          " shown now, every message, for ",
          page.scope.agent_id ? "this agent" : "every agent",
          ".",
        ),
      ],
      phrase,
      act: async () => {
        const done = await write("forget", page.scope);
        toast([
          `Forgotten: ${count(done.entries, "entry", "entries")} and ${count(done.facts, "fact")}.`,
          done.elsewhere.length > 0 && ` ${done.elsewhere.join(" ")}`,
        ]);
        await knowKey({ isAnew: true }); // a key that was limited to this person no longer is, or opens nothing
        go(to("people", { namespace: page.scope.namespace }));
      },
    });
  return h(
    "section.card",
    { "aria-label": "Forget the person" },
    h("h3", {}, "The person"),
    h("p.note", {}, "They may be remembered anew at once; nothing of before comes back."),
    h("div.actions", {}, button("Forget this person …", ask, { tone: "danger" })),
  );
}

function confirmTyped(page, { title, what, phrase, act }) {
  openDialog(title, (close) => {
    const typed = h("input", { type: "text", autocomplete: "off", spellcheck: "false", "data-first": true });
    const failed = h("div");
    const sure = button("Forget for good", null, { tone: "danger", submit: true, disabled: true });
    typed.addEventListener("input", () => {
      sure.disabled = typed.value !== phrase;
    });
    const submit = (event) =>
      attempt(event, failed, async () => {
        if (typed.value !== phrase) return;
        sure.disabled = true;
        try {
          await act();
          close();
        } finally {
          sure.disabled = false;
        }
      });
    return h(
      "form",
      { onsubmit: submit },
      what,
      h("p", {}, "Type ", h("code.phrase", {}, phrase), " to go on."),
      field("Confirmation", typed),
      failed,
      h("div.actions", {}, sure, button("Keep it", close, { tone: "quiet" })),
    );
  });
}

function told(page, outcome, done) {
  const rows = [
    ["Entries of the log", done.entries],
    ["Statements", done.claims],
    ["Facts", done.facts],
    ["Searchable texts", done.texts],
    ["Messages that waited", done.pending],
  ];
  fill(
    outcome,
    heading(2, "What went"),
    table(
      "What was removed",
      [
        ["What", "wide"],
        ["How many", "right"],
      ],
      rows.map(([name, number]) => [name, String(number)]),
    ),
    !done.scrubbed && h("p", {}, "Not overwritten in the files yet: ", written(done.unscrubbed)),
    done.mentions.length > 0 &&
      h(
        "p",
        {},
        `Other episodes still say the value: ${done.mentions.slice(0, 20).join(", ")}. They can be erased one by one in the log.`,
      ),
    done.elsewhere.length > 0 &&
      h(
        "ul",
        {},
        done.elsewhere.map((one) => h("li", {}, written(one))),
      ),
  );
  toast(`Forgotten: ${count(done.facts, "fact")}.`);
  page.reload();
}
