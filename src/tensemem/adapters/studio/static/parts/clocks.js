// The two clocks of a memory as two sliders: when it is true, and as of when it was known. Both stand in the address.

import { h, settled } from "../dom.js";
import { change } from "../router.js";
import { dayNumber, dayOf, isoDay, onDay } from "../times.js";
import { button } from "./basics.js";

const DAYS_BACK = 730;
const DAYS_AHEAD = 365;

/** Give the controls; a change goes into the address, and from there to the page. */
export function clocks(page) {
  return h("section.clocks", { "aria-label": "The two clocks" }, validClock(page), knownClock(page));
}

function validClock(page) {
  const { query, state } = page;
  const today = dayNumber(isoDay(new Date()));
  const asked = isoDay(query.at ?? "");
  const [first, last] = bounds(state, today, asked);
  const at = asked ? dayNumber(asked) : today;
  const day = h("input", {
    type: "date",
    value: asked || dayOf(today),
    "aria-label": "True on, as a date",
    data: { key: "at-day" },
  });
  const range = h("input", {
    type: "range",
    min: first,
    max: last,
    step: 1,
    value: at,
    id: "valid-time",
    "aria-valuetext": onDay(dayOf(at)),
    data: { key: "at-range" },
  });
  const put = settled(150, (text) => change({ at: text }, { quietly: true }));
  range.addEventListener("input", () => {
    const text = dayOf(Number(range.value));
    range.setAttribute("aria-valuetext", onDay(text));
    day.value = text;
    put(Number(range.value) === today ? "" : text);
  });
  day.addEventListener("change", () => {
    if (!day.value) return;
    range.value = dayNumber(day.value);
    put(dayNumber(day.value) === today ? "" : day.value);
  });
  const reset = button("Now", () => change({ at: "" }), {
    tone: "quiet",
    disabled: !query.at,
    key: "at-now",
    name: "True now",
  });
  return h(
    "div.clock",
    { class: query.at ? "is-set" : "" },
    h("label", { for: "valid-time" }, "True on"),
    range,
    h("div.clock-end", {}, day, reset),
  );
}

function bounds(state, today, asked) {
  const days = [today];
  for (const fact of [...state.facts.slice(0, 500), ...state.planned, ...state.candidates]) {
    for (const moment of [fact.valid_from, fact.valid_to]) {
      const iso = isoDay(moment ?? "");
      if (iso) days.push(dayNumber(iso));
    }
  }
  if (asked) days.push(dayNumber(asked));
  return [Math.min(today - DAYS_BACK, ...days), Math.max(today + DAYS_AHEAD, ...days)];
}

function knownClock(page) {
  const { query, latest } = page;
  const isRevision = /^\d+$/.test(query.known_at ?? "");
  const at = query.known_at ? Math.min(page.state.rev, latest) : latest;
  const note = h("output.clock-note", {}, noteOf(query, at, latest));
  const range = h("input", {
    type: "range",
    min: 0,
    max: Math.max(latest, 1),
    step: 1,
    value: at,
    id: "known-time",
    disabled: latest === 0,
    "aria-valuetext": `revision ${at} of ${latest}`,
    data: { key: "known-range" },
  });
  const put = settled(150, (text) => change({ known_at: text }, { quietly: true }));
  range.addEventListener("input", () => {
    const rev = Number(range.value);
    note.textContent = noteOf({ known_at: rev === latest ? "" : String(rev) }, rev, latest);
    range.setAttribute("aria-valuetext", `revision ${rev} of ${latest}`);
    put(rev === latest ? "" : String(rev));
  });
  const day = h("input", {
    type: "date",
    value: isRevision ? "" : isoDay(query.known_at ?? ""),
    "aria-label": "As known at the end of a day",
    data: { key: "known-day" },
  });
  day.addEventListener("change", () => put(day.value));
  const reset = button("Latest", () => change({ known_at: "" }), {
    tone: "quiet",
    disabled: !query.known_at,
    key: "known-latest",
    name: "As known now",
  });
  return h(
    "div.clock",
    { class: query.known_at ? "is-set" : "" },
    h("label", { for: "known-time" }, "As known at"),
    range,
    h("div.clock-end", {}, note, day, reset),
  );
}

function noteOf(query, rev, latest) {
  return query.known_at ? `revision ${rev} of ${latest}` : `revision ${latest}, the latest`;
}

/** Give a line that says that this is not the present, with a way back; null where it is. */
export function pastBanner({ query, state }) {
  if (!query.at && !query.known_at) return null;
  const parts = [];
  if (query.at) parts.push(`what was true on ${onDay(query.at)}`);
  if (query.known_at) parts.push(`what was known at revision ${state.rev}`);
  const back = button("Back to now", () => change({ at: "", known_at: "" }), { key: "back-to-now" });
  return h(
    "div.past",
    { role: "note" },
    h("span", {}, `You are looking at ${parts.join(", and at ")}. Nothing can be changed here.`),
    back,
  );
}

/** Whether a page shows another moment than the present. */
export function isPast({ query }) {
  return Boolean(query.at || query.known_at);
}
