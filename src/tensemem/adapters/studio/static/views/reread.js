// What another reading of the same messages would change, before anything is written; then exactly that, if wanted.

import { write } from "../api.js";
import { fill, h } from "../dom.js";
import { button, empty, field, heading, loading } from "../parts/basics.js";
import { isPast } from "../parts/clocks.js";
import { showDifference } from "../parts/difference.js";
import { attempt } from "../parts/statement.js";
import { toast } from "../parts/toast.js";
import { fillWith } from "../parts/turns.js";
import { count, number } from "../words.js";

/** Draw the tab. */
export function draw(place, page) {
  if (isPast(page)) {
    fill(place, empty("This is about the present.", "Go back to now to read messages again."));
    return;
  }
  const from = h("input", { type: "number", min: 1, step: 1, inputmode: "numeric" });
  const most = h("input", { type: "number", min: 1, step: 1, inputmode: "numeric", value: "50" });
  const outcome = h("div", { "aria-live": "polite" });
  const asked = () => ({
    ...page.scope,
    from_seq: from.value ? Number(from.value) : undefined,
    limit: most.value ? Number(most.value) : undefined,
  });
  const plan = (event) => {
    event.preventDefault();
    fill(outcome, loading("Counting"));
    fillWith(
      outcome,
      page.life,
      (signal) => write("plan_reextract", asked(), { signal }),
      (found) => [
        h(
          "p",
          {},
          `${count(found.messages, "message")} would be read again, in ${count(found.requests, "request")} at most, with ${number(found.tokens)} tokens of text.`,
        ),
        found.messages > 0 && button("Preview the difference", look),
      ],
    );
  };
  const look = () => {
    fill(outcome, loading("The extractor reads the messages again"));
    fillWith(
      outcome,
      page.life,
      (signal) => write("reextract", { ...asked(), dry_run: true }, { signal }),
      (found) => difference(page, found, outcome),
    );
  };
  fill(
    place,
    heading(2, "Read the messages again"),
    h(
      "p",
      {},
      "The server’s extractor is asked about messages that were read before, by another model or another prompt. The old readings stay in the log, and corrections stay in force. Nothing is written before you say so.",
    ),
    h(
      "form",
      { onsubmit: plan, "aria-label": "Which messages" },
      h("div.row", {}, field("From episode", from, "Left out: from the first."), field("At most", most)),
      h(
        "div.actions",
        {},
        button("What would it cost?", null, { submit: true }),
        button("Preview the difference", look, { tone: "main" }),
      ),
    ),
    outcome,
  );
}

function difference(page, found, outcome) {
  const failed = h("div");
  const apply = async () => {
    await write("reextract", { ...page.scope, difference: found, dry_run: false });
    toast(`Written: ${count(found.seqs.length, "message")} read again.`);
    fill(outcome);
    page.reload();
  };
  return [
    h(
      "p",
      {},
      `${count(found.seqs.length, "message")} read.`,
      found.failed_seqs.length > 0 &&
        ` ${count(found.failed_seqs.length, "answer")} could not be used: those messages keep the reading they have.`,
    ),
    found.seqs.length
      ? showDifference(found, "What would change")
      : empty("There was nothing to read again.", "This very extractor has read every settled message already."),
    found.seqs.length > 0 && [
      failed,
      h(
        "div.actions",
        {},
        button("Write this", (event) => attempt(event, failed, apply), { tone: "main" }),
        button("Leave it", () => fill(outcome), { tone: "quiet" }),
      ),
    ],
  ];
}
