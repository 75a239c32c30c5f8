/** A dialog with the edits of a row, a section or the screen. It is closed when one of them was made. */
import { byId, h, uniqueId } from "../dom.js";
import { showToast } from "../toast.js";
import { argumentForm } from "./argument-form.js";

/** @typedef {import("./edit.js").Edit} Edit */

export class EditDialog {
  #element;
  #send;

  /**
   * Opens a dialog.
   *
   * @param {string} title
   * @param {Edit[]} edits
   * @param {import("../rows/renderer.js").RowContext["send"]} send
   * @param {HTMLElement} rows Gets the focus after the dialog if the row that had it and all its neighbours are gone.
   */
  constructor(title, edits, send, rows) {
    this.#send = send;
    const id = uniqueId("dialog");
    const heading = h("h2", { id, dir: "auto", tabindex: "-1", autofocus: true }, title);
    const forms = edits.filter(({ fields }) => fields.length > 0);
    const plain = edits.filter(({ fields }) => fields.length === 0);
    const dialog = /** @type {HTMLDialogElement} */ (h("dialog.editor", { "aria-labelledby": id },
      heading,
      ...forms.map((edit, index) => forms.length === 1 ? this.#form(edit)
        : h("details", { open: index === 0, name: id }, h("summary", {}, edit.title), this.#form(edit))),
      h("div.buttons", {}, ...plain.map((edit) => {
        const button = h("button", { type: "button", click: () => this.#make(edit, {}, button) }, edit.title);
        return button;
      }), h("button.quiet", { type: "button", click: () => dialog.close() }, "Close"))));
    const opener = document.activeElement;
    const row = opener?.closest("[data-row]");
    const neighbours = /** @type {HTMLElement[]} */ ([...row?.parentElement?.children ?? []]);
    const place = neighbours.findIndex((each) => each === row);
    dialog.addEventListener("close", () => {
      // What is outside of an open dialog can neither be pressed nor heard.
      document.body.append(byId("toasts"));
      dialog.remove();
      if (opener?.isConnected) return;
      const nearest = [...neighbours.slice(place), ...neighbours.slice(0, place).reverse()];
      // The row may have another element by now.
      const id = CSS.escape(row?.getAttribute("data-row") ?? "");
      const again = /** @type {HTMLElement | null} */ (rows.querySelector(`[data-row="${id}"]`));
      const next = again ?? nearest.find(({ isConnected }) => isConnected) ?? rows;
      next.tabIndex = -1;
      next.focus({ preventScroll: true });
    });
    this.#element = dialog;
    document.body.append(dialog);
    dialog.append(byId("toasts"));
    dialog.showModal();
  }

  get isOpen() {
    return this.#element.open;
  }

  close() {
    this.#element.close();
  }

  /** @param {Edit} edit */
  #form(edit) {
    return argumentForm(edit.fields, edit.title, (values, button) => this.#make(edit, values, button));
  }

  /**
   * @param {Edit} edit
   * @param {{[name: string]: any}} values
   * @param {HTMLElement} button
   */
  async #make(edit, values, button) {
    if (button.ariaBusy === "true") return; // A second press of Enter would add the same once more.
    try {
      if (await this.#send(edit.command(values), button)) this.close();
    } catch (error) {
      showToast(error);
    }
  }
}
