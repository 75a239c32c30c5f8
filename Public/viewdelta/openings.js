/**
 * The command that loads a screen, and the sources that it loads; all sources of the screen if they are not known.
 *
 * @typedef {object} Opening
 * @property {string} type
 * @property {readonly string[]} [opens]
 */
/** @typedef {import("./http.js").Http} Http */

import { apiPath } from "./api-path.js";

/** The opening commands of the screens of a server, each asked for once. */
export class Openings {
  #http;
  /** @type {Map<string, Promise<Opening | undefined>>} */
  #known = new Map();

  /** @param {Http} http */
  constructor(http) {
    this.#http = http;
  }

  /**
   * Returns the command that loads a screen which was never loaded; `undefined` if there is none.
   *
   * @param {string} screen
   * @returns {Promise<Opening | undefined>}
   * @throws {import("./problem-error.js").ProblemError}
   * @throws {TypeError} If there is no answer.
   */
  async of(screen) {
    let opening = this.#known.get(screen);
    if (opening === undefined) {
      opening = this.#http.ask(apiPath("view-models", screen)).then(({ body }) => {
        // What a proxy answers is not kept.
        if (body?.name !== screen) throw new TypeError("the answer is no description of the screen");
        return body.opening === undefined ? undefined : { type: body.opening, opens: body.opens };
      });
      this.#known.set(screen, opening);
    }
    try {
      return await opening;
    } catch (error) {
      this.#known.delete(screen);
      throw error;
    }
  }
}
