// Shows what people and models wrote: as text, apart from its surroundings, with what can't be seen made visible.

import { h } from "./dom.js";

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;
const JOINERS = new Set(["\u200c", "\u200d", "\ufe0f"]); // parts of ordinary words and emoji
const LONG = 480;

/** Give text with control and format characters written out, for labels and titles, where no element can stand. */
export function plain(text) {
  return [...String(text)].map((char) => (isHidden(char) ? ` ${nameOf(char)} ` : char)).join("");
}

/** Give text shortened for a label. */
export function brief(text, most = 60) {
  const chars = [...plain(text).trim()];
  return chars.length > most ? `${chars.slice(0, most - 1).join("")}…` : chars.join("");
}

/**
 * Give an element with text that somebody wrote. It can't turn the direction of what stands around it; characters that
 * can't be seen are shown by their number; what is very long is cut, with a way to see all.
 */
export function written(text, options = {}) {
  const chars = [...String(text)];
  const most = options.most ?? LONG;
  const element = h("bdi.written", { class: options.class, dir: "auto" });
  if (chars.length <= most + 20) {
    element.append(...pieces(chars, options.lines));
    return element;
  }
  const more = h("button.link", { type: "button", "aria-expanded": "false" }, `… all ${chars.length} characters`);
  element.append(...pieces(chars.slice(0, most), options.lines), more);
  more.addEventListener("click", () => {
    element.replaceChildren(...pieces(chars, options.lines));
    element.tabIndex = -1;
    element.focus();
  });
  return element;
}

/**
 * Give a message with a quote marked in it. `begin` and `stop` count characters (code points), as the log does; where
 * they don't fit the text, the quote is looked for.
 */
export function quoted(text, quote, begin, stop) {
  const chars = [...String(text)];
  const wanted = [...String(quote ?? "")];
  const span = spanOf(chars, wanted, begin, stop);
  if (span === null) return written(text, { lines: true, most: 4000 });
  const [from, to] = span;
  return h(
    "bdi.written",
    { dir: "auto" },
    around(chars.slice(0, from), "end"),
    h("mark", {}, pieces(chars.slice(from, to), true)),
    around(chars.slice(to), "start"),
  );
}

const AROUND = 1200;

function around(chars, keep) {
  if (chars.length <= AROUND) return pieces(chars, true);
  return keep === "end" ? ["… ", pieces(chars.slice(-AROUND), true)] : [pieces(chars.slice(0, AROUND), true), " …"];
}

function spanOf(chars, wanted, begin, stop) {
  if (!wanted.length) return null;
  const matches = (at) => wanted.every((char, index) => chars[at + index] === char);
  if (Number.isInteger(begin) && stop - begin === wanted.length && matches(begin)) return [begin, stop];
  if (Number.isInteger(begin) && stop > begin && stop <= chars.length) return [begin, stop];
  const at = chars.join("").indexOf(wanted.join(""));
  if (at < 0) return null;
  const from = [...chars.join("").slice(0, at)].length;
  return [from, from + wanted.length];
}

function pieces(chars, lines = false) {
  const found = [];
  let run = "";
  for (const char of chars) {
    if (lines && char === "\n") {
      run += char;
    } else if (isHidden(char)) {
      if (run) found.push(document.createTextNode(run));
      run = "";
      found.push(h("span.hidden-char", { title: "a character that can't be seen" }, nameOf(char)));
    } else {
      run += char;
    }
  }
  if (run) found.push(document.createTextNode(run));
  return found;
}

function isHidden(char) {
  return HIDDEN.test(char) && !JOINERS.has(char);
}

function nameOf(char) {
  return `U+${char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Tell whether somebody could type this text to confirm something. */
export function isTypable(text) {
  const chars = [...text];
  return chars.length > 0 && chars.length <= 60 && text === text.trim() && !chars.some((char) => HIDDEN.test(char));
}

/** Give a value of a fact as text, as its type shows best. */
export function valueText(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "object") return JSON.stringify(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}
