// People: whose memories there are, a page at a time, with how fresh each is. A million of them cost one page.

import { read } from "../api.js";
import { fill, h, redraw, settled } from "../dom.js";
import { may, namespacesOfKey, usersOfKey } from "../key.js";
import { badge, button, empty, field, freshnessBadge, linkButton, loading, select, table, trouble } from "../parts/basics.js";
import { afterwards, put } from "../parts/turns.js";
import { glance } from "../registry.js";
import { change, go, here, to } from "../router.js";
import { brief, plain, written } from "../text.js";
import { count, number } from "../words.js";

const PAGE = 50;
const LOOK_AGAIN = 5000;

/** Show the list; gives what changes it when the address does. */
export async function show(place, query, life) {
  const list = h("div");
  const sums = h("div.sums", { "aria-live": "off" });
  const search = h("input", {
    type: "search",
    value: query.prefix ?? "",
    autocomplete: "off",
    spellcheck: "false",
    name: "prefix",
    data: { key: "search" },
  });
  const state = { query, list, life, before: [], signature: "" };
  search.addEventListener(
    "input",
    settled(200, () => change({ prefix: search.value, after: "" }, { quietly: true })),
  );
  fill(
    place,
    h("div.page-head", {}, h("h1", {}, "People"), sums),
    h(
      "form.search",
      { role: "search", onsubmit: (event) => event.preventDefault() },
      field("Find by the beginning of a name", search),
    ),
    list,
    usersOfKey() && agentForm(query),
    namespaceForm(query),
  );
  fill(list, loading("Loading people"));
  const drawn = draw(state);
  if (may("stats")) drawn.then(() => tellSums(sums, query.namespace, life)); // sums over everybody may take longer than a page of them
  const lookAgain = () => document.visibilityState === "visible" && afterwards(list, () => draw(state, true));
  const timer = setInterval(lookAgain, LOOK_AGAIN);
  life.onEnd(() => clearInterval(timer));
  return {
    update(next) {
      state.query = next;
      if (document.activeElement !== search) search.value = next.prefix ?? "";
      draw(state);
    },
  };
}

/** For a key that is limited to some people: which agents remember something of their own is in no list it may see. */
function agentForm(query) {
  const user = select(usersOfKey().map((one) => [one, brief(one)]), usersOfKey()[0]);
  const agent = h("input", { type: "text", autocomplete: "off", spellcheck: "false", required: true });
  const submit = (event) => {
    event.preventDefault();
    go(to("person", { user: user.value, agent: agent.value, namespace: query.namespace }));
  };
  return h(
    "details",
    {},
    h("summary", {}, "As one agent remembers them"),
    h(
      "form.search",
      { onsubmit: submit },
      field("Person", user),
      field("Agent", agent, "Its name, exactly as it is remembered."),
      h("div.actions", {}, button("Open", null, { submit: true })),
    ),
  );
}

/** Whose people: a memory may be of several tenants, and a key may be of one that the server's own is not. */
function namespaceForm(query) {
  const limits = namespacesOfKey();
  if (limits?.length === 1) return null;
  const name = limits
    ? select(limits.map((one) => [one, brief(one)]), query.namespace ?? limits[0], { data: { key: "namespace" } })
    : h("input", {
        type: "text",
        value: query.namespace ?? "",
        autocomplete: "off",
        spellcheck: "false",
        data: { key: "namespace" },
      });
  const submit = (event) => {
    event.preventDefault();
    go(to("people", { namespace: name.value }));
  };
  return h(
    "details",
    { open: Boolean(query.namespace) },
    h("summary", {}, query.namespace ? `Namespace: ${plain(query.namespace)}` : "Another namespace"),
    h(
      "form.search",
      { onsubmit: submit },
      field("Namespace", name, limits ? "" : "Left out: the server’s own."),
      h("div.actions", {}, button("Show its people", null, { submit: true, key: "show-namespace" })),
    ),
  );
}

