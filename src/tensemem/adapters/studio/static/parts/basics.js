// The small pieces every view is made of.

import { freshId, h, sign } from "../dom.js";
import { count, freshnessWords, STATUS, told } from "../words.js";

/** A button. `tone`: "" (plain), "main", "danger", "quiet". */
export function button(label, onclick, options = {}) {
  return h(
    "button.button",
    {
      type: options.submit ? "submit" : "button",
      class: options.tone ?? "",
      onclick,
      disabled: options.disabled ?? false,
      title: options.title,
      "aria-label": options.name,
      "aria-pressed": options.pressed,
      data: options.key ? { key: options.key } : {},
    },
    label,
  );
}

/** A link that looks like a button. */
export function linkButton(label, href, options = {}) {
  return h(
    "a.button",
    { href, class: options.tone ?? "", "aria-label": options.name, data: options.key ? { key: options.key } : {} },
    label,
  );
}

/** A small word in a box. `tone`: "good", "warn", "bad", "plan" or "". */
export function badge(label, tone = "", title = undefined) {
  return h("span.badge", { class: tone, title }, label);
}

/** The badge that tells how far a memory lags. */
export function freshnessBadge(fresh) {
  const [label, tone, all] = freshnessWords(fresh);
  return badge(label, tone, all);
}

/** The sign and word of a fact's status. */
export function statusMark(status) {
  const [path, meaning] = STATUS[status] ?? ["", ""];
  return h("span.status", { class: `is-${status}`, title: meaning }, sign(path), status);
}

/** A labelled control: `control` gets the label's id. `hint` says what it takes. */
export function field(label, control, hint = "") {
  const id = control.id || freshId("field");
  control.id = id;
  const hintId = `${id}-hint`;
  if (hint) control.setAttribute("aria-describedby", hintId);
  return h("div.field", {}, h("label", { for: id }, label), control, hint && h("p.hint", { id: hintId }, hint));
}

/** A choice of several: `options` are pairs of value and label. */
export function select(options, value, attributes = {}) {
  const control = h(
    "select",
    attributes,
    options.map(([one, label]) => h("option", { value: one }, label)),
  );
  control.value = value;
  return control;
}

/** A checkbox with its label. */
export function check(label, checked, attributes = {}) {
  const box = h("input", { type: "checkbox", checked, ...attributes });
  return h("label.check", {}, box, h("span", {}, label));
}

/** What stands where there is nothing, with what to do. */
export function empty(title, ...rest) {
  return h(
    "div.empty",
    {},
    h("p.empty-title", {}, title),
    rest.map((one) => (typeof one === "string" ? h("p", {}, one) : one)),
  );
}

/** What stands where something is being fetched. */
export function loading(what = "Loading") {
  return h("p.loading", { role: "status" }, h("span.spinner", { "aria-hidden": "true" }), `${what} …`);
}

/** A problem in words, with what to do, and a way to try again. */
export function trouble(problem, again) {
  const [what, todo] = told(problem);
  return h(
    "div.trouble",
    { role: "alert" },
    h("p.trouble-what", {}, what),
    todo && h("p", {}, todo),
    again && button("Try again", again),
  );
}

/** A heading of a part of a page, with what belongs to its right. */
export function heading(level, text, ...rest) {
  return h("div.heading", {}, h(`h${level}`, {}, text), rest.length ? h("div.heading-end", {}, rest) : null);
}

/** A table: `columns` are pairs of title and class; `rows` lists of cells. It becomes a list of cards on a phone. */
export function table(caption, columns, rows) {
  const head = h(
    "tr",
    {},
    columns.map(([title, kind]) => h("th", { scope: "col", class: kind ?? "" }, title)),
  );
  const body = rows.map((cells) =>
    h(
      "tr",
      {},
      cells.map((cell, place) => cellOf(columns[place], cell, place)),
    ),
  );
  return h(
    "div.table-frame",
    {},
    h("table", {}, h("caption.visually-hidden", {}, caption), h("thead", {}, head), h("tbody", {}, body)),
  );
}

function cellOf([title, kind], content, place) {
  const cell = h(place === 0 ? "th" : "td", { class: kind ?? "", scope: place === 0 ? "row" : undefined });
  cell.append(h("span.cell-title", { "aria-hidden": "true" }, title), h("span.cell", {}, content));
  return cell;
}

/** A list of what is long, a part at a time: what is not looked at costs nothing. */
export function inParts(items, show, size = 50) {
  const list = h("div.parts");
  let shown = 0;
  const more = button("", () => grow(true), { tone: "quiet" });
  function grow(isAsked) {
    const part = items.slice(shown, shown + size).map(show);
    shown += part.length;
    more.remove();
    list.append(...part);
    if (shown < items.length) {
      more.textContent = `Show ${Math.min(size, items.length - shown)} more of ${count(items.length - shown, "other")}`;
      list.append(more);
    }
    if (isAsked) focusable(part[0])?.focus();
  }
  grow(false);
  return list;
}

function focusable(element) {
  return element?.querySelector("a, button, input, select, textarea");
}
