// One person's memory: the frame around its tabs, read as of two moments, and kept up to date while the log grows.

import { read, TOO_MUCH } from "../api.js";
import { append, fill, h, redraw, settled } from "../dom.js";
import { may, usersOfKey } from "../key.js";
import { badge, empty, freshnessBadge, linkButton, loading, trouble } from "../parts/basics.js";
import { clocks, pastBanner } from "../parts/clocks.js";
import { speak } from "../parts/toast.js";
import { afterwards, giveUp, put } from "../parts/turns.js";
import { glance, registry } from "../registry.js";
import { to } from "../router.js";
import { follow } from "../stream.js";
import { plain, valueText, written } from "../text.js";
import { hindrance } from "../words.js";

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
/** Tabs that show no facts of the state, or read what they show themselves: for them a part of it is enough. */
const BRIEF = new Set(["log", "compare", "context", "reread"]);
const LOOK_AGAIN = 4000;
const AT_FIRST = 30; // attributes
const MOST = 3_000_000; // bytes of a state that are read unasked: those of some thousand facts

/** Whose memory has turned out to hold too much: that is not tried again while the studio is open. */
const large = new Set();

function placeOf({ user, agent, namespace }) {
  return JSON.stringify([user, agent, namespace]);
}

/** The verb that a tab is of no use without. */
const NEEDS = { reread: "reextract", forget: "forget" };

/** The tabs that the key has a use for. */
function tabs() {
  return TABS.filter(([name]) => !NEEDS[name] || may(NEEDS[name]));
}

/** Show a person; gives what changes it when the address does. */
export async function show(place, query, life) {
  const reached = usersOfKey();
  if (reached !== null && !reached.includes(query.user)) {
    fill(place, elsewhere(query));
    return undefined;
  }
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
    isFollowed: false,
    live: "off",
    asked: null, // the moment that was asked for last,
    moment: null, // the one that `state` is of,
    drawn: null, // and the tab that is on the page, with the moment it was drawn for
    isLarge: large.has(placeOf(query)) || null, // whether more is remembered than is read unasked; not known at first,
    isWhole: needsAll(query), // and whether all of it is wanted,
    isBrief: isBrief(query), // or, as long as no tab that shows it was opened, no more than its freshness
  };
  page.readAll = () => {
    page.isWhole = true;
    load(page);
  };
  page.stateOf = (clock, signal) => stateOf(page, clock, signal);
  page.reload = () => load(page, { isQuiet: true, isForced: true });
  fill(place, page.head, page.clock, page.tabs, page.body);
  drawHead(page);
  drawTabs(page);
  watchClock(page);
  fill(page.body, loading());
  lookAgain(page);
  load(page);
  return { update: (next) => update(page, next) };
}

/** The view of somebody whom the key does not reach. */
function elsewhere({ user, namespace }) {
  return [
    h("div.page-head", {}, h("h1", {}, written(user || "(no name)", { most: 120 }))),
    empty(
      "This key is for other people.",
      "What is remembered of this person takes another key.",
      linkButton("Show the people of this key", to("people", { namespace })),
    ),
  ];
}

/** The moment that an address is about: of the world, and of what was known. */
function clockOf(query) {
  return { at: query.at || undefined, known_at: query.known_at || undefined };
}

/** What is read for an address: its moment, one attribute or all, and how much of it. */
function momentOf(query, { isWhole, isBrief }) {
  return JSON.stringify([clockOf(query), query.only || "", isWhole, isBrief]);
}

function isBrief(query) {
  return BRIEF.has(tabOf(query)[0]);
}

/** Whether a tab is about all that waits, of which a part would say nothing. */
function needsAll(query) {
  return tabOf(query)[0] === "review";
}

function load(page, { isQuiet = false, isForced = false } = {}) {
  const { query } = page;
  const moment = momentOf(query, page);
  const etag = isQuiet && !isForced && page.moment === moment ? page.etag : null;
  page.asked = moment;
  return put(
    page.head,
    page.life,
    (signal, soFar) => stateAt(page, query, etag, signal, soFar),
    (answer) => {
      if (answer === null) return;
      const { found, latest } = answer;
      Object.assign(page, { state: found, etag: answer.etag, latest, moment });
      if (!page.isFollowed) followLog(page);
      drawHead(page);
      drawClock(page);
      drawTabs(page);
      const isUpdate = isQuiet && page.drawn === drawnAs(page);
      if (isUpdate) afterwards(page.body, () => drawBody(page, true));
      else drawBody(page, false);
    },
    (problem) => {
      if (isQuiet && problem.mayPass) return; // what is shown stays, a form half filled in too, until it is looked at again
      page.asked = page.drawn = null;
      giveUp(page.body);
      fill(
        page.body,
        trouble(problem, () => load(page)),
      );
    },
  );
}

/**
 * Give the state at the moment of an address, with the newest revision there is; null where it is what `etag` is of. At
 * first what is soon read is shown. Where all of it turns out to be too much to be read unasked, that is all there is.
 */
