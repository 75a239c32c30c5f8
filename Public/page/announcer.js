/**
 * Announces changes in a few words to screen readers. Changes in quick succession are announced
 * together.
 */
import { news } from "./news.js";
import { throttled } from "./throttled.js";

/** @typedef {import("../viewdelta/types.js").Change} Change */

export class Announcer {
  #host;
  /** @type {Change[]} */
  #pending = [];
  #say = throttled(() => {
    this.#host.textContent = news(this.#pending);
    this.#pending = [];
  }, 400);

  /** @param {HTMLElement} host A polite live region. */
  constructor(host) {
    this.#host = host;
  }

  /** @param {Change} change */
  tell(change) {
    this.#pending.push(change);
    this.#say();
  }

  /** Discards the pending announcement. */
  stop() {
    this.#say.cancel();
    this.#pending = [];
    this.#host.textContent = "";
  }
}
