// What the key of who looks may do, as the server tells. Nothing is guarded here: it is so that nothing is offered which the
// server would refuse.

import { whoami } from "./api.js";
import { token } from "./session.js";

let known = { token: null, key: null };

/** Ask who the token's key is; once for each token, unless `isAnew`. */
export async function knowKey({ isAnew = false, ...options } = {}) {
  const mine = token();
  if (isAnew || known.token !== mine) known = { token: mine, key: await whoami(options) };
  return known.key;
}

/** Whether the key may call a verb, for somebody it reaches. */
export function may(verb) {
  return known.key !== null && known.key.verbs.includes(verb);
}

/** The users that the key is limited to; null for no limit. */
export function usersOfKey() {
  return known.key?.users ?? null;
}

/** The namespaces that the key is limited to; null for no limit. */
export function namespacesOfKey() {
  return known.key?.namespaces ?? null;
}

/** Whether the key reaches a namespace; undefined stands for the one that is meant where none is named. */
export function reaches(namespace) {
  const limits = namespacesOfKey();
  return limits === null || limits.includes(namespace ?? known.key.namespace);
}

const ROLES = {
  read: "may read, and change nothing",
  write: "may read, state and correct; registering, erasing and forgetting take an administrator’s key",
};

/** Say what the key may not do, in a sentence; "" where it may do everything. */
export function limitsInWords() {
  const { role, users, namespaces } = known.key ?? {};
  const parts = [
    ROLES[role],
    users && `is for ${names(users)} only`,
    namespaces && `is for the ${namespaces.length > 1 ? "namespaces" : "namespace"} ${names(namespaces)} only`,
  ].filter(Boolean);
  return parts.length ? `This key ${parts.join("; it ")}.` : "";
}

const MOST_NAMES = 5;

function names(all) {
  const shown = all.slice(0, MOST_NAMES).map((one) => `“${one}”`);
  const rest = all.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}
