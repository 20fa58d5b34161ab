// One person's memory: the frame around its tabs, read as of two moments, and kept up to date while the log grows.

import { read } from "../api.js";
import { append, fill, h, redraw, settled } from "../dom.js";
import { badge, freshnessBadge, loading, trouble } from "../parts/basics.js";
import { clocks, pastBanner } from "../parts/clocks.js";
import { speak } from "../parts/toast.js";
import { to } from "../router.js";
import { follow } from "../stream.js";
import { plain, valueText, written } from "../text.js";
import { attribute, hindrance } from "../words.js";

const TABS = [
  ["present", "Present", () => import("./present.js")],
  ["timeline", "Timeline", () => import("./timeline.js")],
  ["review", "Review", () => import("./review.js")],
  ["log", "Log", () => import("./log.js")],
  ["compare", "Compare", () => import("./compare.js")],
  ["context", "Context", () => import("./context.js")],
  ["reread", "Read again", () => import("./reread.js")],
  ["forget", "Forget", () => import("./forget.js")],
];
const LOOK_AGAIN = 4000;

/** Show a person; gives what changes it when the address does. */
export async function show(place, query, life) {
  const page = {
    query,
    life,
    place,
    scope: { user_id: query.user ?? "", agent_id: query.agent || undefined, namespace: query.namespace },
    head: h("div.page-head"),
    clock: h("div"),
    tabs: h("nav.tabs", { "aria-label": "Views of this person" }),
    body: h("div.tab-body"),
    state: null,
    etag: null,
    latest: 0,
    live: "off",
    drawn: "",
  };
  page.reload = () => load(page, { isQuiet: true, isForced: true });
  fill(place, page.head, page.clock, page.tabs, page.body);
  drawHead(page);
  drawTabs(page);
  watchClock(page);
  fill(page.body, loading());
  await load(page);
  keepFresh(page);
  return { update: (next) => update(page, next) };
}

/** What every verb about this person is given. */
function clockOf(query) {
  return { at: query.at || undefined, known_at: query.known_at || undefined };
}

async function load(page, { isQuiet = false, isForced = false } = {}) {
  const query = page.query;
  const etag = isQuiet && !isForced ? page.etag : null;
  try {
    const answer = await read(
      "state",
      { ...page.scope, ...clockOf(query) },
      { etag, withTag: true, signal: page.life.signal },
    );
    if (query !== page.query) return;
    if (answer === null) return;
    page.state = answer.found;
    page.etag = answer.etag;
    page.latest = query.known_at ? await latestOf(page) : answer.found.rev;
    if (query !== page.query) return;
    drawHead(page);
    drawClock(page);
    drawTabs(page);
    await drawBody(page, isQuiet);
  } catch (problem) {
    if (problem.name === "AbortError" || query !== page.query) return;
    if (isQuiet && problem.kind === "unreachable") return;
    fill(
      page.body,
      trouble(problem, () => load(page)),
    );
    page.drawn = "";
  }
}

/** Give the newest revision while an older one is shown: a read of a subject that nobody has, so that it costs nothing. */
async function latestOf(page) {
  const now = await read("state", { ...page.scope, subject: "nobody" }, { signal: page.life.signal });
  return Math.max(now.rev, page.state.rev);
}

function update(page, query) {
  const before = page.query;
  page.query = query;
  const isSameMoment = before.at === query.at && before.known_at === query.known_at;
  drawTabs(page);
  if (isSameMoment && page.state) drawBody(page, false);
  else load(page);
}

function drawHead(page) {
  const { state, scope } = page;
  const fresh = state?.freshness;
  fill(
    page.head,
    h(
      "div",
      {},
      h("p.crumb", {}, h("a", { href: to("people", { namespace: scope.namespace }) }, "People")),
      h("h1", {}, written(scope.user_id || "(no name)", { most: 120 })),
      scope.agent_id && h("p.agent", {}, "as remembered for agent ", written(scope.agent_id)),
    ),
    h(
      "div.head-end",
      {},
      fresh && freshnessBadge(fresh),
      hindrance(fresh) && h("span.note", {}, hindrance(fresh)),
      fresh && badge(`revision ${state.rev}`),
      liveBadge(page),
    ),
  );
}