function draw(state, isQuiet = false) {
  const { query, list, life } = state;
  const { prefix, after, namespace } = query;
  const asked = { prefix: prefix || undefined, after: after || undefined, limit: PAGE, namespace };
  return put(
    list,
    life,
    (signal) => (usersOfKey() ? scopesOfKey(asked, signal) : read("scopes", asked, { signal })),
    (found) => {
      const signature = JSON.stringify([query, found]);
      if (signature === state.signature) return;
      state.signature = signature;
      redraw(list, found.items.length ? people(found, query) : nobody(query));
    },
    (problem) => {
      if (isQuiet) return;
      state.signature = "";
      fill(
        list,
        trouble(problem, () => draw(state)),
      );
    },
  );
}

/** Give what `scopes` would of the people whom the key is limited to: it may ask for each of them, and not for a list. */
async function scopesOfKey({ prefix = "", after, namespace }, signal) {
  const names = usersOfKey().filter((one) => one.startsWith(prefix)).sort();
  const from = after === undefined ? 0 : names.findIndex((one) => one > after);
  const page = from < 0 ? [] : names.slice(from, from + PAGE);
  const states = await Promise.all(page.map((one) => glance({ user_id: one, namespace }, signal)));
  const items = states.map(({ rev, freshness: { latest_seq: latest, pending, failed } }, at) => ({
    user_id: page[at], agent_id: "", rev, latest_seq: latest, pending, failed,
  }));
  return { items, next: page.length === PAGE && page.at(-1) !== names.at(-1) ? page.at(-1) : null };
}

function people(found, query) {
  const rows = found.items.map((scope) => [
    who(scope, query),
    freshness(scope),
    number(scope.latest_seq),
    number(scope.rev),
  ]);
  const columns = [["Person", "wide"], ["Freshness"], ["Episodes", "right"], ["Revision", "right"]];
  const pager = h(
    "nav.pager",
    { "aria-label": "Pages" },
    query.after && linkButton("First page", to("people", { ...query, after: "" }), { key: "first" }),
    found.next && linkButton("Next page", to("people", { ...query, after: found.next }), { tone: "main", key: "next" }),
  );
  return [table("People", columns, rows), pager];
}

function who(scope, query) {
  const address = to("person", { user: scope.user_id, agent: scope.agent_id, namespace: query.namespace });
  const key = `${scope.user_id}\0${scope.agent_id}`;
  return [
    h("a.person-link", { href: address, data: { key } }, written(scope.user_id, { most: 80 })),
    scope.agent_id && h("span.agent", {}, " for agent ", written(scope.agent_id, { most: 60 })),
  ];
}

function freshness(scope) {
  const parts = [];
  if (scope.failed) parts.push(badge(`${number(scope.failed)} failed`, "bad", "Messages that could not be read"));
  if (scope.pending) parts.push(badge(`${number(scope.pending)} waiting`, "warn", "Messages that are not read yet"));
  return parts.length ? parts : freshnessBadge({ pending: 0, failed: 0 });
}

function nobody(query) {
  if (query.prefix) {
    return empty(
      `Nobody’s name begins with “${brief(query.prefix)}”.`,
      "Names are exact: capital letters count.",
      linkButton("Show everybody", to("people", { namespace: query.namespace })),
    );
  }
  return empty(
    "Nobody is remembered yet.",
    "As soon as an agent adds a first message, or a program sets a first value, its person appears here.",
    h("pre.code", {}, "tensemem set alice lives_in Delhi"),
  );
}

function tellSums(place, namespace, life) {
  return put(
    place,
    life,
    (signal) => read("stats", { namespace }, { signal }),
    (stats) => fill(place, sumsOf(stats)),
    () => {}, // the list itself tells what is wrong
  );
}

function sumsOf(stats) {
  const waits = (label, value, tone) =>
    value > 0 &&
    h(
      "a.sum",
      { href: to("waiting", { namespace: here().query.namespace }) },
      badge(`${number(value)} ${label}`, tone),
    );
  return [
    h("span.sum", {}, count(stats.scopes, "memory", "memories")),
    h("span.sum", {}, count(stats.facts, "fact")),
    waits("waiting", stats.pending, "warn"),
    waits("failed", stats.failed, "bad"),
  ];
}
