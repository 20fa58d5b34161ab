// Follows a memory as its log grows: server-sent events read through fetch, so that the token goes in a header.

import { open } from "./api.js";

const SOONEST = 1000;
const LATEST = 30_000;

/**
 * Call `onEvent({event, id, data})` for every event, and `onBeat()` for every sign of life. Takes itself up again where
 * it breaks off, from the last id; where the log has not got that far, it is another one: `onOther()` is called, and
 * that was all. Gives a function that ends it.
 */
export function follow(verb, parameters, { after, onEvent, onBeat, onState, onOther }) {
  const ending = new AbortController();
  run({ verb, parameters, last: after, onEvent, onBeat, onState, onOther, ending, pause: SOONEST });
  return () => ending.abort();
}

async function run(link) {
  while (!link.ending.signal.aborted) {
    try {
      const reader = await open(link.verb, link.parameters, link.last, link.ending.signal);
      link.onState?.("live");
      link.pause = SOONEST;
      await readAll(reader, link);
    } catch (error) {
      if (error.name === "AbortError" || [401, 403, 404].includes(error.status)) break;
      if (error.status === 409) {
        link.onState?.("paused");
        link.onOther?.();
        return;
      }
    }
    if (link.ending.signal.aborted) break;
    link.onState?.("paused");
    await quiet(link.pause, link.ending.signal);
    link.pause = Math.min(link.pause * 2, LATEST);
  }
  link.onState?.("off");
}

async function readAll(reader, link) {
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += decoder.decode(value, { stream: true }).replaceAll("\r\n", "\n");
    const blocks = rest.split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) tell(block, link);
  }
}

function tell(block, link) {
  const found = { event: "message", id: null, data: [] };
  let isComment = true;
  for (const line of block.split("\n")) {
    if (line.startsWith(":") || !line) continue;
    isComment = false;
    const at = line.indexOf(":");
    const name = at < 0 ? line : line.slice(0, at);
    const value = at < 0 ? "" : line.slice(at + 1).replace(/^ /, "");
    if (name === "data") found.data.push(value);
    else if (name === "event" || name === "id") found[name] = value;
  }
  if (found.id !== null) link.last = found.id;
  if (isComment) link.onBeat?.();
  else if (found.data.length) link.onEvent({ ...found, data: JSON.parse(found.data.join("\n")) });
}

function quiet(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