async function stateAt(page, query, etag, signal, soFar) {
  const asked = { ...page.scope, ...clockOf(query) };
  const isAll = page.isWhole || Boolean(query.only);
  const isEnough = !isAll && (page.isLarge || page.isBrief);
  const isSoon = isEnough || (!isAll && page.isLarge !== false);
  const part = isSoon ? await partOf(asked, isEnough ? etag : null, signal) : undefined;
  if (part === null) return null;
  let answer = part;
  if (!isEnough) {
    if (part && tabOf(query)[0] === "present") soFar({ ...part, latest: part.found.rev });
    const options = { etag, withTag: true, signal, most: isAll ? undefined : MOST };
    const whole = await read("state", { ...asked, predicates: query.only || undefined }, options);
    if (whole === null) return null;
    const isTooMuch = whole.found === TOO_MUCH;
    if (!isAll) page.isLarge = isTooMuch;
    if (isTooMuch) noteLarge(page);
    answer = isTooMuch ? (part ?? (await partOf(asked, null, signal))) : whole;
  }
  if (page.isLarge && !isAll) answer.found.isPart = "too large";
  const latest = query.known_at ? (await glance(page.scope, signal)).rev : 0;
  return { ...answer, latest: Math.max(latest, answer.found.rev) };
}

function noteLarge(page) {
  page.isLarge = true;
  large.add(placeOf(page.query));
}

/** Give the state at another moment than that of the page; `isPart` where all of it is too much to be read unasked. */
async function stateOf(page, clock, signal) {
  const asked = { ...page.scope, ...clock };
  if (page.isWhole) return read("state", asked, { signal });
  if (!page.isLarge) {
    const found = await read("state", asked, { signal, most: MOST });
    if (found !== TOO_MUCH) return found;
    noteLarge(page);
  }
  return (await partOf(asked, null, signal)).found;
}

/** Give of a state what is soon read however much it holds: the person's own attributes that have one value at a time. */
async function partOf(asked, etag, signal) {
  const known = await registry(asked.namespace);
  const names = known.filter((one) => one.cardinality === "one").map((one) => one.name);
  const some = names.length
    ? { ...asked, subject: "user", predicates: names.slice(0, AT_FIRST) }
    : { ...asked, subject: "nobody", predicates: known[0]?.name };
  const answer = await read("state", some, { etag, withTag: true, signal });
  if (answer) answer.found.isPart = "so far";
  return answer;
}

function update(page, query) {
  page.query = query;
  page.isWhole ||= needsAll(query) && page.isLarge === true;
  page.isBrief &&= isBrief(query);
  drawTabs(page);
  if (page.asked !== momentOf(query, page)) load(page);
  else if (page.moment === page.asked) drawBody(page, false); // else it is drawn as soon as that moment is known
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
  const waits = state && !state.isPart ? state.candidates.length + state.planned.length : 0; // of a part it says little
  const known = tabOf(query)[0];
  redraw(
    page.tabs,
    tabs().map(([name, label]) =>
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
  return tabs().find(([name]) => name === query.tab) ?? TABS[0];
}

/** What `page.drawn` is once the tab of the address is on the page, as of the moment that is shown. */
function drawnAs(page) {
  return `${tabOf(page.query)[0]} ${page.moment}`;
}

function drawBody(page, isUpdate) {
  const [name, , open] = tabOf(page.query);
  return put(
    page.body,
    page.life,
    open,
    (module) => {
      const isSame = page.drawn?.startsWith(`${name} `);
      if (isSame && isUpdate && module.refresh) {
        module.refresh(page.body, page);
        return;
      }
      if (isSame && isUpdate && !module.isRedrawn) return; // a form somebody is filling in
      if (!isSame) page.body.replaceChildren();
      page.drawn = drawnAs(page);
      module.draw(page.body, page);
    },
    (problem) =>
      fill(
        page.body,
        trouble(problem, () => drawBody(page, false)),
      ),
  );
}

const reload = (page) => afterwards(page.head, () => load(page, { isQuiet: true }));

/** Look again from time to time: for what is no change, such as a message that waits, and where nothing can be followed. */
function lookAgain(page) {
  const timer = setInterval(() => document.visibilityState === "visible" && reload(page), LOOK_AGAIN);
  page.life.onEnd(() => clearInterval(timer));
}

/** Follow the log from the revision on that is shown; anew where it turns out to be another one. */
function followLog(page) {
  page.isFollowed = true;
  const { life, scope, latest } = page;
  const soon = settled(120, () => reload(page));
  const end = follow(
    "changes",
    { ...scope, after_rev: latest },
    {
      after: latest,
      onEvent: ({ data }) => {
        if (data?.predicate) say(data);
        soon();
      },
      onState: (now) => {
        page.live = now;
        if (page.state) drawHead(page);
      },
      onOther: () => {
        page.isFollowed = false;
        page.reload();
      },
    },
  );
  life.onEnd(end);
}

function say(change) {
  const word = { began: "is now", ended: "is no longer", moved: "holds over other times:" }[change.kind] ?? "changed:";
  speak(`${change.predicate} ${word} ${plain(valueText(change.value))}`);
}
