import { DivergenceError } from "./divergence-error.js";

/**
 * Computes the new order of a list after elements were removed and others inserted.
 *
 * Removals refer to old positions, insertions to new ones.
 *
 * @template Element
 */
export class SequencePlan {
  /** @type {Set<number>} */
  #removals = new Set();
  /** @type {{position: number, element: Element}[]} */
  #arrivals = [];

  /**
   * Removes the element at an old position.
   *
   * @param {number} position
   */
  remove(position) {
    if (this.#removals.has(position)) {
      throw inapplicable(`position ${position} is deleted or moved twice`);
    }
    this.#removals.add(position);
  }

  /**
   * Inserts an element at a new position.
   *
   * @param {Element} element
   * @param {number} position
   */
  place(element, position) {
    this.#arrivals.push({ position, element });
  }

  /**
   * Returns the list after the batch: each inserted element at its position, the others around them
   * in their order. Takes O(*n* + *a* log *a*), where *n* is the number of elements and *a* that of
   * insertions.
   *
   * @param {readonly Element[]} old
   * @returns {Element[]}
   */
  result(old) {
    const arrivals = this.#arrivals.sort((left, right) => left.position - right.position);
    /** @type {Element[]} */
    const result = [];
    let next = 0;
    const arrive = () => {
      while (next < arrivals.length && arrivals[next].position === result.length) {
        result.push(arrivals[next++].element);
      }
    };
    old.forEach((element, position) => {
      if (this.#removals.has(position)) return;
      arrive();
      result.push(element);
    });
    arrive();
    // An insertion is left over if two have the same position, or if one is beyond the end.
    if (next < arrivals.length) {
      throw inapplicable(`no element can be inserted at position ${arrivals[next].position}`);
    }
    return result;
  }
}

/** @param {string} message */
export function inapplicable(message) {
  return new DivergenceError("inapplicable", message);
}
