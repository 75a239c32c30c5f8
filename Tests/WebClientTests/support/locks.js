/** The locks of a browser, without shared ones: those of one name are granted in the order of the requests. */
export class Locks {
  /** @type {Map<string, (() => void)[]>} Those who wait for each lock that is held. */
  #held = new Map();

  /** The number of locks that are held. */
  get count() {
    return this.#held.size;
  }

  /** The number of requests that wait for a lock. */
  get waiting() {
    return [...this.#held.values()].flat().length;
  }

  /** @param {string} name @param {any} options @param {(lock: any) => any} callback */
  async request(name, { ifAvailable, signal }, callback) {
    await null;
    if (this.#held.has(name)) {
      if (ifAvailable) return callback(null);
      await this.#turn(name, signal);
      // A browser grants each lock in a task of its own.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#held.set(name, this.#held.get(name) ?? []);
    try {
      return await callback({ name });
    } finally {
      const next = this.#held.get(name)?.shift();
      if (next) next();
      else this.#held.delete(name);
    }
  }

  /** @param {string} name @param {AbortSignal | undefined} signal */
  #turn(name, signal) {
    const queue = this.#held.get(name) ?? [];
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const turn = () => resolve(undefined);
      queue.push(turn);
      signal?.addEventListener("abort", () => {
        if (queue.includes(turn)) queue.splice(queue.indexOf(turn), 1);
        reject(signal.reason);
      });
    });
  }
}
