import { backOff } from "./back-off.js";
import { withQuery } from "./held.js";
import { jsonSize } from "./json-size.js";
import { ProblemError, isRefusal } from "./problem-error.js";

/** @typedef {import("./environment.js").Environment} Environment */
/** @typedef {import("./environment.js").Timing} Timing */
/** @typedef {import("./held.js").Held} Held */
/** @typedef {import("./http.js").Answer} Answer */
/** @typedef {import("./http.js").Http} Http */
/** @typedef {import("./types.js").Command} Command */

/** The size up to which a command outlives the page. Browsers refuse such requests of more than 64 KiB in total. */
const longestKept = 16_384;

/**
 * Sends commands so that each takes effect at most once, even if its reply is lost: a command that
 * is sent again has the same `Idempotency-Key`, and the server repeats the reply.
 */
export class CommandSender {
  #environment;
  #http;
  #timing;
  /**
   * Each ends the pause before a request is sent again.
   *
   * @type {Set<() => void>}
   */
  #pauses = new Set();

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
   * @param {Held} options.held The revision and window from which the reply's diff starts, and its next window.
   * @param {string} [options.at] The only revision at which it may be executed.
   * @param {AbortSignal} options.signal Abandons the command.
   * @returns {Promise<Answer>}
   * @throws {ProblemError} If the server or a proxy refuses it. If the status is 500 or more, it may have been
   *   executed.
   * @throws {TypeError} If there is no reply within `commandPatience`, or if a proxy or a busy server refuses it after
   *   the reply to an attempt was lost; it may have been executed.
   * @throws {DOMException} An `AbortError` if the signal is aborted; the server may have executed
   *   the command.
   */
  async send(path, command, { held, at, signal }) {
    const target = withQuery(`${path}/commands`, held);
    const headers = {
      "Idempotency-Key": `"${this.#environment.uniqueName()}"`,
      ...(at === undefined ? {} : { "If-Match": `"${at}"` }),
    };
    let lost = false;
    try {
      return await this.repeat(async () => {
        try {
          // The page may be closed. Before Firefox hides it, it takes the focus away, with which a field is left.
          const { document } = this.#environment;
          const mayClose = document?.visibilityState === "hidden" || document?.hasFocus?.() === false;
          const keepalive = mayClose && jsonSize(command) <= longestKept;
          const answer = await this.#http.ask(target, { method: "POST", body: command, headers, keepalive, signal });
          if (typeof answer.body?.revision !== "string") throw new TypeError("the answer is no reply to a command");
          return answer;
        } catch (error) {
          lost ||= mayHaveRun(error);
          throw error;
        }
      }, signal);
    } catch (error) {
      const isOfServer = isRefusal(error) || (error instanceof ProblemError && error.status === 500);
      if (!lost || mayHaveRun(error) || isOfServer) throw error;
      // A proxy or a busy server refuses this attempt, and does not know of one before it whose reply was lost.
      throw new TypeError("the server may have executed the command", { cause: error });
    }
  }

  /** Tells that a connection has an answer again, so that what waits for one is sent now. */
  wake() {
    for (const end of this.#pauses) end();
  }

  /**
   * Sends a request again, with back-off, if it gets no answer or if the server is busy.
   *
   * @template Reply
   * @param {() => Promise<Reply>} request
   * @param {AbortSignal} signal Abandons it.
   * @returns {Promise<Reply>}
   * @throws The last error, if the next attempt would come after `commandPatience`.
   */
  async repeat(request, signal) {
    const { commandPatience, retryBase: base, retryCap: cap } = this.#timing;
    const { now, random } = this.#environment;
    const end = now() + commandPatience;
    for (let attempt = 1; ; attempt++) {
      try {
        return await request();
      } catch (error) {
        signal.throwIfAborted();
        const atLeast = retryAfterOf(error);
        const delay = backOff({ attempt, atLeast }, { base, cap }, random);
        if (!canBeSentAgain(error) || now() + delay > end) throw error;
        await this.#pause(delay, signal, atLeast === 0);
        // The machine may have slept, and the server have forgotten the key.
        if (now() > end) throw error;
      }
    }
  }

  /**
   * Waits before a request that was given up is sent again, longer after each failure, until a connection has
   * an answer again.
   *
   * @param {number} attempt The number of consecutive failures.
   * @param {unknown} error
   * @param {AbortSignal} signal Abandons it.
   */
  async rest(attempt, error, signal) {
    const { upgradeBase: base, upgradeCap: cap } = this.#timing;
    const atLeast = retryAfterOf(error);
    const delay = backOff({ attempt, atLeast }, { base, cap }, this.#environment.random);
    await this.#pause(delay, signal, atLeast === 0);
  }

  /**
   * @param {number} milliseconds
   * @param {AbortSignal} signal
   * @param {boolean} canWake Whether `wake` ends it: a server that asks for time gets it.
   */
  async #pause(milliseconds, signal, canWake) {
    signal.throwIfAborted();
    /** @type {any} */
    let timer;
    let end = () => {};
    try {
      await new Promise((resolve, reject) => {
        end = () => (signal.aborted ? reject(signal.reason) : resolve(undefined));
        timer = this.#environment.setTimeout(end, milliseconds);
        signal.addEventListener("abort", end);
        if (canWake) this.#pauses.add(end);
      });
    } finally {
      this.#environment.clearTimeout(timer);
      signal.removeEventListener("abort", end);
      this.#pauses.delete(end);
    }
  }
}

/**
 * Returns the delay that the server asks for, in milliseconds.
 *
 * @param {unknown} error
 */
function retryAfterOf(error) {
  return (error instanceof ProblemError && error.retryAfter) || 0;
}

/**
 * Whether the command may have been executed although an attempt has failed.
 *
 * @param {unknown} error
 */
function mayHaveRun(error) {
  if (!(error instanceof ProblemError)) return true;
  return error.code === "unconfirmed" || (error.status >= 500 && error.code.startsWith("http-"));
}

/** @param {unknown} error */
function canBeSentAgain(error) {
  // A proxy without an answer has statuses of its own, such as 522 or a 404, and so has a network that wants a login.
  if (error instanceof ProblemError) {
    return [408, 429].includes(error.status) || error.status > 501 || error.code === "http-404";
  }
  return error instanceof TypeError;
}
