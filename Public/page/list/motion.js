/**
 * How rows come, go and move: from where they were seen last to where they are now (the FLIP
 * technique, on the Web Animations API). The list itself is always in its final order; only its looks
 * take time. Those who asked for less motion see no row travel, just a change of colour.
 */
import { h } from "../dom.js";

/** @typedef {import("./row-view.js").RowView} RowView */

const duration = 340;
const easing = "cubic-bezier(0.2, 0.8, 0.2, 1)";
/** With more rows than this, measuring all would cost more than the sight is worth. */
const largest = 400;

export class Motion {
  #host;
  #ghosts;
  #preference = matchMedia("(prefers-reduced-motion: reduce)");
  /** @type {Map<RowView, DOMRect>} */
  #before = new Map();

  /** @param {HTMLElement} host The list; ghosts of deleted rows stand beside it. */
  constructor(host) {
    this.#host = host;
    // The one that an earlier list left beside the host, with nothing in it.
    const former = host.nextElementSibling?.matches(".ghosts") ? host.nextElementSibling : null;
    this.#ghosts = /** @type {HTMLElement} */ (former ?? h("div.ghosts", { "aria-hidden": "true" }));
    this.#ghosts.replaceChildren();
  }

  /**
   * Notes where the rows are, in the middle of a motion too.
   *
   * @param {Iterable<RowView>} rows
   */
  begin(rows) {
    this.#before.clear();
    if (this.#preference.matches || document.hidden) return;
    const all = [...rows];
    if (all.length > largest) return;
    for (const row of all) this.#before.set(row, row.element.getBoundingClientRect());
  }

  /**
   * Lets a row that is about to be removed fade where it stood, as a picture without function.
   *
   * @param {RowView} row
   */
  leave(row) {
    const was = this.#before.get(row);
    this.#before.delete(row);
    if (!was || !isSeen(was)) return;
    const frame = this.#host.getBoundingClientRect();
    const ghost = /** @type {HTMLElement} */ (row.element.cloneNode(true));
    ghost.removeAttribute("data-row");
    ghost.inert = true;
    for (const named of ghost.querySelectorAll("[id]")) named.removeAttribute("id");
    Object.assign(ghost.style, {
      left: `${was.left - frame.left}px`, top: `${was.top - frame.top}px`,
      width: `${was.width}px`, height: `${was.height}px`,
    });
    if (!this.#ghosts.isConnected) this.#host.after(this.#ghosts);
    this.#coverHost();
    this.#ghosts.append(ghost);
    const animation = ghost.animate(
      [{ opacity: 1 }, { opacity: 0, transform: "scale(0.97)" }],
      { duration: duration * 0.7, easing: "ease-out", fill: "forwards" });
    animation.finished.finally(() => ghost.remove()).catch(() => {});
  }

  /**
   * Moves the rows from where they were, and lets new ones appear.
   *
   * @param {Iterable<RowView>} rows All that are there now.
   * @param {{inserted: RowView[], moved: RowView[]}} change
   */
  end(rows, { inserted, moved }) {
    if (this.#before.size === 0 && (this.#preference.matches || document.hidden)) return;
    // Without the running motions, and all in one go: each would have the page laid out anew.
    for (const row of this.#before.keys()) cancel(row, "move");
    const places = [...this.#before].map(
      ([row, was]) => /** @type {const} */ ([row, was, row.element.getBoundingClientRect()]));
    const movers = new Set(moved);
    for (const [row, was, is] of places) {
      if (!isSeen(was) && !isSeen(is)) continue;
      const [x, y] = [was.left - is.left, was.top - is.top];
      if (x !== 0 || y !== 0) travel(row, x, y, movers.has(row));
    }
    for (const row of inserted.slice(0, largest)) appear(row);
    this.#before.clear();
  }

  /**
   * Shows that rows changed in place.
   *
   * @param {RowView[]} rows
   */
  highlight(rows) {
    for (const { element } of rows.slice(0, largest)) {
      element.animate([{ opacity: 0.2 }, { opacity: 0 }],
        { duration: 900, easing: "ease-out", pseudoElement: "::after" });
    }
  }

  /** The ghosts lie beside the list, so that its children are sections and nothing else. */
  #coverHost() {
    const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = this.#host;
    Object.assign(this.#ghosts.style, {
      left: `${offsetLeft}px`, top: `${offsetTop}px`,
      width: `${offsetWidth}px`, height: `${offsetHeight}px`,
    });
  }
}

/**
 * @param {RowView} row
 * @param {number} x
 * @param {number} y
 * @param {boolean} isMove Rather than a shift that other rows caused.
 */
function travel({ element }, x, y, isMove) {
  const from = `translate(${x}px, ${y}px)`;
  const raised = { boxShadow: "var(--shadow-high)", zIndex: 1 };
  const frames = isMove
    ? [{ transform: from, ...raised }, { transform: "none", ...raised }]
    : [{ transform: from }, { transform: "none" }];
  const animation = element.animate(frames, { duration: isMove ? duration * 1.4 : duration, easing });
  animation.id = "move";
}

/** @param {RowView} row */
function appear({ element }) {
  const animation = element.animate(
    [{ opacity: 0, transform: "translateY(-0.75rem) scale(0.98)" }, { opacity: 1, transform: "none" }],
    { duration, easing });
  animation.id = "appear";
}

/**
 * @param {RowView} row
 * @param {string} id
 */
function cancel({ element }, id) {
  for (const animation of element.getAnimations()) if (animation.id === id) animation.cancel();
}

/** @param {DOMRect} rect */
function isSeen(rect) {
  return rect.bottom > -200 && rect.top < innerHeight + 200;
}
