/**
 * Renders any row by its fields: one of them as the title, the others as pairs. It shows the rows
 * of a screen that has no renderer yet.
 */
import { h, setText } from "../dom.js";
import { isData, membersOf, namingMember, plain, shown, titled } from "../words.js";
import { actionButton, actionOf, moreActionsOf } from "./parts.js";

/** @typedef {import("./renderer.js").Row} Row */

const hidden = ["id", "type"];
/** The members that a screen has for the page. */
const internal = ["action", "moreActions", "depth", "level", "code"];

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
  const main = namingMember(row);
  const buttons = [...(actionOf(row) ? ["action"] : []), ...(moreActionsOf(row).length > 0 ? ["moreActions"] : [])];
  const isShown = (/** @type {string} */ name) => name !== main && !hidden.includes(name)
    && !(isData(row) ? buttons : internal).includes(name);
  return [main, membersOf(row).filter(isShown)];
}
