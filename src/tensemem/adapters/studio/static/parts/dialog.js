// A dialog over the page: the browser's own, so that focus stays inside and Escape closes it.

import { append, freshId, h } from "../dom.js";

/**
 * Open a dialog. `body` is given `close`. Gives the dialog; `closed(result)` of it is called once, when it goes.
 * Focus returns to where it was, or to the same `data-key` where the page was drawn anew meanwhile.
 */
export function openDialog(title, body, options = {}) {
  const before = document.activeElement;
  const key = before?.dataset?.key;
  const id = freshId("dialog");
  const element = h("dialog.dialog", { class: options.wide ? "wide" : "", "aria-labelledby": id });
  const close = () => element.close();
  const closing = h("button.dialog-close", { type: "button", "aria-label": "Close", onclick: close }, "×");
  element.append(h("div.dialog-head", {}, h("h2", { id }, title), closing));
  const inside = h("div.dialog-body");
  element.append(inside);
  append(inside, [body(close, element)]);
  element.addEventListener("click", (event) => {
    if (event.target === element) close();
  });
  element.addEventListener("close", () => {
    element.remove();
    focusAgain(before, key);
    options.closed?.();
  });
  document.body.append(element);
  element.showModal();
  const first = element.querySelector("[data-first]");
  first?.focus();
  return element;
}

function focusAgain(before, key) {
  if (before?.isConnected && before !== document.body) {
    before.focus();
    return;
  }
  const again = key && [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
  (again || document.getElementById("main")).focus();
}

/** Close every dialog that is open: the page goes elsewhere. */
export function closeDialogs() {
  for (const element of document.querySelectorAll("dialog[open]")) element.close();
}
