/**
 * A row: one list item that is filled by the renderer of its type and kept until the row is deleted. The buttons
 * of the actions beside its first one follow what the renderer shows.
 *
 * If the renderer throws, the row is shown by the fallback renderer, or by its id alone, at the same
 * place. The next change of the row is shown by its own renderer again if that can.
 */
import { h, setAttribute } from "../dom.js";
import { fallback } from "../rows/fallback.js";
import { moreButtons } from "../rows/parts.js";
import { kindOf, rendererOf } from "../rows/table.js";
import { isData } from "../words.js";

/** @typedef {import("../../viewdelta/types.js").Row} Row */
/** @typedef {import("../rows/renderer.js").Renderer<any>} Renderer */

/**
 * The last resort, which reads no field but the id.
 *
 * @type {Renderer}
 */
const bare = (host) => (row) => host.replaceChildren(row.id);

export class RowView {
  /** @type {HTMLElement} */
  element;
  id;
  #context;
  #report;
  /**
   * The function of the row's own renderer; `null` while another one shows the row.
   *
   * @type {((row: Row) => void) | null}
   */
  #show = null;
  /**
   * The renderer of the row's type and members.
   *
   * @type {Renderer | undefined}
   */
  #kind;
  /** @type {(row: Row) => void} */
  #showMore = () => {};

  /**
   * @param {Row} row
   * @param {import("../rows/renderer.js").RowContext} context
   * @param {(row: Row, error: unknown) => void} report Called if a renderer has failed.
   */
  constructor(row, context, report) {
    this.id = row.id;
    this.element = h("li");
    this.#context = context;
    this.#report = report;
    this.show(row);
  }

  /** @param {Row} row The same row with other fields. */
  show(row) {
    indent(this.element, row);
    const kind = kindOf(row);
    // A row may become a field, or none.
    const own = kind === this.#kind ? this.#show : null;
    this.#kind = kind;
    if (own === null) {
      const renderer = rendererOf(row);
      this.#build(row, [renderer, fallback, bare], renderer);
      return;
    }
    try {
      own(row);
      this.#showMore(row);
    } catch (error) {
      this.#report(row, error);
      this.#build(row, [fallback, bare]);
    }
  }

  /**
   * Fills a new element by the first renderer that can show the row.
   *
   * @param {Row} row
   * @param {Renderer[]} renderers
   * @param {Renderer} [own] The renderer of the row's type, if it is among them.
   * @returns {void}
   */
  #build(row, [renderer, ...others], own) {
    const element = h("li.row", { "data-row": row.id, "data-type": row.type });
    indent(element, row);
    try {
      const show = renderer(element, this.#context);
      show(row);
      const showMore = moreButtons(element, this.#context);
      showMore(row);
      [this.#show, this.#showMore] = [renderer === own ? show : null, showMore];
    } catch (error) {
      this.#report(row, error);
      this.#build(row, others, own);
      return;
    }
    this.element.replaceWith(element);
    this.element = element;
  }
}

/**
 * Shows, and tells screen readers, how many rows a row is below.
 *
 * @param {HTMLElement} element
 * @param {Row} row
 */
function indent(element, row) {
  const depth = (!isData(row) && (row.depth ?? row.level)) || 0;
  element.style.setProperty("--depth", String(depth));
  setAttribute(element, "aria-level", depth > 0 ? depth + 1 : null);
}
