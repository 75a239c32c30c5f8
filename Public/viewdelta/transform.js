import { canonical } from "./canonical.js";

/**
 * A list that is changed by single operations, such as an array or the children of an element.
 *
 * Each index is an index in the list after all earlier operations, so the list performs the operation
 * at once.
 *
 * @template {{id: any, type?: any}} Element
 * @typedef {object} TransformableList
 * @property {([Element][Element extends any ? 0 : never])[]} elements The elements as they are now; the list itself
 *   may change the array. An empty one says nothing about the type of the elements.
 * @property {(element: Element, at: number) => void} insert
 * @property {(element: Element, at: number) => void} delete
 * @property {(old: Element, at: number, element: Element) => void} update
 * @property {(old: Element, at: number, element: Element) => void} [reload] Shows an element again, which may
 *   also have changed. Without this method it is updated.
 * @property {(element: Element, from: number, to: number) => void} [move] Moves an element; `to` is
 *   its index after it was removed. Without this method it is deleted and inserted.
 */

/** @typedef {{from: number, to: number}} Transition An element by its indexes in the old and the new list. */

/**
 * Turns a list into another one with the fewest operations, one by one: first deletions, then
 * insertions and moves, then updates.
 *
 * Elements belong together if they have the same `id` and, as rows have, the same `type`. If several
 * elements of a list have the same `id`, one of them is kept.
 *
 * ```js
 * const names = {
 *   elements: [],
 *   insert(player, at) { this.elements.splice(at, 0, player); },
 *   delete(player, at) { this.elements.splice(at, 1); },
 *   update(old, at, player) { this.elements[at] = player; },
 * };
 * transform(names, [{ id: 1, name: "Ada" }, { id: 2, name: "Bruno" }]);
 * ```
 *
 * Takes O(*n* + *m* log *m*), where *n* is the number of elements of both lists and *m* that of those
 * between their common start and their common end, and the time of the operations.
 *
 * @template {{id: any, type?: any}} Element
 * @param {TransformableList<Element>} list
 * @param {readonly Element[]} next
 * @param {(left: Element, right: Element) => boolean} [isEqual] Compares elements that belong together.
 *   By default they are compared as JSON.
 * @param {(element: Element) => boolean} [isReloaded] Returns whether an element that is not equal is
 *   reloaded. By default none is.
 */
export function transform(list, next, isEqual = isEqualJSON, isReloaded = () => false) {
  const old = [...list.elements];
  const { start, deletes, inserts, moves, stays, updates } = difference(old, next, isEqual);
  const move = (/** @type {Element} */ element, /** @type {number} */ from, /** @type {number} */ to) => {
    if (list.move) return list.move(element, from, to);
    list.delete(element, from);
    list.insert(element, to);
  };
  for (const at of deletes.reverse()) list.delete(old[at], at);

  // The list has the elements that stay, those that have arrived, and the movers that wait. An element
  // arrives right behind the one that precedes it in the end.
  const movers = new Movers(moves);
  const arrivals = [...inserts.map((to) => ({ from: -1, to })), ...moves]
    .sort((left, right) => left.to - right.to);
  let arrivedCount = 0;
  let precedingStays = 0;
  for (const { from, to } of arrivals) {
    while (precedingStays < stays.length && stays[precedingStays].to < to) precedingStays += 1;
    let departure = -1;
    if (from >= 0) {
      const rank = firstIndex(stays, (stay) => stay.from > from);
      const staysBefore = start + rank;
      const arrivedBefore = Math.min(arrivedCount, (stays[rank]?.to ?? Infinity) - staysBefore);
      movers.depart(from);
      departure = staysBefore + arrivedBefore + movers.countBefore(from);
    }
    const at = to + movers.countBefore(stays[precedingStays - 1]?.from ?? 0);
    if (departure < 0) list.insert(next[to], at);
    else move(old[from], departure, at);
    arrivedCount += 1;
  }
  for (const { from, to } of updates) {
    if (list.reload && isReloaded(next[to])) list.reload(old[from], to, next[to]);
    else list.update(old[from], to, next[to]);
  }
}

