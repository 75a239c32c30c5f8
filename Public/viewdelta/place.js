/** @typedef {Pick<LockManager, "request">} Locks */

/**
 * A claim to one of a few places, which all pages of an origin share. Over HTTP/1.1 a browser opens six
 * connections to a server, however many pages it shows: if each page held one, the seventh would wait for
 * ever, and so would the commands of all of them.
 *
 * A place is held by a lock of the browser, which ends with its page.
 */
export class Place {
  #locks;
  #names;
  #tell;
  /** @type {AbortController | null} */
  #claim = null;

  /**
   * @param {Locks} locks
   * @param {string} scope What the places belong to.
   * @param {number} count
   * @param {(event: "crowded" | "placed") => void} tell Called if no place is free, and once one was got
   *   after that.
   */
  constructor(locks, scope, count, tell) {
    this.#locks = locks;
    this.#names = Array.from({ length: count }, (_, number) => `viewdelta ${scope} ${number}`);
    this.#tell = tell;
  }

  /** Takes a place, or waits for one. It is held until it is given up. */
  take() {
    if (this.#claim !== null) return;
    this.#claim = new AbortController();
    // Without permission to use locks there is no limit.
    this.#seek(this.#claim).catch(() => {});
  }

  /** Gives the place up, or ends waiting for it. */
  give() {
    this.#claim?.abort();
    this.#claim = null;
  }

  /** @param {AbortController} claim */
  async #seek({ signal }) {
    for (const name of this.#names) {
      // Another page that asks for a place meanwhile would find each of them taken.
      if (signal.aborted || (await this.#hold(name, { ifAvailable: true }, signal))) return;
    }
    if (signal.aborted) return;
    this.#tell("crowded");
    const search = new AbortController();
    signal.addEventListener("abort", () => search.abort());
    const found = this.#names.map(async (name) => {
      await this.#hold(name, { signal: search.signal }, signal, search.signal);
      search.abort(); // One place is enough.
    });
    await Promise.any(found);
    this.#tell("placed");
  }

  /**
   * Requests a lock, and holds it until the claim ends.
   *
   * @param {string} name
   * @param {LockOptions} options
   * @param {AbortSignal} claim
   * @param {AbortSignal} [search] Refuses the lock once it is aborted.
   * @returns {Promise<boolean>} Whether it was got.
   */
  #hold(name, options, claim, search = claim) {
    return new Promise((resolve, reject) => {
      const hold = (/** @type {Lock | null} */ lock) => {
        const isTaken = lock !== null && !search.aborted;
        resolve(isTaken);
        return isTaken ? new Promise((release) => claim.addEventListener("abort", release)) : null;
      };
      this.#locks.request(name, options, hold).catch(reject);
    });
  }
}
