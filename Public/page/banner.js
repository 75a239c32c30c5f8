/** The banner above the rows: a message, the seconds until the next attempt, and a button for one now. */
import { byId, h, setText } from "./dom.js";

export class Banner {
  #host;
  #message = h("span");
  /** Not announced, because it changes each second. */
  #countdown = h("span.countdown", { "aria-hidden": "true" });
  #button;
  #box;
  /** @type {number | null} */
  #retryAt = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  /**
   * @param {HTMLElement} host A live region. Screen readers read a message only if its region exists before.
   * @param {() => void} retry
   */
  constructor(host, retry) {
    this.#host = host;
    this.#button = h("button.quiet", { type: "button", click: retry }, "Retry now");
    this.#box = h("div.banner", {}, this.#message, this.#countdown, this.#button);
  }

  /**
   * Shows a message, or removes the banner.
   *
   * @param {string} message Empty if there is none.
   * @param {{retryAt?: number | null, canRetry?: boolean}} attempts `retryAt` is the time of the next
   *   attempt; `null` while one is under way, and absent if none is planned.
   */
  show(message, { retryAt, canRetry = false } = {}) {
    clearInterval(this.#timer);
    this.#retryAt = retryAt ?? null;
    // The button goes, and would take the focus with it.
    if (!canRetry && this.#box.contains(document.activeElement)) byId("rows").focus({ preventScroll: true });
    if (message === "") return this.#box.remove();
    setText(this.#message, message);
    this.#button.hidden = !canRetry;
    this.#countdown.hidden = !canRetry || retryAt === undefined;
    if (!this.#box.isConnected) this.#host.replaceChildren(this.#box);
    if (this.#countdown.hidden) return;
    this.#count();
    if (retryAt !== null) this.#timer = setInterval(() => this.#count(), 1_000);
  }

  #count() {
    const seconds = this.#retryAt === null ? 0 : Math.ceil((this.#retryAt - Date.now()) / 1_000);
    setText(this.#countdown, seconds > 0 ? `Next attempt in ${seconds} s.` : "Trying now…");
  }
}
