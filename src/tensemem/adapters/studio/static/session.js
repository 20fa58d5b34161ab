// Who looks: the token, which lives in this tab only, and the namespace that is looked at.

const TOKEN = "tensemem-token";
let held = null;

/**
 * Take the token out of the address, where `tensemem studio` puts it, before anything else happens: it must not stay
 * in the history of the browser, nor be seen over somebody's shoulder.
 */
export function takeToken() {
  const found = new URLSearchParams(location.hash.replace(/^#\/?/, ""));
  const token = found.get("token");
  if (token === null) return;
  keepToken(token);
  history.replaceState(null, "", `${location.pathname}${location.search}#/people`);
}

/** Give the token, or "" where there is none. */
export function token() {
  if (held !== null) return held;
  try {
    return sessionStorage.getItem(TOKEN) ?? "";
  } catch {
    return "";
  }
}

/** Keep a token for this tab; "" forgets it. */
export function keepToken(text) {
  held = text.trim();
  try {
    if (held) sessionStorage.setItem(TOKEN, held);
    else sessionStorage.removeItem(TOKEN);
  } catch {
    // Without storage it lives as long as the page does.
  }
}
