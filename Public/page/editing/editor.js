/**
 * Edits a screen by hand: a button for each row and section opens a dialog with the edits that the commands of the
 * screen allow. The buttons are shown while the user edits.
 */
import { byId, h, isolated, setAttribute, uniqueId } from "../dom.js";
import { nameOf } from "../rows/words.js";
import { showToast, withdrawOffers } from "../toast.js";
import { argumentForm } from "./argument-form.js";

/**
 * @typedef {import("./edit.js").Edit} Edit
 * @typedef {import("../rows/renderer.js").Row} Row
 */

export class Editor {
  #viewModel;
  #edits;
  #send;
  #toggle = byId("edit");
  #bar = byId("edits");
  #rows = byId("rows");
  /** @type {HTMLDialogElement | null} */
  #dialog = null;
  /** The sections of the bar, as JSON. */
  #shown = "";
  #closing = new AbortController();

  /**
   * @param {import("../../viewdelta.js").ViewModel} viewModel
   * @param {import("./edit.js").Edits} edits
   * @param {import("../rows/renderer.js").RowContext["send"]} send
   */
  constructor(viewModel, edits, send) {
    this.#viewModel = viewModel;
    this.#edits = edits;
    this.#send = send;
    this.#toggle.hidden = edits.ofScreen().length === 0;
    const { signal } = this.#closing;
    this.#toggle.addEventListener("click", () => this.#show(this.#bar.hidden), { signal });
    viewModel.addEventListener("change", () => this.#showBar(), { signal });
  }

  /** @param {Row} row */
  canEdit = (row) => this.#edits.ofRow(row, { id: "", rows: [row] }).length > 0;

  /** @param {string} id The id of a row. */
  edit = (id) => {
    for (const section of this.#sections) {
      const row = section.rows.find((each) => each.id === id);
      if (row) this.#open(nameOf(row), this.#edits.ofRow(row, section));
    }
  };

  /** Ends editing. */
  close() {
    this.#closing.abort();
    this.#dialog?.close();
    withdrawOffers();
    this.#toggle.hidden = true;
    this.#show(false);
  }

  get #sections() {
    return this.#viewModel.snapshot?.sections ?? [];
  }

  /** @param {boolean} isEditing */
  #show(isEditing) {
    this.#bar.hidden = !isEditing;
    this.#rows.classList.toggle("editing", isEditing);
    setAttribute(this.#toggle, "aria-pressed", String(isEditing));
    this.#showBar();
  }

  /** Shows a button for each edit of the screen, and one for the edits of each section. */
  #showBar() {
    if (this.#bar.hidden) return;
    const sections = this.#sections;
    const editable = sections.filter((section) => this.#edits.ofSection(section, sections).length > 0);
    const wanted = JSON.stringify(editable.map(({ id, title }) => [id, title]));
    if (wanted === this.#shown) return;
    this.#shown = wanted;
    const focused = this.#bar.contains(document.activeElement) ? document.activeElement?.textContent : null;
    this.#bar.replaceChildren(
      ...this.#edits.ofScreen().map((edit) =>
        h("button", { type: "button", click: () => this.#open(edit.title, [edit]) }, edit.title)),
      ...editable.map(({ id, title }) => h("button.quiet", {
        type: "button", dir: "auto", click: () => this.#openSection(id),
      }, `Section “${isolated(title ?? id)}”`)));
    const buttons = /** @type {HTMLElement[]} */ ([...this.#bar.children]);
    if (focused !== null) (buttons.find(({ textContent }) => textContent === focused) ?? this.#toggle).focus();
  }

  /** @param {string} id */
  #openSection(id) {
    const sections = this.#sections;
    const section = sections.find((each) => each.id === id);
    if (section) this.#open(`Section “${isolated(section.title ?? id)}”`, this.#edits.ofSection(section, sections));
  }

  /**
   * Opens a dialog with edits. It is closed when one of them was made.
   *
   * @param {string} title
   * @param {Edit[]} edits
   */
  #open(title, edits) {
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
    dialog.addEventListener("close", () => {
      // What is outside of an open dialog can neither be pressed nor heard.
      document.body.append(byId("toasts"));
      dialog.remove();
      this.#dialog = null;
      if (!opener?.isConnected) this.#rows.focus({ preventScroll: true });
    });
    this.#dialog = dialog;
    document.body.append(dialog);
    dialog.append(byId("toasts"));
    dialog.showModal();
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
    try {
      if (await this.#send(edit.command(values), button)) this.#dialog?.close();
    } catch (error) {
      showToast(error);
    }
  }
}
