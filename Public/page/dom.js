/**
 * Creates elements. Text is always set as text, so that no data of the server becomes markup.
 */
import { plain } from "./words.js";

/**
 * Creates an element.
 *
 * @param {string} name `button`, or with classes `button.primary.wide`.
 * @param {{[attribute: string]: any}} [attributes] Functions listen to the event of their name; `true`
 *   sets an empty attribute; `false`, `null` and `undefined` set none.
 * @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElement}
 */
export function h(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length > 0) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) setAttribute(element, key, value);
  for (const child of children) if (child != null) element.append(child);
  return element;
}

/**
 * Returns an element of the page by its id.
 *
 * @param {string} id
 */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** The number of ids created so far. */
let count = 0;

/**
 * Returns an id that no other element has.
 *
 * @param {string} kind
 */
export function uniqueId(kind) {
  count += 1;
  return `${kind}-${count}`;
}

/**
 * Sets or removes an attribute.
 *
 * @param {Element} element
 * @param {string} name
 * @param {any} value
 */
export function setAttribute(element, name, value) {
  if (typeof value === "function") element.addEventListener(name, value);
  else if (value === false || value == null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value === true ? "" : value)) {
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * Sets the text of an element if it has changed, and hides an element without text. The text has the
 * direction of its first letter, and does not change the direction of what is beside it. Another build of the server
 * may have another value in place of a text.
 *
 * @param {HTMLElement} element
 * @param {string | number | null | undefined} text
 */
export function setText(element, text) {
  const wanted = text == null ? "" : plain(text);
  element.dir = "auto";
  if (element.textContent !== wanted) element.textContent = wanted;
  element.hidden = wanted === "";
}

/**
 * Returns a text that does not change the direction of what is beside it, for places without markup.
 *
 * @param {string} text
 */
export const isolated = (text) => `\u2068${text}\u2069`;

/**
 * Returns the nodes of a text in which code is between backticks.
 *
 * @param {string} text
 */
export const withCode = (text) =>
  text.split("`").map((part, index) => (index % 2 === 1 ? h("code", {}, part) : part));

/**
 * Whether a key is for the input method. Safari ends a composition before the key that ends it, which has this code.
 *
 * @param {KeyboardEvent} event
 */
export const isComposing = (event) => event.isComposing || event.keyCode === 229;

/**
 * Creates an icon: strokes on a grid of 24.
 *
 * @param {keyof typeof paths} name
 * @returns {SVGSVGElement}
 */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", paths[name]);
  svg.append(path);
  return svg;
}

const paths = {
  alert: "M12 8v5m0 3.5v.01M10.4 3.9 2.6 17.4A1.8 1.8 0 0 0 4.2 20h15.6a1.8 1.8 0 0 0 1.6-2.6L13.6 3.9a1.8 1.8 0 0 0-3.2 0Z",
  edit: "M4 20l1-4.5L16.5 4a2 2 0 0 1 3 0l.5.5a2 2 0 0 1 0 3L8.5 19 4 20Z",
  empty: "M3 13h5l1.5 3h5L16 13h5M5.6 5h12.8L21 13v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4Z",
  copy: "M9 9h10v11H9zM15 9V4H5v11h4",
  check: "m5 12.5 4.5 4.5L19 7.5",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v2m0 16v2M2 12h2m16 0h2M5 5l1.4 1.4m11.2 11.2L19 19M19 5l-1.4 1.4M6.4 17.6 5 19",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z",
  system: "M4 5h16v11H4zM9 20h6m-3-4v4",
  chevron: "m9 6 6 6-6 6",
  mic: "M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3ZM5.5 11a6.5 6.5 0 0 0 13 0M12 17.5V21",
};
