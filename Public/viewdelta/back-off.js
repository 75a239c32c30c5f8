/**
 * Returns the delay before the next attempt.
 *
 * "Full jitter": the delay is random between zero and an upper bound that doubles with each
 * failure, so that the clients of an unavailable server do not return in step. See M. Brooker,
 * "Exponential Backoff And Jitter",
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/.
 *
 * If the server asks for a delay, it is kept in full, plus the jitter of a first failure.
 *
 * @param {object} failure
 * @param {number} failure.attempt The number of consecutive failures, at least 1.
 * @param {number} [failure.atLeast] The delay that the server asks for, in milliseconds.
 * @param {{base: number, cap: number}} bounds In milliseconds.
 * @param {() => number} random Returns a random number from 0 to below 1.
 * @returns {number} Milliseconds.
 */
export function backOff({ attempt, atLeast = 0 }, { base, cap }, random) {
  // Beyond 2^30 the cap applies, and a shift would overflow.
  const bound = Math.min(cap, base * 2 ** Math.min(30, Math.max(0, attempt - 1)));
  return atLeast > 0 ? atLeast + random() * Math.min(cap, base) : random() * bound;
}
