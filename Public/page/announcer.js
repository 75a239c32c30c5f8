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

export class Announcer {
  #host;
  /** @type {Change[]} */
  #pending = [];
  /** @type {Sent[]} */
  #sent = [];
  #say = throttled(() => {
    this.#host.textContent = news(this.#pending, this.#sent);
    this.#pending = [];
    this.#sent = [];
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

  /** @param {Sent} sent A command of the user, whose change may have come before its reply. */
  note(sent) {
    this.#sent.push(sent);
  }

  /** Discards the pending announcement. */
  stop() {
    this.#say.cancel();
    this.#pending = [];
    this.#sent = [];
    this.#host.textContent = "";
  }
}
