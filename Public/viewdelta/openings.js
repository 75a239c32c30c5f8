/**
 * The command that loads a screen, and the sources that it loads; all sources of the screen if they are not known.
 *
 * @typedef {object} Opening
 * @property {string} type
 * @property {readonly string[]} [opens]
 */
/** @typedef {import("./http.js").Http} Http */

import { apiPath } from "./api-path.js";

/** The opening commands of the screens of a server. */
export class Openings {
  #http;
  /** @type {Map<string, Opening | undefined>} */
  #known = new Map();
  /**
   * The questions without an answer, which view models of one screen share.
   *
   * @type {Map<string, Promise<Opening | undefined>>}
   */
  #asked = new Map();
  #closing = new AbortController();

  /** @param {Http} http */
  constructor(http) {
    this.#http = http;
  }

  /**
   * Returns the command that loads a screen which was never loaded; `undefined` if there is none.
   *
   * @param {string} screen
   * @param {boolean} isRestarted Whether the server may have been restarted since it was asked, with another command.
   * @returns {Promise<Opening | undefined>}
   * @throws {import("./problem-error.js").ProblemError}
   * @throws {TypeError} If there is no answer.
   */
  async of(screen, isRestarted) {
    if (!isRestarted && this.#known.has(screen)) return this.#known.get(screen);
    const asked = this.#asked.get(screen) ?? this.#ask(screen).finally(() => this.#asked.delete(screen));
    this.#asked.set(screen, asked);
    return asked;
  }

  /** Gives up the questions without an answer. */
  close() {
    this.#closing.abort();
    this.#closing = new AbortController();
  }

  /** @param {string} screen */
  async #ask(screen) {
    const { signal } = this.#closing;
    const { body } = await this.#http.ask(apiPath("view-models", screen), { signal });
    // What a proxy answers is not kept.
    if (body?.name !== screen) throw new TypeError("the answer is no description of the screen");
    const opening = body.opening === undefined ? undefined : { type: body.opening, opens: body.opens };
    this.#known.set(screen, opening);
    return opening;
  }
}
