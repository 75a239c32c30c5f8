/**
 * Scrolling sideways. It moves nothing but the one list or table that is scrolled, and it is seen where
 * there is more.
 */
import { setAttribute } from "./dom.js";

/**
 * Scrolls sideways what an element stands in, until all of the element can be seen.
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

/** What is seen beside the element, in pixels. */
const margin = 16;

/**
 * Marks, for as long as an element is there, the sides on which there is more of it than can be seen.
 *
 * @param {HTMLElement} scroller
 */
export function markEdges(scroller) {
  const mark = () => {
    const { scrollLeft, scrollWidth, clientWidth } = scroller;
    const sides = [scrollLeft > 1 && "start", scrollWidth - clientWidth - scrollLeft > 1 && "end"];
    setAttribute(scroller, "data-more", sides.filter(Boolean).join(" ") || null);
  };
  scroller.addEventListener("scroll", mark, { passive: true });
  new ResizeObserver(mark).observe(scroller);
}
