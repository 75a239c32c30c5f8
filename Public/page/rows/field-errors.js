/** The errors of fields for screen readers and keyboards. */
import { setAttribute } from "../dom.js";

/**
 * Makes each field refer to its error, and removes references to errors that are gone. Without an error before and
 * after a change no element is looked for, which takes long in a long list.
 *
 * @param {HTMLElement} list The rows, as they are after a change.
 * @param {import("../../viewdelta/types.js").Change} change
 */
export function linkErrors(list, { before, after }) {
  if (![before, after].some(hasErrors)) return;
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

/** @param {import("../../viewdelta/types.js").Snapshot | null} snapshot */
const hasErrors = (snapshot) =>
  snapshot?.sections.some(({ rows }) => rows.some(({ type }) => type === "fieldError"));

/**
 * Returns the first field with an error in the list of a row.
 *
 * @param {HTMLElement} row
 * @returns {HTMLElement | null | undefined}
 */
export const firstInvalid = (row) => row.closest(".rows")?.querySelector("[aria-invalid='true']");
