/** A message about a failed action, shown for a few seconds. The host is a live region. */
import { h } from "./dom.js";
import { titled } from "./screens.js";

document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") document.getElementById("toasts")?.replaceChildren();
});

/** @param {unknown} error A `ProblemError`, or whatever else was thrown. */
export function showToast(error) {
  const { title, text } = described(error);
  const parts = text ? [h("strong", {}, `${title.replace(/\.$/, "")}:`), ` ${text}`] : [h("strong", {}, title)];
  const toast = h("p.toast", { title: /** @type {any} */ (error)?.code }, ...parts);
  document.getElementById("toasts")?.append(toast);
  setTimeout(() => toast.remove(), 6000);
}

/**
 * Converts an error to a title and a text.
 *
 * @param {any} error
 * @returns {{title: string, text: string}}
 */
export function described(error) {
  if (error?.code) {
    const title = memberOf(error.pointer ?? "") ?? error.title ?? error.code;
    return { title, text: error.detail ?? "" };
  }
  return { title: "The server did not answer.", text: "" };
}

/**
 * Returns the title of the member that a JSON pointer names; none if it is the whole body.
 *
 * @param {string} pointer
 */
function memberOf(pointer) {
  const name = pointer.split("/").filter((part) => part !== "" && !/^\d+$/.test(part)).at(-1);
  return name && titled(name);
}
