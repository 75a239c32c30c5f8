/** @typedef {import("./environment.js").Environment} Environment */

/**
 * One request of a connection, with a watchdog.
 *
 * Results that arrive after the attempt was ended are ignored.
 */
export class Attempt {
  #controller = new AbortController();
  #environment;
  #onSilence;
  #patience;
  /** @type {any} */
  #timer = null;
  /** Whether the answer has come. Its outcome follows once the listeners have been told of the answer. */
  isAnswered = false;

  /**
   * @param {Environment} environment
   * @param {number} patience The maximum silence in milliseconds.
   * @param {() => void} onSilence Called if the silence is longer.
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
   * Restarts the watchdog after a sign of life.
   *
   * @param {number} [patience] The maximum silence until the next sign, if it is another one.
   */
  alive(patience = this.#patience) {
    if (this.isOver) return;
    this.#environment.clearTimeout(this.#timer);
    this.#timer = this.#environment.setTimeout(() => this.#onSilence(), patience);
  }

  /** Ends the request, if it is still in progress, and the watchdog. */
  end() {
    this.#environment.clearTimeout(this.#timer);
    this.#controller.abort();
  }
}
