/** The delay between two attempts to load something, in milliseconds. */
const interval = 2000;

/**
 * Loads something that the page needs, and tries again until it is there.
 *
 * @template T
 * @param {() => Promise<T>} load
 * @param {(error: unknown) => void} [report] Called with each error.
 * @returns {Promise<T>}
 */
export async function retried(load, report) {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      report?.(error);
      await new Promise((resolve) => setTimeout(resolve, interval));
    }
  }
}
