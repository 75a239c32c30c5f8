/** Messages about actions, shown for as long as it takes to read them. The host is a live region. */
import { byId, h, isComposing } from "./dom.js";
import { titled } from "./words.js";

document.addEventListener("keydown", (event) => {
  if (isComposing(event)) return;
  const host = byId("toasts");
  // In a dialog the key closes only the dialog, and the offers to undo something stay.
  if (event.key === "Escape" && !host.closest("dialog")) dismiss(host.children);
  // Elsewhere, such as in a switch, the browser has nothing to undo.
  const isWriting = event.target instanceof Element && event.target.matches("input:not([type=checkbox]), textarea");
  const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
  const offer = [...host.querySelectorAll("button")].at(-1);
  if (!isUndo || isWriting || !offer) return;
  event.preventDefault();
  offer.click();
});

// What gets the focus by a key is scrolled above the messages: browsers take it for visible, and `scroll-padding` has no
// effect on that in Safari.
document.addEventListener("focusin", ({ target }) => {
  const host = byId("toasts");
  if (!(target instanceof Element) || host.contains(target) || !target.matches(":focus-visible")) return;
  const { bottom, left, right } = target.getBoundingClientRect();
  const isBeside = (/** @type {DOMRect} */ it) => it.right < left || it.left > right;
  const over = [...host.children].map((toast) => toast.getBoundingClientRect()).find((it) => !isBeside(it));
  if (over && bottom > over.top) scrollBy(0, bottom - over.top);
});

/**
 * The time in which a character is read by those who read slowly, such as letter by letter under a magnifier, in
 * milliseconds.
 */
const readingTime = 100;

/** @param {unknown} error A `ProblemError`, or whatever else was thrown. */
export function showToast(error) {
  const { title, text } = described(error);
  const parts = text ? [h("strong", {}, `${title.replace(/\.$/, "")}:`), ` ${text}`] : [h("strong", {}, title)];
  const toast = h("p.toast", { title: /** @type {any} */ (error)?.code }, ...parts);
  byId("toasts").append(toast);
  setTimeout(() => toast.remove(), 5000 + readingTime * `${toast.textContent}`.length);
}

/** The time in which an action can be undone, in milliseconds. */
const undoTime = 20_000;

/**
 * Says what was done and offers to undo it: by a button, or by Control and Z. The offer stays while it has the focus.
 *
 * @param {string} text
 * @param {() => Promise<unknown>} undo
 */
export function offerUndo(text, undo) {
  const button = h("button", {
    type: "button", "aria-keyshortcuts": "Control+Z Meta+Z", title: "Control + Z",
    click: async () => {
      dismiss([toast]);
      await undo().catch(showToast);
    },
  }, "Undo");
  const toast = h("p.toast.offer", {}, h("span", { dir: "auto" }, text), " ", button);
  byId("toasts").append(toast);
  const end = () => {
    if (toast.contains(document.activeElement)) setTimeout(end, undoTime);
    else toast.remove();
  };
  setTimeout(end, undoTime);
}

/** Takes back all offers to undo something, because another view model is shown. */
export function withdrawOffers() {
  dismiss(byId("toasts").querySelectorAll(".offer"));
}

/**
 * Removes messages. If one of them has the focus, the rows get it.
 *
 * @param {Iterable<Element>} toasts
 */
function dismiss(toasts) {
  const gone = [...toasts];
  const hadFocus = gone.some((toast) => toast.contains(document.activeElement));
  for (const toast of gone) toast.remove();
  if (hadFocus) byId("rows").focus({ preventScroll: true });
}

/**
 * Converts an error to a title and a text.
 *
 * @param {any} error
 * @returns {{title: string, text: string}}
 */
export function described(error) {
  if (typeof error?.code === "string") {
    const title = memberOf(error.pointer ?? "") ?? error.title ?? error.code;
    return { title, text: error.detail ?? "" };
  }
  // What `fetch` throws, and the library for an answer that is late or was lost.
  if (error instanceof TypeError) {
    return { title: "The server did not answer.", text: error.cause ? "It may have executed the command." : "" };
  }
  return { title: String(error?.message || error).replace(/\.?$/, "."), text: "" };
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
