/** Parts that the rows of several types share. */
import { h, icon, setAttribute, setText } from "../dom.js";
import { webURL } from "../pictures.js";
import { nameOf, plain } from "../words.js";

export { avatar } from "./avatar.js";

/** @typedef {import("./renderer.js").Row} Row */

/**
 * Returns the action of a row. An object of a collection may have a member of this name that is none.
 *
 * @param {Row} row
 */
export const actionOf = ({ action }) => isAction(action) ? action : undefined;

/**
 * Returns the actions of a row beside its first one.
 *
 * @param {Row} row
 */
export const moreActionsOf = ({ moreActions }) => Array.isArray(moreActions) ? moreActions.filter(isAction) : [];

/** @param {any} action */
const isAction = (action) => typeof action?.title === "string" && typeof action.command?.type === "string";

/**
 * Creates the button of a row's action. It is visible if the row has one, and sends its command
 * unchanged.
 *
 * @param {import("./renderer.js").RowContext} context
 * @param {string} [style] Classes of the button.
 * @returns {{element: HTMLElement, show: (row: Row, subject?: string) => void}} `subject` names the
 *   object of the action for screen readers, if the buttons of many rows have the same label.
 */
export function actionButton(context, style = "") {
  /** @type {Row["action"]} */
  let action;
  const element = h(`button.row-action${style}`, {
    type: "button",
    click: () => action && context.send(action.command, element),
  });
  return {
    element,
    show(row, subject) {
      action = actionOf(row);
      setText(element, action?.title);
      setAttribute(element, "aria-label", action && subject ? `${action.title}: ${plain(subject)}` : null);
    },
  };
}

/**
 * Shows the buttons of the actions of a row beside its first one. A button stays as long as the row has an action
 * of its title, so that it keeps the focus.
 *
 * @param {HTMLElement} host The element of the row. It gets an element for the buttons with the first of them.
 * @param {import("./renderer.js").RowContext} context
 * @returns {(row: Row) => void} Shows the actions of a row.
 */
export function moreButtons(host, context) {
  /** @type {HTMLElement | undefined} */
  let element;
  /** @type {Map<string, ReturnType<typeof actionButton>>} */
  let buttons = new Map();
  return (row) => {
    const shown = new Map();
    for (const action of moreActionsOf(row)) {
      // Two actions may have one title.
      let key = action.title;
      while (shown.has(key)) key += " ";
      const button = buttons.get(key) ?? actionButton(context, ".quiet");
      button.show({ ...row, action }, nameOf(row));
      shown.set(key, button);
    }
    if (!element && shown.size === 0) return;
    const list = (element ??= host.appendChild(h("span.more-actions")));
    for (const [key, button] of buttons) if (!shown.has(key)) button.element.remove();
    [...shown.values()].forEach((button, at) => {
      if (list.children[at] !== button.element) list.insertBefore(button.element, list.children[at] ?? null);
    });
    buttons = shown;
    list.hidden = shown.size === 0;
  };
}

/**
 * Creates the button that opens the edits of a row. Style sheets show it while the list is edited.
 *
 * @param {import("./renderer.js").RowContext} context
 * @param {string} id The id of the row.
 */
export function editButton(context, id) {
  const element = h("button.quiet.row-edit", {
    type: "button", title: "Edit", click: () => context.edit(id),
  }, icon("edit"));
  return {
    element,
    /** @param {Row} row */
    show(row) {
      setAttribute(element, "aria-label", `Edit ${nameOf(row)}`);
    },
  };
}

/**
 * Creates a text that opens an address in a tab of its own, if it has one.
 *
 * @param {string} name The element: `h4`, `span`.
 */
export function linkedText(name) {
  const link = h("a", { target: "_blank", rel: "noopener noreferrer" });
  const element = h(name);
  return {
    element,
    /**
     * @param {string} text
     * @param {string | undefined} address
     */
    show(text, address) {
      const url = webURL(address);
      setAttribute(link, "href", url?.href);
      if (url && link.parentNode !== element) element.replaceChildren(link);
      if (!url && link.parentNode === element) link.remove();
      setText(url ? link : element, text);
      element.hidden = text === "";
    },
  };
}

/**
 * Creates a text that may still be loading.
 *
 * @param {string} name The element: `h3`, `span`.
 */
export function loadingText(name) {
  const element = h(`${name}.loading-text`);
  return {
    element,
    /** @param {{isLoading: boolean, text: string} | undefined} value */
    show(value) {
      const text = value?.text ?? "";
      setText(element, text);
      element.hidden = text === "" && !value?.isLoading;
      setAttribute(element, "data-loading", value?.isLoading);
      // There is nothing to read yet, such as in a heading.
      setAttribute(element, "aria-hidden", text === "" ? "true" : null);
    },
  };
}

/** Creates a date. */
export function dateLabel() {
  const element = h("time");
  return {
    element,
    /**
     * @param {string | undefined} text The text of the server.
     * @param {string | undefined} date ISO 8601.
     */
    show(text, date) {
      setText(element, text);
      setAttribute(element, "datetime", date);
    },
  };
}
