// The registered attributes, asked for once and again after a change: many views name a type or a description.

import { read } from "./api.js";

const kept = new Map();

/** Give the attributes of a namespace, by name. */
export function registry(namespace, { isAnew = false } = {}) {
  if (isAnew || !kept.has(namespace)) {
    const asked = read("predicates", { namespace }).then((found) => found.items);
    asked.catch(() => kept.get(namespace) === asked && kept.delete(namespace)); // or a later question goes with it
    kept.set(namespace, asked);
  }
  return kept.get(namespace);
}

/**
 * Give the revision and the freshness of somebody's memory, by reading a slot that nobody has: that costs nothing,
 * however much is remembered.
 */
export async function glance(scope, signal) {
  const [first] = await registry(scope.namespace);
  return read("state", { ...scope, subject: "nobody", predicates: first?.name }, { signal });
}

/** Give one attribute; undefined where it is not registered. */
export async function predicateOf(namespace, name) {
  return (await registry(namespace)).find((one) => one.name === name);
}
