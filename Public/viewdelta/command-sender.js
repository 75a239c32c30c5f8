import { backOff } from "./back-off.js";
import { ProblemError } from "./problem-error.js";

/** @typedef {import("./environment.js").Environment} Environment */
/** @typedef {import("./environment.js").Timing} Timing */
/** @typedef {import("./http.js").Answer} Answer */
/** @typedef {import("./http.js").Http} Http */
/** @typedef {import("./types.js").Command} Command */

/**
 * Sends commands so that each takes effect at most once, even if its reply is lost: a command that
 * is sent again has the same `Idempotency-Key`, and the server repeats the reply.
 */
export class CommandSender {
  #environment;
  #http;
  #timing;

  /**
   * @param {Http} http
   * @param {Environment} environment
   * @param {Timing} timing
   */
  constructor(http, environment, timing) {
    this.#http = http;
    this.#environment = environment;
    this.#timing = timing;
  }

  /**
   * @param {string} path The path of the view model.
   * @param {Command} command
   * @param {object} options
   * @param {string | null} options.since The revision from which the reply's diff starts.
   * @param {string} [options.at] The only revision at which it may be executed.
   * @param {AbortSignal} options.signal Abandons the command.
   * @returns {Promise<Answer>}
   * @throws {ProblemError} If the server refuses it.
   * @throws {TypeError} If there is no reply.
   * @throws {DOMException} An `AbortError` if the signal is aborted; the server may have executed
   *   the command.
   */
  async send(path, command, { since, at, signal }) {
    const query = since === null ? "" : `?${new URLSearchParams({ since })}`;
    const headers = {
      "Idempotency-Key": `"${this.#environment.uniqueName()}"`,
      ...(at === undefined ? {} : { "If-Match": `"${at}"` }),
    };
    const options = { method: "POST", body: command, headers, signal };
    return this.repeat(() => this.#http.ask(`${path}/commands${query}`, options), signal);
  }

  /**
   * Sends a request again if it gets no answer, or if the server is busy, up to three times in all.
   *
   * @template Reply
   * @param {() => Promise<Reply>} request
   * @param {AbortSignal} signal Abandons it.
   * @returns {Promise<Reply>}
   */
  async repeat(request, signal) {
    const { commandAttempts, retryBase: base, retryCap: cap } = this.#timing;
    for (let attempt = 1; ; attempt++) {
      try {
        return await request();
      } catch (error) {
        signal.throwIfAborted();
        if (attempt >= commandAttempts || !canBeSentAgain(error)) throw error;
        const atLeast = (error instanceof ProblemError && error.retryAfter) || 0;
        const delay = backOff({ attempt, atLeast }, { base, cap }, this.#environment.random);
        await this.#pause(delay, signal);
      }
    }
  }

  /**
   * @param {number} milliseconds
   * @param {AbortSignal} signal
   */
  #pause(milliseconds, signal) {
    return new Promise((resolve, reject) => {
      const timer = this.#environment.setTimeout(() => {
        signal.removeEventListener("abort", giveUp);
        resolve(undefined);
      }, milliseconds);
      const giveUp = () => {
        this.#environment.clearTimeout(timer);
        reject(signal.reason);
      };
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }
}

/** @param {unknown} error */
function canBeSentAgain(error) {
  if (error instanceof ProblemError) return [429, 502, 503, 504].includes(error.status);
  return error instanceof TypeError;
}
