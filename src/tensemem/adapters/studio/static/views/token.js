// Asks for the token where there is none, or where the server does not know it.

import { fill, h } from "../dom.js";
import { button, field } from "../parts/basics.js";
import { knowKey } from "../key.js";
import { put } from "../parts/turns.js";
import { keepToken, token } from "../session.js";
import { told } from "../words.js";

/** Put the question on the page; `then` is called once the server has taken a token. */
export function askForToken(place, then, why = "") {
  const input = h("input", {
    type: "password",
    autocomplete: "off",
    spellcheck: "false",
    required: true,
    name: "token",
  });
  const note = h("p.form-note", { role: "alert" }, why);
  const form = h(
    "form.card.token-form",
    {},
    h("h1", {}, "Open the studio"),
    h("p", {}, "The studio reads a memory through its server, and the server wants to know who asks."),
    field(
      "Token",
      input,
      "It was printed when the server first started, or is what TENSEMEM_TOKEN says there. “tensemem studio” opens this page with one.",
    ),
    note,
    h("div.actions", {}, button("Open", null, { tone: "main", submit: true })),
  );
  const refused = (words) => {
    keepToken("");
    note.textContent = words;
    input.focus();
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    note.textContent = "";
    keepToken(input.value);
    put(form, null, refusal, (words) => (words ? refused(words) : then()), (problem) => refused(problem.message));
  });
  fill(place, form);
  document.title = "Open the studio · tensemem studio";
  input.focus();
}

async function refusal(signal) {
  if (!token()) return "Enter a token.";
  if (!/^[\x21-\x7e]+$/.test(token())) return "A token has letters, digits and signs only, and no spaces.";
  try {
    await knowKey({ isTrial: true, signal });
  } catch (problem) {
    if (problem.status === 401) return "The server does not know this token.";
    return told(problem).join(" ");
  }
  return "";
}
