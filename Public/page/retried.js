/** The longest delay before the second attempt to load something, and before each later one, in milliseconds. */
const [first, longest] = [2_000, 15_000];

/**
 * Loads something that the page needs, and tries again until it is there: later with each failure, and not
 * before the time that the server asks for.
 *
 * @template T
 * @param {() => Promise<T>} load
 * @param {(error: unknown) => void} [report] Called with each error.
 * @returns {Promise<T>}
 */
export async function retried(load, report) {
  for (let bound = first; ; bound = Math.min(2 * bound, longest)) {
    try {
      return await load();
    } catch (error) {
      report?.(error);
      // At random, so that the pages of many users do not come back in step.
      const delay = (/** @type {any} */ (error)?.retryAfter ?? 0) + bound * (1 + Math.random()) / 2;
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
}
