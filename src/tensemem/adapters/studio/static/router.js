// Where in the studio one is: the part of the address behind #, so that every view can be linked to.

/**
 * Read the address: `#/person?user=u1&tab=log` gives `{view: "person", query: {user: "u1", tab: "log"}}`. Names of
 * people stand in the query, since they are exact strings: a slash, a dot or nothing is part of the name.
 */
export function here() {
  const text = location.hash.replace(/^#\/?/, "");
  const at = text.indexOf("?");
  const view = (at < 0 ? text : text.slice(0, at)) || "people";
  return { view, query: Object.fromEntries(new URLSearchParams(at < 0 ? "" : text.slice(at + 1))) };
}

/** Give the address of a view. What is undefined, null or "" is left out. */
export function to(view, query = {}) {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return `#/${view}${text ? `?${text}` : ""}`;
}

/** Go to an address of the studio. */
export function go(address) {
  location.hash = address.slice(1);
}

/** Change parts of the query of where one is. `quietly`: without a step in the browser's history. */
export function change(parts, { quietly = false } = {}) {
  const { view, query } = here();
  const address = to(view, { ...query, ...parts });
  if (address === location.hash) return;
  if (!quietly) {
    go(address);
    return;
  }
  history.replaceState(null, "", address);
  window.dispatchEvent(new Event("hashchange"));
}
