/** The errors of fields for screen readers and keyboards. */
import { setAttribute } from "../dom.js";

/**
 * Makes each field refer to its error, and removes references to errors that are gone.
 *
 * @param {HTMLElement} list The rows, as they are after a change.
 */
export function linkErrors(list) {
  /** @type {Map<Element, string>} */
  const errors = new Map();
  for (const error of list.querySelectorAll(".field-error")) {
    const field = CSS.escape(error.getAttribute("data-field") ?? "");
    const input = list.querySelector(`[data-row="${field}"] :is(input, select)`);
    const text = error.querySelector("[id]");
    if (input && text) errors.set(input, text.id);
  }
  const marked = list.querySelectorAll("[aria-invalid]");
  for (const input of new Set([...marked, ...errors.keys()])) {
    setAttribute(input, "aria-describedby", errors.get(input));
    setAttribute(input, "aria-invalid", errors.has(input) ? "true" : null);
  }
}

/**
 * Returns the first field with an error in the list of a row.
 *
 * @param {HTMLElement} row
 * @returns {HTMLElement | null | undefined}
 */
export const firstInvalid = (row) => row.closest(".rows")?.querySelector("[aria-invalid='true']");