/**
 * Finds the fewest operations between two lists, all ascending by their index; those of `moves`,
 * `stays` and `updates` by `to`. `start` is the length of their common start; `stays` has what stays between it
 * and the common end.
 *
 * @template {{id: any, type?: any}} Element
 * @param {readonly Element[]} old
 * @param {readonly Element[]} next
 * @param {(left: Element, right: Element) => boolean} isEqual
 */
function difference(old, next, isEqual) {
  /** @type {number[]} */
  const inserts = [];
  /** @type {Transition[]} */
  const kept = [];
  // Most lists differ only between a common start and a common end, of the same objects.
  let start = 0;
  const shorter = Math.min(old.length, next.length);
  while (start < shorter && old[start] === next[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === next[next.length - 1 - end]) end += 1;

  /** @type {Map<any, number>} */
  const places = new Map();
  for (let from = old.length - end - 1; from >= start; from--) places.set(old[from].id, from);
  /** @type {Set<number>} */
  const deleted = new Set();
  for (let from = start; from < old.length - end; from++) deleted.add(from);
  for (let to = start; to < next.length - end; to++) {
    const from = places.get(next[to].id);
    if (from === undefined || old[from].type !== next[to].type) {
      inserts.push(to);
    } else {
      places.delete(next[to].id);
      deleted.delete(from);
      kept.push({ from, to });
    }
  }
  const updates = kept.filter(({ from, to }) =>
    old[from] !== next[to] && !isEqual(old[from], next[to]));
  const staying = longestIncreasingSubsequence(kept.map(({ from }) => from));
  return {
    start,
    // A set keeps the order in which its members were added.
    deletes: [...deleted],
    inserts,
    moves: kept.filter((_, index) => !staying.has(index)),
    stays: kept.filter((_, index) => staying.has(index)),
    updates,
  };
}

/**
 * Returns the indexes of a longest increasing subsequence of distinct numbers, by patience sorting
 * with predecessor links (Schensted, 1961; Fredman, 1975). Takes O(*n* log *n*).
 *
 * @param {number[]} values
 * @returns {Set<number>}
 */
function longestIncreasingSubsequence(values) {
  // The index of the smallest value that ends an increasing subsequence of each length.
  /** @type {number[]} */
  const ends = [];
  // The first of each subsequence has none.
  const predecessors = values.map((value, index) => {
    const pile = firstIndex(ends, (end) => values[end] >= value);
    ends[pile] = index;
    return ends[pile - 1];
  });
  /** @type {Set<number>} */
  const members = new Set();
  for (let index = ends.at(-1); index !== undefined; index = predecessors[index]) members.add(index);
  return members;
}

/**
 * The elements that wait to be moved, by their old indexes: a binary indexed tree (Fenwick, 1994).
 */
class Movers {
  #old;
  /** @type {number[]} */
  #counts;

  /** @param {Transition[]} moves */
  constructor(moves) {
    this.#old = moves.map(({ from }) => from).sort((left, right) => left - right);
    this.#counts = [0, ...this.#old.map((_, index) => (index + 1) & -(index + 1))];
  }

  /** @param {number} from */
  depart(from) {
    const number = firstIndex(this.#old, (old) => old >= from) + 1;
    for (let index = number; index < this.#counts.length; index += index & -index) {
      this.#counts[index] -= 1;
    }
  }

  /**
   * Returns the number of waiting elements before an old index.
   *
   * @param {number} from
   */
  countBefore(from) {
    let total = 0;
    for (let index = firstIndex(this.#old, (old) => old >= from); index > 0; index -= index & -index) {
      total += this.#counts[index];
    }
    return total;
  }
}

/**
 * Returns the first index whose element fulfils a condition that all elements behind it fulfil, too.
 *
 * @template Element
 * @param {readonly Element[]} list
 * @param {(element: Element) => boolean} condition
 */
function firstIndex(list, condition) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (condition(list[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * @param {any} left
 * @param {any} right
 */
function isEqualJSON(left, right) {
  const [former, now] = [JSON.stringify(left), JSON.stringify(right)];
  // The members may have another order.
  return former === now || canonical(JSON.parse(former)) === canonical(JSON.parse(now));
}
