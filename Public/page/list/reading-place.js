/**
 * Keeps what a user reads in place while rows above it come, go or change their height. Safari does not do so by itself
 * (CSS Scroll Anchoring), and other browsers do not if the rows are animated when one above them goes.
 */

/** The number of rows that are followed, because the first ones may go. */
const most = 10;

/**
 * How far what is read was left below its place, because browsers scroll by whole pixels, and how far the page was
 * scrolled then. Without it, many changes would move it by as many parts of a pixel.
 */
let rest = { below: 0, at: 0 };

/**
 * Records the place of the first rows that can be seen, before a change.
 *
 * @param {HTMLElement} host The list.
 * @param {Set<string>} moved The ids of rows that the change moves.
 * @returns {() => void} Scrolls the first of these rows that is left back to its place, after the change.
 */
export function readingPlace(host, moved) {
  // At its top a list shows what comes.
  if (scrollY === 0) return () => {};
  const rows = /** @type {HTMLElement[]} */ ([...host.querySelectorAll("[data-row]")]);
  const top = (/** @type {HTMLElement} */ row) => row.getBoundingClientRect().top;
  // By bisection: each that is measured is laid out, if it was not drawn yet.
  let [start, end] = [0, rows.length];
  while (start < end) {
    const middle = (start + end) >> 1;
    if (top(rows[middle]) < 0) start = middle + 1;
    else end = middle;
  }
  const below = rest.at === scrollY ? rest.below : 0;
  const places = rows.slice(start, start + most)
    .filter((row) => !moved.has(`${row.dataset.row}`))
    .map((row) => ({ row, was: top(row) - below }));
  return () => {
    const place = places.find(({ row }) => row.isConnected);
    if (!place) return;
    scrollBy(0, Math.round(top(place.row) - place.was));
    rest = { below: top(place.row) - place.was, at: scrollY };
  };
}
