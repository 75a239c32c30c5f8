/** Parts that the rows of several types share. */
import { h, setAttribute, setText } from "../dom.js";

/** @typedef {import("./renderer.js").Row} Row */

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
      action = row.action;
      setText(element, action?.title);
      setAttribute(element, "aria-label", action && subject ? `${action.title}: ${subject}` : null);
    },
  };
}

/**
 * Creates a circle with initials, in a colour that depends only on the name.
 *
 * @param {string} [style]
 */
export function avatar(style = "") {
  const element = h(`span.avatar${style}`, { "aria-hidden": "true" });
  return {
    element,
    /** @param {string} name */
    show(name) {
      setText(element, initials(name));
      element.hidden = false;
      element.style.setProperty("--hue", String(hue(name)));
    },
  };
}

/**
 * Returns the initials of the first two significant words: "Atlas of the Night Sky" gives AN.
 *
 * @param {string} name
 */
function initials(name) {
  const words = name.split(/[\s._-]+/).filter(Boolean);
  const telling = words.filter((word) => word !== word.toLowerCase());
  return (telling.length > 0 ? telling : words).slice(0, 2)
    .map((word) => [...word][0].toUpperCase()).join("");
}

/** @param {string} name */
function hue(name) {
  let hash = 7;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 360_007;
  return hash % 360;
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
