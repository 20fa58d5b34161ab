// Tells what was just done, aloud too, with a way to undo it.

import { h } from "../dom.js";
import { told } from "../words.js";
import { plain } from "../text.js";

const MOST = 3;

/** Say something to who can't see it change. */
export function speak(text) {
  const place = document.getElementById("spoken");
  place.textContent = "";
  requestAnimationFrame(() => {
    place.textContent = plain(text);
  });
}

/** Show what was done; `undo` (a label and what to call) stands beside it. It stays until it is closed or pushed out. */
export function toast(message, options = {}) {
  const place = document.getElementById("toasts");
  const close = () => element.remove();
  const act =
    options.action &&
    h(
      "button.button",
      {
        type: "button",
        onclick: () => {
          close();
          options.action[1]();
        },
      },
      options.action[0],
    );
  const element = h(
    "div.toast",
    { class: options.tone ?? "" },
    h("div.toast-text", {}, message),
    act,
    h("button.toast-close", { type: "button", "aria-label": "Close this message", onclick: close }, "×"),
  );
  place.append(element);
  while (place.children.length > MOST) place.firstElementChild.remove();
  speak(options.spoken ?? element.querySelector(".toast-text").textContent);
  return element;
}

/** Show what went wrong. */
export function toastProblem(problem) {
  const [what, todo] = told(problem);
  return toast([h("strong", {}, what), " ", todo], { tone: "bad" });
}

/** Take all messages away. */
export function clearToasts() {
  document.getElementById("toasts").replaceChildren();
}
