// The frame: sections, theme, the token, the connection, and which view is on the page.

import { connection } from "./api.js";
import { fill, h } from "./dom.js";
import { knowKey, limitsInWords, namespacesOfKey, reaches } from "./key.js";
import { empty, linkButton, trouble } from "./parts/basics.js";
import { closeDialogs } from "./parts/dialog.js";
import { speak } from "./parts/toast.js";
import { change, here, to } from "./router.js";
import { keepToken, takeToken, token } from "./session.js";
import { plain } from "./text.js";
import { askForToken } from "./views/token.js";

const VIEWS = {
  people: () => import("./views/people.js"),
  person: () => import("./views/person.js"),
  waiting: () => import("./views/waiting.js"),
  registry: () => import("./views/registry.js"),
};
const SECTIONS = [
  ["people", "People"],
  ["waiting", "Waiting"],
  ["registry", "Registry"],
];

const main = document.getElementById("main");
let ending = new AbortController();
let shown = "";

/**
 * What a view is given beside its place and its query: `signal` ends with it, `onEnd(f)` calls f then. A view that
 * returns `update(query)` is told of another query instead of being drawn anew.
 */
function lifeOf(controller) {
  return {
    signal: controller.signal,
    onEnd: (call) => controller.signal.addEventListener("abort", call, { once: true }),
  };
}

let current = null;

async function route() {
  const { view, query } = here();
  closeDialogs();
  if (!token()) {
    end();
    tellLimits("");
    askForToken(main, route);
    return;
  }
  const known = Object.hasOwn(VIEWS, view) ? view : "people";
  const isSame = shown === placeOf(known, query) && current?.update;
  drawSections(known);
  if (isSame) {
    current.update(query);
    return;
  }
  end();
  shown = placeOf(known, query);
  const mine = ending;
  main.setAttribute("aria-busy", "true"); // what is there until the next view is shown is the last one's
  try {
    const [module] = await Promise.all([VIEWS[known](), knowKey()]);
    if (mine.signal.aborted) return;
    tellLimits(limitsInWords());
    if (reaches(query.namespace)) current = (await module.show(main, query, lifeOf(mine))) ?? null;
    else if (query.namespace === undefined) return change({ namespace: namespacesOfKey()[0] }, { quietly: true });
    else fill(main, elsewhere(known));
    if (mine.signal.aborted) return;
    const title = main.querySelector("h1")?.textContent ?? "";
    document.title = title ? `${title} · tensemem studio` : "tensemem studio";
    speak(title);
  } catch (error) {
    if (error.name === "AbortError" || mine.signal.aborted) return;
    fill(main, trouble(error, route));
  } finally {
    if (mine === ending) main.removeAttribute("aria-busy");
  }
}

/** The view of a namespace that the key does not reach. */
function elsewhere(view) {
  const ways = namespacesOfKey().slice(0, 20);
  return [
    h("div.page-head", {}, h("h1", {}, "Another namespace")),
    empty(
      "This key is for other namespaces.",
      "What is in this one takes another key.",
      ways.map((one) => linkButton(`Go to ${plain(one)}`, to(view === "person" ? "people" : view, { namespace: one }))),
    ),
  ];
}

/** Say what the key may not do, on every view: that is why there is no button for it. */
function tellLimits(words) {
  const place = document.getElementById("key-limits");
  place.textContent = plain(words);
  place.hidden = !words;
}

function placeOf(view, query) {
  const { user, agent, namespace } = query;
  return JSON.stringify(view === "person" ? [view, user, agent, namespace] : [view, namespace]);
}

function end() {
  ending.abort();
  ending = new AbortController();
  current = null;
  shown = "";
  main.removeAttribute("aria-busy");
}

function drawSections(view) {
  const { query } = here();
  const isOf = (name) => name === view || (name === "people" && view === "person");
  fill(
    document.getElementById("sections"),
    SECTIONS.map(([name, label]) =>
      h(
        "a.section",
        { href: to(name, { namespace: query.namespace }), "aria-current": isOf(name) ? "page" : undefined },
        label,
      ),
    ),
  );
}

function drawEnd() {
  const root = document.documentElement;
  const isDark = () =>
    (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const label = () => (isDark() ? "Light" : "Dark");
  const theme = h(
    "button.button.quiet",
    { type: "button", "aria-label": `Use ${label().toLowerCase()} colours` },
    label(),
  );
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try {
      localStorage.setItem("tensemem-theme", root.dataset.theme);
    } catch {
      // Then it holds for this page only.
    }
    theme.textContent = label();
    theme.setAttribute("aria-label", `Use ${label().toLowerCase()} colours`);
  });
  const leave = h("button.button.quiet", { type: "button", onclick: signOut }, "Sign out");
  fill(document.getElementById("bar-end"), theme, leave);
}

function signOut() {
  keepToken("");
  location.hash = "#/people";
  route();
}

function watchConnection() {
  const banner = document.getElementById("connection");
  connection.addEventListener("lost", () => {
    banner.textContent =
      "The connection to the server is lost. What you see may be old; the studio tries again by itself.";
    banner.hidden = false;
  });
  connection.addEventListener("found", () => {
    banner.hidden = true;
    banner.textContent = "";
  });
  connection.addEventListener("unauthenticated", () => {
    if (!token()) return;
    keepToken("");
    end();
    tellLimits("");
    closeDialogs();
    askForToken(main, route, "The server does not know this token, or it has expired.");
  });
}

takeToken();
drawEnd();
watchConnection();
document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault(); // what stands behind # is the view, not a place on the page
  main.focus();
  main.scrollIntoView();
});
window.addEventListener("hashchange", () => {
  takeToken();
  route();
});
route();
