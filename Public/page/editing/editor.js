/**
 * Edits a screen by hand: a button for each row and section opens a dialog with the edits that the commands of the
 * screen allow. The buttons are shown while the user edits.
 */
import { byId, h, isolated, setAttribute } from "../dom.js";
import { showToast, withdrawOffers } from "../toast.js";
import { nameOf } from "../words.js";

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
  /** @type {import("./edit-dialog.js").EditDialog | null} */
  #dialog = null;
  /** Whether the screen or one of its rows has edits. */
  #hasEdits;
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
    this.#hasEdits = edits.ofScreen().length > 0;
    this.#offer(viewModel.status.state !== "gone");
    const { signal } = this.#closing;
    this.#toggle.addEventListener("click", () => this.#show(this.#bar.hidden), { signal });
    viewModel.addEventListener("change", () => this.#showBar(), { signal });
    viewModel.addEventListener("status", ({ detail: { state } }) => this.#offer(state !== "gone"), { signal });
  }

  /** @param {Row} row */
  canEdit = (row) => {
    const canEdit = this.#edits.ofRow(row, { id: "", rows: [row] }).length > 0;
    this.#hasEdits ||= canEdit;
    if (canEdit) this.#toggle.hidden = false;
    return canEdit;
  };

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
    withdrawOffers();
    this.#offer(false);
  }

  /**
   * Shows the button if the screen can be edited, or ends editing. A button that goes would take the focus with it.
   *
   * @param {boolean} canEdit Whether the view still exists: the server refuses each edit of one that is gone.
   */
  #offer(canEdit) {
    // The focus returns to the button that opened it.
    if (!canEdit) this.#dialog?.close();
    const { activeElement } = document;
    const hasFocus = activeElement === this.#toggle || this.#bar.contains(activeElement)
      || activeElement?.matches(".row-edit") === true;
    if (!canEdit && hasFocus) this.#rows.focus({ preventScroll: true });
    this.#toggle.hidden = !canEdit || !this.#hasEdits;
    if (!canEdit) this.#show(false);
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
   * Opens a dialog with edits.
   *
   * @param {string} title
   * @param {Edit[]} edits
   */
  async #open(title, edits) {
    try {
      // The first rows come sooner without it.
      const { EditDialog } = await import("./edit-dialog.js");
      // The view may have gone meanwhile.
      if (this.#dialog?.isOpen || this.#closing.signal.aborted || this.#viewModel.status.state === "gone") return;
      this.#dialog = new EditDialog(title, edits, this.#send, this.#rows);
    } catch (error) {
      showToast(error);
    }
  }
}
