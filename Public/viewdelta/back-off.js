/**
 * How long to wait before the next attempt.
 *
 * "Full jitter": anything from nothing to an upper bound that doubles with each failure, so that
 * the clients of a server that was away do not come back in step. See M. Brooker, "Exponential
 * Backoff And Jitter", https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/.
 *
 * A wait that the server asks for is kept in full, with the jitter of a first failure on top.
 *
 * @param {object} failure
 * @param {number} failure.attempt How many attempts have failed in a row, from 1.
 * @param {number} [failure.atLeast] What the server asks for, in milliseconds.
 * @param {{base: number, cap: number}} bounds In milliseconds.
 * @param {() => number} random From 0 to below 1.
 * @returns {number} Milliseconds.
 */
export function backOff({ attempt, atLeast = 0 }, { base, cap }, random) {
  // Beyond 2^30 the cap has long won, and a shift would overflow.
  const bound = Math.min(cap, base * 2 ** Math.min(30, Math.max(0, attempt - 1)));
  return atLeast > 0 ? atLeast + random() * Math.min(cap, base) : random() * bound;
}
