/**
 * Animates rows that appear, disappear and move, from their last visible position to their new one
 * (the FLIP technique, on the Web Animations API). The list itself is always in its final order;
 * only its appearance is animated. If the user prefers reduced motion, rows only change their
 * colour.
 */
import { h } from "../dom.js";

/** @typedef {import("./row-view.js").RowView} RowView */

const duration = 340;
const easing = "cubic-bezier(0.2, 0.8, 0.2, 1)";
/** The number of rows above which nothing is animated, because measuring all rows would be too slow. */
const largest = 400;

export class Motion {
  #host;
  #ghosts;
  #preference = matchMedia("(prefers-reduced-motion: reduce)");
  /** @type {Map<RowView, DOMRect>} */
  #before = new Map();

  /** @param {HTMLElement} host The list; ghosts of deleted rows are put beside it. */
  constructor(host) {
    this.#host = host;
    // The ghosts that an earlier list left beside the host; they are empty.
    const former = host.nextElementSibling?.matches(".ghosts") ? host.nextElementSibling : null;
    this.#ghosts = /** @type {HTMLElement} */ (former ?? h("div.ghosts", { "aria-hidden": "true" }));
    this.#ghosts.replaceChildren();
  }

  /**
   * Records the positions of the rows, even during an animation.
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
   * Fades out a row that is about to be removed, as a copy without function at its position.
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
   * Lets a row start from the position of another one, which it replaces.
   *
   * @param {RowView} former
   * @param {RowView} row
   */
  replace(former, row) {
    const was = this.#before.get(former);
    this.#before.delete(former);
    if (was) this.#before.set(row, was);
  }

  /**
   * Animates the rows from their recorded positions, and new rows as they appear.
   *
   * @param {Iterable<RowView>} rows All current rows.
   * @param {{inserted: RowView[], moved: RowView[]}} change
   */
  end(rows, { inserted, moved }) {
    if (this.#before.size === 0 && (this.#preference.matches || document.hidden)) return;
    // Running animations are cancelled, and all rows measured at once: otherwise each would cause a
    // layout.
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
   * Highlights rows that changed in place.
   *
   * @param {RowView[]} rows
   */
  highlight(rows) {
    for (const { element } of rows.slice(0, largest)) {
      element.animate([{ opacity: 0.2 }, { opacity: 0 }],
        { duration: 900, easing: "ease-out", pseudoElement: "::after" });
    }
  }

  /** The ghosts are beside the list, so that the list has only sections as children. */
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
 * @param {boolean} isMove Whether the row moved itself, rather than being shifted by others.
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
