// Speaks to the server: a verb is a path, its parameters are the verb's, and what goes wrong is a Problem.

import { token } from "./session.js";

/** What went wrong, as the server told it (`kind` is the last part of its type), or as the network did. */
export class Problem extends Error {
  constructor(kind, status, detail, data = {}) {
    super(detail);
    this.kind = kind;
    this.status = status;
    this.data = data;
  }

  /** Whether it may be over soon: nothing was wrong with what was asked. */
  get mayPass() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Says `lost` and `found` when the server can't, and again can, be reached, and `unauthenticated`. */
export const connection = new EventTarget();

const counters = { requests: 0, bytes: 0 };
let isLost = false;

/** How many requests were made, and how many bytes of answers were read: the work of a view. */
export function work() {
  return { ...counters };
}

/**
 * Read: `read("state", {user_id: "u1"})`. With an `etag`, null where nothing has changed. `withTag`: as `found`, with
 * its `etag`. `most`: TOO_MUCH where it has more bytes than that. `isTrial`: a token is being tried, so one that
 * is refused is the caller's business alone.
 */
export async function read(verb, parameters = {}, options = {}) {
  const headers = options.etag ? { "If-None-Match": options.etag } : {};
  const asked = { headers, signal: options.signal, isTrial: options.isTrial };
  const answer = await send(`${path(verb)}${query(parameters)}`, asked);
  if (answer.status === 304) return null;
  const found = options.most ? await upTo(options.most, answer) : await answer.json();
  return options.withTag ? { found, etag: answer.headers.get("ETag") } : found;
}

/** Ask what the key of the token may do. */
export async function whoami({ signal, isTrial } = {}) {
  const answer = await send(new URL("../whoami", import.meta.url).pathname, { signal, isTrial });
  return answer.json();
}

/** What `read` gives in the place of an answer that is longer than was asked for. */
export const TOO_MUCH = Symbol("too much");

async function upTo(most, answer) {
  const reader = answer.body.getReader();
  const parts = [];
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return JSON.parse(await new Blob(parts).text());
    size += value.length;
    parts.push(value);
    if (size > most) {
      reader.cancel();
      return TOO_MUCH;
    }
  }
}

/** Read a drawing: the answer as text. */
export async function readDrawing(verb, parameters, options = {}) {
  const headers = { Accept: "image/svg+xml" };
  const answer = await send(`${path(verb)}${query(parameters)}`, { headers, signal: options.signal });
  return answer.text();
}

/** Write, or ask with a body: `write("set", {…})`. Sent twice by accident it is done once. */
export async function write(verb, parameters = {}, options = {}) {
  const headers = { "Content-Type": "application/json" };
  if (options.once) headers["Idempotency-Key"] = options.once;
  const body = JSON.stringify(stripped(parameters));
  const answer = await send(path(verb), { method: "POST", headers, body, signal: options.signal });
  return answer.status === 204 ? null : answer.json();
}

/** Open a stream of server-sent events; gives the body's reader. */
export async function open(verb, parameters, lastId, signal) {
  const headers = { Accept: "text/event-stream" };
  if (lastId !== null) headers["Last-Event-ID"] = String(lastId);
  const answer = await send(`${path(verb)}${query(parameters)}`, { headers, signal });
  return answer.body.getReader();
}

/** Make a key under which one act is done once, however often it is sent. */
export function onceKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `studio-${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function path(verb) {
  return new URL(`../v1/${verb}`, import.meta.url).pathname; // wherever the server is mounted
}

function stripped(parameters) {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));
}

function query(parameters) {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === null) continue;
    for (const one of [value].flat()) pairs.append(name, String(one));
  }
  const text = pairs.toString();
  return text ? `?${text}` : "";
}

async function send(address, { isTrial = false, ...options }) {
  const headers = { Accept: "application/json", ...options.headers };
  if (token()) headers.Authorization = `Bearer ${token()}`;
  let answer;
  counters.requests += 1;
  try {
    answer = await fetch(address, { ...options, headers, cache: "no-store", credentials: "omit", redirect: "error" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    say("lost");
    throw new Problem("unreachable", 0, "The server does not answer.");
  }
  say("found");
  counters.bytes += Number(answer.headers.get("Content-Length") ?? 0);
  if (answer.ok || answer.status === 304) return answer;
  if (answer.status === 401 && !isTrial) connection.dispatchEvent(new Event("unauthenticated"));
  throw await problemIn(answer);
}

async function problemIn(answer) {
  let told = {};
  try {
    told = await answer.json();
  } catch {
    // Something between here and the server may have answered in its own words.
  }
  const kind =
    String(told.type ?? "")
      .split(":")
      .at(-1) || `status-${answer.status}`;
  const retry = answer.headers.get("Retry-After");
  return new Problem(kind, answer.status, String(told.detail ?? told.title ?? ""), { ...told, retry });
}

function say(what) {
  if ((what === "lost") === isLost) return;
  isLost = what === "lost";
  connection.dispatchEvent(new Event(what));
}