function liveBadge(page) {
  if (page.live === "live") return badge("live", "good", "Changes appear as they happen.");
  return badge("looking again", "", "Changes appear within some seconds.");
}

/** Draw the clocks anew, but not under the hand of who drags a slider or types a date: then once they let go. */
function drawClock(page) {
  const active = document.activeElement;
  const isTyped = page.clock.contains(active) && active.matches("input[type='date']");
  if (page.clock.dataset.for === clockKey(page)) return;
  if (page.isDragged || isTyped) {
    page.clock.querySelector(".past")?.remove();
    append(page.clock, pastBanner(page));
    return;
  }
  page.clock.dataset.for = clockKey(page);
  redraw(page.clock, clocks(page), pastBanner(page));
}

function watchClock(page) {
  page.clock.addEventListener("pointerdown", (event) => {
    page.isDragged = event.target.matches("input[type='range']");
  });
  const letGo = () => {
    if (!page.isDragged) return;
    page.isDragged = false;
    drawClock(page);
  };
  window.addEventListener("pointerup", letGo, { signal: page.life.signal });
  window.addEventListener("pointercancel", letGo, { signal: page.life.signal });
  page.clock.addEventListener("focusout", () => setTimeout(() => page.state && drawClock(page)));
}

function clockKey(page) {
  return [page.query.at, page.query.known_at, page.latest].join(" ");
}

function drawTabs(page) {
  const { query, state } = page;
  const waits = state ? state.candidates.length + state.planned.length : 0;
  const known = tabOf(query)[0];
  redraw(
    page.tabs,
    TABS.map(([name, label]) =>
      h(
        "a.tab",
        {
          href: to("person", { ...keptIn(query), tab: name }),
          "aria-current": name === known ? "page" : undefined,
          data: { key: `tab-${name}` },
        },
        label,
        name === "review" && waits > 0 && h("span.count", { "aria-label": `${waits} wait` }, String(waits)),
      ),
    ),
  );
}

/** The parts of the address that belong to the person and the moment, not to a tab. */
function keptIn({ user, agent, namespace, at, known_at: known }) {
  return { user, agent, namespace, at, known_at: known };
}

function tabOf(query) {
  return TABS.find(([name]) => name === query.tab) ?? TABS[0];
}

async function drawBody(page, isUpdate) {
  const [name, , load_] = tabOf(page.query);
  const module = await load_();
  if (page.life.signal.aborted || tabOf(page.query)[0] !== name) return;
  const isSame = page.drawn === name;
  if (isSame && isUpdate && module.refresh) {
    module.refresh(page.body, page);
    return;
  }
  if (isSame && isUpdate && !module.isRedrawn) return; // a form somebody is filling in
  if (!isSame) page.body.replaceChildren();
  page.drawn = name;
  await module.draw(page.body, page);
}

function keepFresh(page) {
  const { life, scope } = page;
  const reload = settled(120, () => load(page, { isQuiet: true }));
  const timer = setInterval(() => document.visibilityState === "visible" && load(page, { isQuiet: true }), LOOK_AGAIN);
  const end = follow(
    "changes",
    { ...scope, after_rev: page.latest },
    {
      after: page.latest,
      onEvent: ({ data }) => {
        if (data?.predicate) say(data);
        reload();
      },
      onState: (now) => {
        page.live = now;
        if (page.state) drawHead(page);
      },
    },
  );
  life.onEnd(() => {
    clearInterval(timer);
    end();
  });
}

function say(change) {
  const word = { began: "is now", ended: "is no longer", moved: "holds over other times:" }[change.kind] ?? "changed:";
  speak(`${attribute(change.predicate)} ${word} ${plain(valueText(change.value))}`);
}
