/**
 * Announces changes in a few words to screen readers. Changes in quick succession are announced
 * together.
 */
import { news } from "./news.js";
import { throttled } from "./throttled.js";

/**
 * @typedef {import("../viewdelta/types.js").Change} Change
 * @typedef {import("./commands.js").Sent} Sent
 */

/** The time for which changes wait for the replies to commands, in milliseconds. */
const patience = 5000;

export class Announcer {
  #host;
  #isAwaited;
  /** @type {Change[]} */
  #pending = [];
  /** The time of the first pending change. */
  #since = 0;
  /** @type {Sent[]} */
  #sent = [];
  #say = throttled(() => {
    if (this.#isAwaited() && performance.now() - this.#since < patience) return this.#say();
    this.#host.textContent = news(this.#pending, this.#sent);
    this.#pending = [];
    this.#sent = [];
  }, 400);

  /**
   * @param {HTMLElement} host A polite live region.
   * @param {() => boolean} isAwaited Whether a command of the user has no reply yet. Only the reply says whether a
   *   change is the user's own.
   */
  constructor(host, isAwaited) {
    this.#host = host;
    this.#isAwaited = isAwaited;
  }

  /** @param {Change} change */
  tell(change) {
    if (this.#pending.length === 0) this.#since = performance.now();
    this.#pending.push(change);
    this.#say();
  }

  /** @param {Sent} sent A command of the user, whose change has come before its reply. */
  note(sent) {
    // If nothing is pending, that change was announced, or is of another view model: what comes later is of others.
    if (this.#pending.length > 0) this.#sent.push(sent);
  }

  /** Discards the pending announcement. */
  stop() {
    this.#say.cancel();
    this.#pending = [];
    this.#sent = [];
    this.#host.textContent = "";
  }
}
