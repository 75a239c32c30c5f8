import { ProblemError } from "./problem-error.js";

/** @typedef {import("./environment.js").Environment} Environment */

/**
 * @typedef {object} RequestOptions
 * @property {string} [method]
 * @property {any} [body] Sent as JSON.
 * @property {{[name: string]: string}} [headers]
 * @property {AbortSignal} [signal]
 * @property {RequestCache} [cache]
 * @property {() => void} [onHead] Called when the answer has begun.
 */

/** @typedef {{status: number, headers: Headers, body: any, bytes: number}} Answer */

/** Requests of one server, whose answers are JSON or a problem. */
export class Http {
  #environment;
  #base;

  /**
   * @param {string} base The server's address; empty for the page's own.
   * @param {Environment} environment
   */
  constructor(base, environment) {
    this.#base = base.replace(/\/+$/, "");
    this.#environment = environment;
  }

  /**
   * @param {string} path
   * @param {RequestOptions} [options]
   * @returns {Promise<Answer>} `body` is `null` where there is none; `bytes` is its size before
   *   compression.
   * @throws {ProblemError} For any status from 400.
   * @throws {TypeError} Where there is no answer.
   * @throws {SyntaxError} Where the answer is no JSON.
   */
  async json(path, options = {}) {
    const response = await this.response(path, { accept: "application/json", ...options });
    const content = await response.arrayBuffer();
    return {
      status: response.status,
      headers: response.headers,
      body: content.byteLength === 0 ? null : JSON.parse(new TextDecoder().decode(content)),
      bytes: content.byteLength,
    };
  }

  /**
   * An answer whose body has not been read.
   *
   * @param {string} path
   * @param {RequestOptions & {accept?: string}} options
   * @returns {Promise<Response>}
   * @throws {ProblemError}
   * @throws {TypeError}
   */
  async response(path, { method = "GET", body, headers = {}, signal, cache, accept, onHead }) {
    const response = await this.#environment.fetch(this.#base + path, {
      method,
      headers: {
        ...(accept === undefined ? {} : { Accept: accept }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(cache === undefined ? {} : { cache }),
      ...(signal === undefined ? {} : { signal }),
    });
    onHead?.();
    if (response.status >= 400) throw await ProblemError.of(response, this.#environment.now());
    return response;
  }
}
