/**
 * Keeps the focus while rows come, go and move. If the focused row is gone, the row at its position
 * takes the focus, so that the keyboard user does not start again at the top of the page.
 */

/**
 * @typedef {import("../../viewdelta/types.js").Snapshot} Snapshot
 * @typedef {import("./row-view.js").RowView} RowView
 */

export class FocusKeeper {
  #host;
  /** @type {Element | null} */
  #focused;
  /** @type {string | undefined} */
  #id;
  /** @type {{section: string, index: number} | null} */
  #place = null;

  /**
   * Records the focused element before a change.
   *
   * @param {HTMLElement} host
   * @param {Snapshot | null} before
   * @param {Map<string, RowView>} rows
   */
  constructor(host, before, rows) {
    const active = document.activeElement;
    this.#host = host;
    this.#focused = active && host.contains(active) && active !== host ? active : null;
    this.#id = this.#focused?.closest("[data-row]")?.getAttribute("data-row") ?? undefined;
    for (const section of before?.sections ?? []) {
      if (this.#id === undefined || !rows.has(this.#id)) break;
      const index = section.rows.findIndex(({ id }) => id === this.#id);
      if (index >= 0) this.#place = { section: section.id, index };
    }
  }

  /**
   * Restores the focus after the change.
   *
   * @param {Snapshot} after
   * @param {Map<string, RowView>} rows
   */
  restore(after, rows) {
    const focused = /** @type {HTMLElement | null} */ (this.#focused);
    if (!focused) return;
    if (canFocus(focused)) {
      if (document.activeElement !== focused) focused.focus({ preventScroll: true });
      return;
    }
    // The row is still there, but its button is not; or another row is at its position.
    const row = rows.get(this.#id ?? "") ?? this.#successor(after, rows);
    const target = row?.element ?? this.#host;
    const controls = /** @type {HTMLElement[]} */ ([...target.querySelectorAll("button, input, select, a[href]")]);
    const inner = controls.find(canFocus);
    if (inner && this.#id === row?.id) {
      inner.focus({ preventScroll: true });
    } else {
      if (target !== this.#host) target.tabIndex = -1;
      target.focus({ preventScroll: true });
    }
  }

  /**
   * @param {Snapshot} after
   * @param {Map<string, RowView>} rows
   */
  #successor(after, rows) {
    const { section: id, index } = this.#place ?? { section: "", index: 0 };
    const section = after.sections.find((each) => each.id === id);
    const row = section?.rows[Math.min(index, section.rows.length - 1)];
    return row && rows.get(row.id);
  }
}

/** @param {HTMLElement} element A hidden element keeps the focus until the browser draws. */
const canFocus = (element) => element.getClientRects().length > 0;
