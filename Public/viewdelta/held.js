/** @typedef {import("./types.js").RowWindow} RowWindow */

/**
 * What a client holds of a view model, and the window that it wants next, as requests say it. An answer fits only
 * while this is unchanged.
 *
 * @typedef {object} Held
 * @property {string} [since] The revision; absent if nothing is held.
 * @property {RowWindow} [window] The window through which the revision is held; if nothing is held, the one that is
 *   wanted. Absent for all rows.
 * @property {RowWindow} [next] The window that is wanted, if it is another one.
 */

/** The limits of the server. */
const greatestStart = 2 ** 31 - 1;
const greatestCount = 1000;

/**
 * Returns what is held once an answer was applied: a revision, through the window that was wanted.
 *
 * @param {Held} held
 * @param {string} [since] The revision; absent if nothing is held.
 * @returns {Held}
 */
export function moved({ window, next = window }, since) {
  return { since, window: next };
}

/**
 * @param {Held} left
 * @param {Held} right
 */
export function isSame(left, right) {
  return left.since === right.since && isSameWindow(left.window, right.window) && isSameWindow(left.next, right.next);
}

/**
 * @param {RowWindow} [left]
 * @param {RowWindow | null} [right]
 */
export function isSameWindow(left, right) {
  return left?.start === right?.start && left?.count === right?.count;
}

/**
 * Returns the window alone, without the number of all rows that a document adds to it.
 *
 * @param {RowWindow} window
 * @returns {RowWindow}
 * @throws {RangeError} If the server has no such window.
 */
export function checkedWindow({ start, count }) {
  const isInRange = Number.isInteger(start) && start >= 0 && start <= greatestStart
    && Number.isInteger(count) && count >= 1 && count <= greatestCount;
  if (isInRange) return { start, count };
  throw new RangeError(
    `a window has a start of 0 to ${greatestStart} and a count of 1 to ${greatestCount}, not ${start} and ${count}`);
}

/**
 * Adds parameters to a path.
 *
 * @param {string} path
 * @param {{[name: string]: string | RowWindow | undefined}} parameters
 */
export function withQuery(path, parameters) {
  const query = queryOf(parameters).toString();
  return query === "" ? path : `${path}?${query}`;
}

/** @param {{[name: string]: string | RowWindow | undefined}} parameters */
export function queryOf(parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.append(name, typeof value === "string" ? value : `${value.start},${value.count}`);
  }
  return query;
}
