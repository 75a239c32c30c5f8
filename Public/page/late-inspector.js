/** The inspector, which is loaded behind the first rows: they come sooner without it. */
import { retried } from "./retried.js";

/** @typedef {Omit<import("./inspector/inspector.js").Subject, "whenOpen">} Shown */

export class LateInspector {
  #host;
  #server;
  /** @type {import("./inspector/inspector.js").Inspector | null} */
  #inspector = null;
  #isLoading = false;
  /** @type {Shown | null} */
  #shown = null;

  /**
   * @param {HTMLElement} host
   * @param {import("../viewdelta.js").ViewDelta} server
   */
  constructor(host, server) {
    this.#host = host;
    this.#server = server;
  }

  /** @param {Shown} shown */
  show(shown) {
    if (shown.viewModel === this.#shown?.viewModel) return;
    this.#shown = shown;
    if (this.#inspector) this.#inspector.show(shown);
    else shown.viewModel.addEventListener("status", ({ detail: { state } }) => {
      // It has its rows, or there is no answer.
      if (state !== "loading") this.#load();
    });
  }

  async #load() {
    if (this.#isLoading) return;
    this.#isLoading = true;
    const { Inspector } = await retried(() => import("./inspector/inspector.js"));
    this.#inspector = new Inspector(this.#host, this.#server);
    if (this.#shown) this.#inspector.show(this.#shown);
  }
}
