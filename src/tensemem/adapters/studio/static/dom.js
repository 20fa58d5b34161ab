// Makes elements. Text only ever becomes a text node here: nothing in the studio reads text as markup.

const PROPERTIES = new Set([
  "value",
  "checked",
  "disabled",
  "hidden",
  "selected",
  "required",
  "open",
  "readOnly",
  "indeterminate",
]);

/**
 * Make an element: `h("p.note", {id: "x", onclick: f, "aria-label": "…"}, "text", child, [more], null)`.
 * Attributes that are null, undefined or false are left out; true gives an empty one.
 */
export function h(name, attributes, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag || "div");
  if (classes.length) element.classList.add(...classes);
  for (const [key, value] of Object.entries(attributes ?? {})) put(element, key, value);
  append(element, children);
  return element;
}

function put(element, key, value) {
  if (key === "class") {
    if (value) element.classList.add(...value.split(" ").filter(Boolean));
  } else if (key.startsWith("on")) {
    if (value) element.addEventListener(key.slice(2), value);
  } else if (key === "data") {
    Object.assign(element.dataset, value);
  } else if (PROPERTIES.has(key)) {
    element[key] = value ?? (typeof element[key] === "boolean" ? false : "");
  } else if (value !== null && value !== undefined && value !== false) {
    element.setAttribute(key, value === true ? "" : String(value));
  }
}

/** Append children: elements, text, lists of them; what is null or false is left out. */
export function append(element, children) {
  for (const child of [children].flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === true) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

/** Put these children in the place of all there are. */
export function fill(element, ...children) {
  element.replaceChildren();
  return append(element, children);
}

/**
 * Draw part of the page anew, and leave the keyboard where it was: the focused element is found again by its
 * `data-key`, so that an update that arrives from elsewhere does not throw anybody back to the top.
 */
export function redraw(element, ...children) {
  const active = document.activeElement;
  const key = element.contains(active) ? active.dataset.key : undefined;
  const place = window.scrollY;
  fill(element, ...children);
  if (key === undefined) return element;
  const again = [...element.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
  if (again) {
    again.focus({ preventScroll: true });
    window.scrollTo(window.scrollX, place);
  } else {
    document.getElementById("main").focus({ preventScroll: true });
  }
  return element;
}

export const SVG = "http://www.w3.org/2000/svg";

/** Draw a sign of 12 by 12 pixels around its middle; the word beside it says the same. */
export function sign(path) {
  const [picture, line] = ["svg", "path"].map((name) => document.createElementNS(SVG, name));
  picture.setAttribute("class", "sign");
  picture.setAttribute("viewBox", "-6 -6 12 12");
  picture.setAttribute("aria-hidden", "true");
  line.setAttribute("d", path);
  picture.append(line);
  return picture;
}

let last = 0;

/** Give an id that no other element of the page has. */
export function freshId(word) {
  last += 1;
  return `${word}-${last}`;
}

/** Call a function once things have been quiet for some milliseconds. */
export function settled(milliseconds, call) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...given), milliseconds);
  };
}
