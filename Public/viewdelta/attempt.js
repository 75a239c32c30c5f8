/** @typedef {import("./environment.js").Environment} Environment */

/**
 * One request of a connection, under a watchdog.
 *
 * What an attempt that has been ended still brings is not heard any more.
 */
export class Attempt {
  #controller = new AbortController();
  #environment;
  #onSilence;
  #patience;
  /** @type {any} */
  #timer = null;

  /**
   * @param {Environment} environment
   * @param {number} patience How long it may be silent, in milliseconds.
   * @param {() => void} onSilence Called once it has been silent for longer.
   */
  constructor(environment, patience, onSilence) {
    this.#environment = environment;
    this.#patience = patience;
    this.#onSilence = onSilence;
    this.started = environment.now();
    this.alive();
  }

  get signal() {
    return this.#controller.signal;
  }

  get isOver() {
    return this.signal.aborted;
  }

  /**
   * A sign of life: the watchdog starts anew.
   *
   * @param {number} [patience] From now on.
   */
  alive(patience = this.#patience) {
    if (this.isOver) return;
    this.#patience = patience;
    this.#environment.clearTimeout(this.#timer);
    this.#timer = this.#environment.setTimeout(() => this.#onSilence(), patience);
  }

  /** Ends the request, if it is still under way, and the watchdog. */
  end() {
    this.#environment.clearTimeout(this.#timer);
    this.#controller.abort();
  }
}
