/**
 * Renders any row by its fields: one of them as the title, the others as pairs. It shows the rows
 * of a screen that has no renderer yet.
 */
import { h, setText } from "../dom.js";
import { titled } from "../screens.js";
import { actionButton } from "./parts.js";

/** @typedef {import("./renderer.js").Row} Row */

const naming = ["title", "text", "name", "label"];
const hidden = new Set(["id", "type", "action", "depth", "level", "code"]);

/** @type {import("./renderer.js").Renderer} */
export const fallback = (host, context) => {
  const title = h("h4");
  const list = h("dl.pairs");
  const action = actionButton(context);
  /** @type {Map<string, HTMLElement>} */
  const values = new Map();
  host.append(h("div.body", {}, title, list), action.element);
  return (row) => {
    const [main, rest] = parted(row);
    setText(title, main ? plain(shown(row, main)) : titled(row.type));
    for (const [name, value] of values) {
      if (!rest.includes(name)) {
        value.parentElement?.remove();
        values.delete(name);
      }
    }
    for (const name of rest) {
      const value = values.get(name) ?? h("dd");
      if (!values.has(name)) list.append(h("div", {}, h("dt", {}, titled(name)), value));
      values.set(name, value);
      setText(value, plain(shown(row, name)));
    }
    action.show(row, title.textContent ?? "");
  };
};

/**
 * Returns the field that serves as the title, and the others.
 *
 * @param {Row} row
 * @returns {[string | undefined, string[]]}
 */
function parted(row) {
  const main = naming.find((name) => row[name] !== undefined && row[name] !== "");
  return [main, membersOf(row).filter((name) => name !== main && !hidden.has(name))];
}

/**
 * Returns the names of the members without the texts that are shown in place of others.
 *
 * @param {{[name: string]: any}} object
 */
function membersOf(object) {
  return Object.keys(object)
    .filter((name) => !name.endsWith("Text") || !Object.hasOwn(object, name.slice(0, -"Text".length)));
}

/**
 * Returns the text of the server for a member, such as `dateText` for `date`, or else its value.
 *
 * @param {{[name: string]: any}} object
 * @param {string} name
 */
const shown = (object, name) => object[`${name}Text`] ?? object[name];

/**
 * Converts a value to text.
 *
 * @param {any} value
 * @returns {string}
 */
function plain(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "✓" : "✗";
  if (Array.isArray(value)) return value.map(plain).join(", ");
  if (typeof value !== "object") return String(value);
  if (typeof value.text === "string") return value.isLoading && value.text === "" ? "…" : value.text;
  return membersOf(value).map((name) => `${titled(name)}: ${plain(shown(value, name))}`).join(" · ");
}
