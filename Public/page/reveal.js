/**
 * Horizontal scrolling. It moves only the list or table that is scrolled, and marks the sides that
 * have more content.
 */
import { setAttribute } from "./dom.js";

/**
 * Scrolls the container of an element horizontally until the whole element is visible.
 *
 * @param {HTMLElement} element
 */
export function reveal(element) {
  const scroller = element.closest("ul, .scroll");
  if (!scroller) return;
  const [inner, outer] = [element.getBoundingClientRect(), scroller.getBoundingClientRect()];
  if (inner.left < outer.left) scroller.scrollLeft -= outer.left - inner.left + margin;
  if (inner.right > outer.right) scroller.scrollLeft += inner.right - outer.right + margin;
}

/** The visible margin beside the element, in pixels: more than the fade at the sides with more content. */
const margin = 44;

/**
 * Marks the sides of an element that have more content than is visible, as long as the element
 * exists.
 *
 * @param {HTMLElement} scroller
 * @returns {() => void} Marks them again after the content has changed.
 */
export function markEdges(scroller) {
  const mark = () => {
    const hidden = scroller.scrollWidth - scroller.clientWidth;
    // From right to left it counts from 0 down.
    const before = Math.abs(scroller.scrollLeft);
    const sides = [before > 1 && "start", hidden - before > 1 && "end"];
    setAttribute(scroller, "data-more", sides.filter(Boolean).join(" ") || null);
  };
  scroller.addEventListener("scroll", mark, { passive: true });
  new ResizeObserver(mark).observe(scroller);
  return mark;
}
