/** A row: one list item that is filled by the renderer of its type and kept until the row is deleted. */
import { h } from "../dom.js";
import { rendererOf } from "../rows/table.js";

/** @typedef {import("../../viewdelta/types.js").Row} Row */

export class RowView {
  /** @type {HTMLElement} */
  element;
  id;
  #show;

  /**
   * @param {Row} row
   * @param {import("../rows/renderer.js").RowContext} context
   */
  constructor(row, context) {
    this.id = row.id;
    this.element = h("li.row", { "data-row": row.id, "data-type": row.type });
    this.#show = rendererOf(row)(this.element, context);
    this.show(row);
  }

  /** @param {Row} row The same row with other fields. */
  show(row) {
    this.element.style.setProperty("--depth", String(row.depth ?? row.level ?? 0));
    this.#show(row);
  }
}
