import { DivergenceError } from "./divergence-error.js";

/**
 * The new order of a list, after elements have been taken away and others put into places.
 *
 * Places of what is taken away are those of the old list, places of what arrives those of the new.
 *
 * @template Element
 */
export class SequencePlan {
  /** @type {Set<number>} */
  #removals = new Set();
  /** @type {{position: number, element: Element}[]} */
  #arrivals = [];

  /**
   * Takes away the element at an old position.
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
   * Puts an element into a new position.
   *
   * @param {Element} element
   * @param {number} position
   */
  place(element, position) {
    this.#arrivals.push({ position, element });
  }

  /**
   * The list after the batch: each arrival at its position, the other elements around them in
   * their order. Takes O(*n* + *a* log *a*) for *n* elements and *a* arrivals.
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
    // An arrival is left over where two want one position, or one lies beyond the end.
    if (next < arrivals.length) {
      throw inapplicable(`nothing can be put into position ${arrivals[next].position}`);
    }
    return result;
  }
}

/** @param {string} message */
export function inapplicable(message) {
  return new DivergenceError("inapplicable", message);
}
