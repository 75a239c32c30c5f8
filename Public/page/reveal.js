/** Scrolling that moves nothing but the one list or table that is scrolled. */

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
