import { Attempt } from "./attempt.js";
import { ProblemError } from "./problem-error.js";

/** @typedef {import("./environment.js").Environment} Environment */
/** @typedef {import("./environment.js").Timing} Timing */

/**
 * @typedef {object} RequestOptions
 * @property {string} [method]
 * @property {any} [body] Sent as JSON.
 * @property {{[name: string]: string}} [headers]
 * @property {AbortSignal} [signal] Abandons the request.
 * @property {RequestCache} [cache]
 * @property {boolean} [keepalive] Whether it outlives the page.
 */

/** @typedef {Omit<RequestOptions, "signal"> & {attempt: Attempt}} SupervisedOptions */

/** @typedef {{status: number, headers: Headers, body: any, bytes: number}} Answer */

/**
 * Header fields that rule out a snapshot in place of a larger diff: renderers get exact operations for
 * each change.
 */
export const diffPreferred = Object.freeze({ Prefer: "return=diff" });

/**
 * Returns the content of an answer to a question for changes; `null` if there are none, which the server says by a 204
 * with the current revision.
 *
 * @param {Answer} answer
 * @throws {TypeError} If the answer is empty without that, as one that was cut, or the empty page of a proxy.
 */
export function contentOf({ status, headers, body }) {
  const isUnchanged = status === 204 && headers.has("View-Revision");
  if (body === null && !isUnchanged) throw new TypeError("the answer is empty");
  return body;
}

/** Sends requests to one server, whose answers are JSON or a problem. */
export class Http {
  #environment;
  #base;
  #timing;

  /**
   * @param {string} base The address of the server; empty for that of the page.
   * @param {Environment} environment
   * @param {Timing} timing
   */
  constructor(base, environment, timing) {
    this.#base = base.replace(/\/+$/, "");
    this.#environment = environment;
    this.#timing = timing;
  }

  /**
   * Sends a request that does not belong to an attempt of a connection. It has a watchdog of its
   * own.
   *
   * @param {string} path
   * @param {RequestOptions} [options]
   * @returns {Promise<Answer>}
   * @throws {ProblemError} For any status from 400.
   * @throws {TypeError} If there is no answer in time, or one that is not JSON.
   * @throws The signal's reason, an `AbortError` for most, once the signal is aborted.
   */
  async ask(path, options = {}) {
    const { signal, ...request } = options;
    signal?.throwIfAborted();
    /** @type {Attempt} */
    const attempt = new Attempt(this.#environment, this.#timing.requestTimeout, () =>
      attempt.end(),
    );
    const giveUp = () => attempt.end();
    signal?.addEventListener("abort", giveUp);
    try {
      return await this.json(path, { ...request, attempt });
    } catch (error) {
      signal?.throwIfAborted();
      if (!attempt.isOver) throw error;
      throw new TypeError("the server does not answer");
    } finally {
      signal?.removeEventListener("abort", giveUp);
      attempt.end();
    }
  }

  /**
   * Sends a request under the watchdog of an attempt.
   *
   * @param {string} path
   * @param {SupervisedOptions} options
   * @returns {Promise<Answer>} `body` is `null` if there is none; `bytes` is its size before
   *   compression.
   * @throws {ProblemError} For any status from 400.
   * @throws {TypeError} If there is no answer, or one that is not JSON.
   */
  async json(path, options) {
    const response = await this.response(path, { accept: "application/json", ...options });
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    let text = "";
    let bytes = 0;
    for (let chunk; reader && !(chunk = await reader.read()).done; ) {
      // A large body on a slow line takes long, but is not silent.
      options.attempt.alive();
      bytes += chunk.value.length;
      text += decoder.decode(chunk.value, { stream: true });
    }
    const { status, headers } = response;
    return { status, headers, body: bytes === 0 ? null : parsed(text), bytes };
  }

  /**
   * Sends a request and returns its answer before the body is read.
   *
   * @param {string} path
   * @param {SupervisedOptions & {accept: string}} options
   * @returns {Promise<Response>}
   * @throws {ProblemError}
   * @throws {TypeError}
   */
  async response(path, { attempt, method, body, headers, cache, keepalive, accept }) {
    const response = await this.#environment.fetch(this.#base + path, {
      method,
      headers: {
        Accept: accept,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      body: JSON.stringify(body),
      cache,
      keepalive,
      signal: attempt.signal,
    });
    attempt.alive();
    if (response.status >= 400) throw await ProblemError.of(response, this.#environment.now());
    return response;
  }
}

/**
 * Parses an answer. One that is not JSON is none of the server: a network that wants a login first answers with
 * a page in its place.
 *
 * @param {string} text
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new TypeError("the answer is not JSON");
  }
}
