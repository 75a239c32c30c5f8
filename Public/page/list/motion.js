/**
 * Animates rows that appear, disappear and move, from their last visible position to their new one
 * (the FLIP technique, on the Web Animations API). The list itself is always in its final order;
 * only its appearance is animated. If the user prefers reduced motion, rows only change their
 * colour.
 */
import { h } from "../dom.js";

const duration = 340;
const easing = "cubic-bezier(0.2, 0.8, 0.2, 1)";
/**
 * The number of rows above which nothing is animated, because measuring all rows would be too slow, and of
 * motions under way above which no others begin.
 */
const largest = 400;

export class Motion {
  #host;
  #ghosts;
  #preference = matchMedia("(prefers-reduced-motion: reduce)");
  /** @type {Map<HTMLElement, DOMRect>} */
  #before = new Map();
  /** The number of motions under way. */
  #underWay = 0;

  /** @param {HTMLElement} host The list; ghosts of deleted rows are put beside it. */
  constructor(host) {
    this.#host = host;
    // The ghosts that an earlier list left beside the host; they are empty.
    const former = host.nextElementSibling?.matches(".ghosts") ? host.nextElementSibling : null;
    this.#ghosts = /** @type {HTMLElement} */ (former ?? h("div.ghosts", { "aria-hidden": "true" }));
    this.#ghosts.replaceChildren();
  }

  /**
   * Records the positions of rows and sections, even during an animation.
   *
   * @param {HTMLElement[]} elements
   */
  begin(elements) {
    this.#before.clear();
    if (this.#preference.matches || document.hidden) return;
    if (elements.length > largest || this.#underWay > largest) return;
    for (const element of elements) this.#before.set(element, element.getBoundingClientRect());
  }

  /**
   * Fades out a row that is about to be removed, as a copy without function at its position.
   *
   * @param {HTMLElement} row
   */
  leave(row) {
    const was = this.#before.get(row);
    if (!was || !isSeen(was)) return;
    const ghost = /** @type {HTMLElement} */ (row.cloneNode(true));
    ghost.removeAttribute("data-row");
    ghost.inert = true;
    // A row may be shown otherwise because of its neighbours, which the copy does not have.
    ghost.classList.toggle("beside", getComputedStyle(row).position === "absolute");
    for (const named of ghost.querySelectorAll("[id]")) named.removeAttribute("id");
    if (!this.#ghosts.isConnected) this.#host.after(this.#ghosts);
    const frame = this.#ghosts.getBoundingClientRect();
    // Distances from both sides, so that the ghost keeps within a window that is resized.
    Object.assign(ghost.style, {
      left: `${was.left - frame.left}px`, right: `${frame.right - was.right}px`,
      top: `${was.top - frame.top}px`, height: `${was.height}px`,
    });
    this.#ghosts.append(ghost);
    const animation = ghost.animate(
      [{ opacity: 1 }, { opacity: 0, transform: "scale(0.97)" }],
      { duration: duration * 0.7, easing: "ease-out", fill: "forwards" });
    animation.finished.finally(() => ghost.remove()).catch(() => {});
  }

  /**
   * Lets an element start from the position of another one, which it replaces.
   *
   * @param {HTMLElement} former
   * @param {HTMLElement} element
   */
  replace(former, element) {
    const was = this.#before.get(former);
    if (was) this.#before.set(element, was);
  }

  /**
   * Animates sections and rows from their recorded positions, and new rows as they appear.
   *
   * @param {{inserted: HTMLElement[], moved: HTMLElement[]}} change
   */
  end({ inserted, moved }) {
    if (this.#before.size === 0 && (this.#preference.matches || document.hidden)) return;
    /** @type {Map<HTMLElement, {x: number, y: number}>} */
    const shifts = new Map();
    // All are measured before the first is animated: otherwise each would cause a layout.
    for (const [element, was] of this.#before) {
      if (!element.isConnected) continue;
      const is = element.getBoundingClientRect();
      // What can be seen of a section that begins elsewhere are its rows, which may stay in place while it grows.
      const isSection = element.matches(".section");
      if (!isSeen(was, isSection) && !isSeen(is, isSection)) continue;
      shifts.set(element, { x: was.left - is.left, y: was.top - is.top });
    }
    const movers = new Set(moved);
    for (const [element, shift] of shifts) {
      // A section takes its rows along.
      const section = element.parentElement?.closest(".section");
      const { x: across, y: down } = shifts.get(/** @type {HTMLElement} */ (section)) ?? { x: 0, y: 0 };
      const [x, y] = [shift.x - across, shift.y - down];
      if (x !== 0 || y !== 0) this.#travel(element, x, y, movers.has(element));
    }
    for (const row of inserted.slice(0, largest)) appear(row);
    this.#before.clear();
  }

  /**
   * Highlights rows that changed in place.
   *
   * @param {HTMLElement[]} rows
   */
  highlight(rows) {
    for (const row of rows.slice(0, largest)) {
      row.animate([{ opacity: 0.2 }, { opacity: 0 }],
        { duration: 900, easing: "ease-out", pseudoElement: "::after" });
    }
  }

  /**
   * @param {HTMLElement} element
   * @param {number} x
   * @param {number} y
   * @param {boolean} isMove Whether the row moved itself, rather than being shifted by others.
   */
  #travel(element, x, y, isMove) {
    const from = `translate(${x}px, ${y}px)`;
    const raised = { boxShadow: "var(--shadow-high)", zIndex: 1 };
    const frames = isMove
      ? [{ transform: from, ...raised }, { transform: "none", ...raised }]
      : [{ transform: from }, { transform: "none" }];
    // The distance is added to what is left of earlier ones, so that the element changes course smoothly.
    const animation = element.animate(
      frames, { duration: isMove ? duration * 1.4 : duration, easing, composite: "add" });
    this.#underWay += 1;
    animation.finished.finally(() => { this.#underWay -= 1; }).catch(() => {});
  }
}

/** @param {HTMLElement} row */
function appear(row) {
  row.animate(
    [{ opacity: 0, transform: "translateY(-0.75rem) scale(0.98)" }, { opacity: 1, transform: "none" }],
    { duration, easing });
}

/**
 * @param {DOMRect} rect
 * @param {boolean} isTop Whether only its top counts.
 */
function isSeen({ top, bottom }, isTop = false) {
  return (isTop ? top : bottom) > -200 && top < innerHeight + 200;
}
