// Tells moments to people, and reads theirs. Days are UTC days, as the memory reads a date without a zone.

const DAY = 86_400_000;
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const moment = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});
const month = new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric", timeZone: "UTC" });
const ago = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const STEPS = [
  ["year", 365 * DAY],
  ["month", 30 * DAY],
  ["day", DAY],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** Give a moment as a day, or as precisely as it is known. */
export function onDay(text, precision = "day") {
  const when = parsed(text);
  if (when === null) return "";
  if (Number.isNaN(when.getTime())) return String(text);
  if (["year", "decade"].includes(precision)) return String(when.getUTCFullYear());
  if (["month", "quarter", "season"].includes(precision)) return month.format(when);
  return day.format(when);
}

/** Give a moment with its minute, in UTC. */
export function atMinute(text) {
  const when = parsed(text);
  if (when === null) return "";
  return Number.isNaN(when.getTime()) ? String(text) : `${moment.format(when)} UTC`;
}

/** Give how long ago (or ahead) a moment is, in words. */
export function since(text, now = Date.now()) {
  const when = parsed(text);
  if (when === null || Number.isNaN(when.getTime())) return "";
  const apart = when.getTime() - now;
  const [unit, size] = STEPS.find(([, length]) => Math.abs(apart) >= length) ?? ["minute", 60_000];
  return ago.format(Math.round(apart / size), unit);
}

/** Give a fact's stretch of time in words. */
export function stretch(fact) {
  const from = fact.valid_from === null ? "" : onDay(fact.valid_from, fact.precision);
  const to = fact.valid_to === null ? "" : onDay(fact.valid_to);
  if (from && to) return `${from} – ${to}`;
  if (from) return fact.status === "planned" ? `for ${from}` : `since ${from}`;
  return to ? `until ${to}` : "no date";
}

/** Give the UTC day of a moment as date controls want it, `2026-03-05`; "" for what is none. */
export function isoDay(when) {
  const date = when instanceof Date ? when : parsed(when);
  if (date === null || Number.isNaN(date.getTime())) return "";
  const text = date.toISOString();
  return text.startsWith("+") || text.startsWith("-") ? "" : text.slice(0, 10);
}

/** Count days since 1970 of a day as date controls give it. */
export function dayNumber(iso) {
  return Math.floor(Date.parse(`${iso.slice(0, 10)}T00:00:00Z`) / DAY);
}

/** Give the day of such a number. */
export function dayOf(number) {
  return isoDay(new Date(number * DAY));
}

function parsed(text) {
  if (text === null || text === undefined || text === "") return null;
  return new Date(text);
}
