// What waits to be read, and what was given up, of everybody: try again, or settle it without learning from it.

import { read, write } from "../api.js";
import { fill, h, redraw } from "../dom.js";
import { may, usersOfKey } from "../key.js";
import { badge, button, empty, loading, table, trouble } from "../parts/basics.js";
import { openDialog } from "../parts/dialog.js";
import { attempt } from "../parts/statement.js";
import { toast, toastProblem } from "../parts/toast.js";
import { afterwards, put } from "../parts/turns.js";
import { glance } from "../registry.js";
import { to } from "../router.js";
import { atMinute, since } from "../times.js";
import { brief, written } from "../text.js";
import { count, hindrance, number } from "../words.js";

const MOST = 200;
const LOOK_AGAIN = 5000;
const STATES = { waiting: ["waiting", "warn"], retrying: ["tried again", "warn"], failed: ["failed", "bad"] };

/** Show the list. */
export async function show(place, query, life) {
  const list = h("div");
  const view = { list, life, query, signature: "", hindrance: "" };
  fill(
    place,
    h("div.page-head", {}, h("h1", {}, "Waiting")),
    h("p", {}, "Messages that no extractor has read yet, and those it could not make anything of."),
    list,
  );
  fill(list, loading());
  draw(view);
  const lookAgain = () => document.visibilityState === "visible" && afterwards(list, () => draw(view, true));
  const timer = setInterval(lookAgain, LOOK_AGAIN);
  life.onEnd(() => clearInterval(timer));
}

function draw(view, isQuiet = false) {
  return put(
    view.list,
    view.life,
    (signal) => jobsAndHindrance(view.query.namespace, signal),
    (found) => {
      const signature = JSON.stringify(found);
      if (signature === view.signature) return;
      view.signature = signature;
      view.hindrance = found.hindrance;
      redraw(
        view.list,
        found.items.length
          ? jobs(view, found.items)
          : empty("Nothing waits.", "Every message has been read. What an extractor fails on appears here."),
      );
    },
    (problem) => {
      if (isQuiet) return;
      view.signature = "";
      fill(
        view.list,
        trouble(problem, () => draw(view)),
      );
    },
  );
}

/** Ask what waits, and what keeps it waiting: an extractor is at work for everybody or for nobody, so one person tells. */
async function jobsAndHindrance(namespace, signal) {
  const items = await jobsOf(namespace, signal);
  const one = items.find((item) => item.state !== "failed");
  if (!one) return { items, hindrance: "" };
  const { freshness } = await glance({ user_id: one.user_id, agent_id: one.agent_id || undefined, namespace }, signal);
  return { items, hindrance: hindrance(freshness) };
}

/** Ask for the messages of everybody, or one by one of those whom the key is limited to. */
async function jobsOf(namespace, signal) {
  const asked = (usersOfKey() ?? [undefined]).map((user) => read("jobs", { user_id: user, namespace }, { signal }));
  return (await Promise.all(asked)).flatMap(({ items }) => items);
}

function jobs(view, items) {
  const failed = items.filter((one) => one.state === "failed").length;
  const sorted = [...items].sort((one, other) => (one.state === "failed" ? 0 : 1) - (other.state === "failed" ? 0 : 1));
  const rows = sorted.slice(0, MOST).map((one) => row(view, one));
  return [
    h(
      "div.row.sums",
      {},
      badge(`${number(items.length - failed)} waiting`, items.length > failed ? "warn" : ""),
      badge(`${number(failed)} failed`, failed ? "bad" : ""),
      failed > 0 && may("retry") && button("Try all again", () => retryAll(view), { key: "retry-all" }),
    ),
    table(
      "Messages that wait or failed",
      [["Person", "wide"], ["Episode", "right"], ["State"], ["Tried", "right"], ["Why"], ["What to do", "acts"]],
      rows,
    ),
    items.length > MOST && h("p.note", {}, `${number(items.length - MOST)} more.`),
  ];
}

function row(view, one) {
  const [label, tone] = STATES[one.state] ?? [one.state, ""];
  const log = to("person", {
    user: one.user_id,
    agent: one.agent_id,
    tab: "log",
    before: one.seq + 1,
    namespace: view.query.namespace,
  });
  const name = `episode ${one.seq} of ${brief(one.user_id, 40)}`;
  const key = `${one.user_id}\0${one.agent_id}\0${one.seq}`;
  return [
    [
      h("a.person-link", { href: log, data: { key } }, written(one.user_id, { most: 60 })),
      one.agent_id && [" for agent ", written(one.agent_id, { most: 40 })],
    ],
    String(one.seq),
    [
      badge(label, tone),
      one.next_try_at && h("span.note", { title: atMinute(one.next_try_at) }, ` ${since(one.next_try_at)}`),
    ],
    String(one.attempts),
    one.error ? written(one.error, { most: 140 }) : one.state !== "failed" && view.hindrance,
    [
      may("retry") &&
        button("Try again", () => retry(view, one), { tone: "quiet", name: `Try ${name} again`, key: `retry ${key}` }),
      may("dismiss") &&
        button("Dismiss", () => openDismiss(view, one), {
          tone: "quiet",
          name: `Dismiss ${name}`,
          key: `dismiss ${key}`,
        }),
    ],
  ];
}

/** Name a message as the verbs take it. */
function placeOf({ query }, { user_id, seq, agent_id }) {
  return { user_id, seq, agent_id: agent_id || undefined, namespace: query.namespace };
}

function retryAll(view) {
  const { namespace } = view.query;
  return retryThese(
    view,
    (usersOfKey() ?? [undefined]).map((user) => ({ user_id: user, namespace })),
  );
}

function retry(view, one) {
  return retryThese(view, [placeOf(view, one)]);
}

async function retryThese(view, asked) {
  try {
    const done = await Promise.all(asked.map((one) => write("retry", one)));
    const sum = done.reduce((all, one) => all + one.value, 0);
    toast(`${count(sum, "message")} put back in the queue.`);
    draw(view);
  } catch (problem) {
    toastProblem(problem);
  }
}

function openDismiss(view, one) {
  openDialog("Dismiss this message?", (close) => {
    const failed = h("div");
    const act = async () => {
      await write("dismiss", placeOf(view, one));
      close();
      toast("Dismissed: it stays in the log, and nothing is learnt from it.");
      draw(view);
    };
    return h(
      "form",
      { onsubmit: (event) => attempt(event, failed, act) },
      h(
        "p",
        {},
        "Episode ",
        String(one.seq),
        " of ",
        written(one.user_id, { most: 80 }),
        " stays in the log. Nothing is learnt from it, and it no longer counts as failed or waiting.",
      ),
      failed,
      h(
        "div.actions",
        {},
        button("Dismiss it", null, { tone: "danger", submit: true }),
        button("Leave it waiting", close, { tone: "quiet" }),
      ),
    );
  });
}
