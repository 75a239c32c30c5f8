/** Runs everything that is ready: promises, and the steps of streams. */
export async function settle() {
  for (let turn = 0; turn < 6; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** A clock that a test advances. */
export class Clock {
  #now = Date.UTC(2026, 0, 1);
  #next = 1;
  /** @type {Map<number, {due: number, action: () => void}>} */
  #timers = new Map();

  now = () => this.#now;

  /** @param {() => void} action @param {number} milliseconds */
  setTimeout = (action, milliseconds) => {
    this.#timers.set(this.#next, { due: this.#now + milliseconds, action });
    return this.#next++;
  };

  /** @param {number} timer */
  clearTimeout = (timer) => void this.#timers.delete(timer);

  /** The number of timers. */
  get pending() {
    return this.#timers.size;
  }

  /** Advances the clock, and runs each timer at its time. @param {number} milliseconds */
  async advance(milliseconds) {
    const end = this.#now + milliseconds;
    for (;;) {
      await settle();
      const [timer, first] =
        [...this.#timers].sort(([, left], [, right]) => left.due - right.due)[0] ?? [];
      if (first === undefined || first.due > end) break;
      this.#timers.delete(/** @type {number} */ (timer));
      this.#now = Math.max(this.#now, first.due);
      first.action();
    }
    this.#now = end;
    await settle();
  }

  /** Sets the clock back, which has no effect on timers. @param {number} milliseconds */
  setBack(milliseconds) {
    this.#now -= milliseconds;
    for (const timer of this.#timers.values()) timer.due -= milliseconds;
  }

  /** Jumps without running timers, as the clock of a machine that has slept. */
  /** @param {number} milliseconds */
  jump(milliseconds) {
    this.#now += milliseconds;
  }
}
