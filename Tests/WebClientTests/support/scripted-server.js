import { settle } from "./clock.js";

/** A request that waits for the test's answer. */
class PendingRequest {
  #resolve;
  #reject;

  /**
   * @param {string} url
   * @param {any} init
   * @param {(response: Response) => void} resolve
   * @param {(error: unknown) => void} reject
   */
  constructor(url, init, resolve, reject) {
    const { pathname, searchParams } = new URL(url, "http://server");
    this.method = init.method;
    this.target = url;
    this.path = pathname;
    this.query = Object.fromEntries(searchParams);
    this.headers = new Headers(init.headers);
    this.cache = init.cache;
    this.keepalive = init.keepalive;
    this.body = init.body === undefined ? null : JSON.parse(init.body);
    this.signal = init.signal;
    this.#resolve = resolve;
    this.#reject = reject;
    this.signal?.addEventListener("abort", () => this.#reject(aborted()));
  }

  get isAborted() {
    return this.signal?.aborted === true;
  }

  /** The revisions that the request names, which a 204 confirms. */
  get #revisions() {
    const { since = "" } = this.query;
    const names = Object.keys(this.body?.screens ?? {}).sort();
    return { "View-Revision": names.map((name) => this.body.screens[name].since).join() || since };
  }

  /** @param {number} status @param {any} [body] @param {{[name: string]: string}} [headers] */
  async answer(status, body, headers = status === 204 ? this.#revisions : {}) {
    const type = status >= 400 ? "application/problem+json" : "application/json";
    const content = body === undefined ? null : JSON.stringify(body);
    const fields = body === undefined ? headers : { "Content-Type": type, ...headers };
    this.#resolve(new Response(content, { status, headers: fields }));
    await settle();
  }

  /** Answers in place of the server, as a network that wants a login first does. */
  async answerWithPage() {
    this.#resolve(new Response("<title>Log in</title>", { headers: { "Content-Type": "text/html" } }));
    await settle();
  }

  /** Begins an answer and returns a function that sends the body, with pauses between its pieces. */
  async begin() {
    /** @type {any} */
    let controller;
    const body = new ReadableStream({ start: (it) => void (controller = it) });
    this.signal?.addEventListener("abort", () => controller.error(aborted()));
    this.#resolve(new Response(body, { headers: { "Content-Type": "application/json" } }));
    await settle();
    return async (/** @type {any} */ document, /** @type {() => Promise<void>} */ pause = settle) => {
      const bytes = new TextEncoder().encode(JSON.stringify(document));
      const length = Math.ceil(bytes.length / 4);
      for (let start = 0; start < bytes.length && !this.isAborted; start += length) {
        controller.enqueue(bytes.slice(start, start + length));
        await pause();
      }
      if (!this.isAborted) controller.close();
      await settle();
    };
  }

  /** @param {string} code @param {number} status @param {{[name: string]: string}} [headers] */
  refuse(status, code, headers) {
    const type = `urn:viewdelta:problem:${code}`;
    return this.answer(status, { type, title: code, status, code }, headers);
  }

  /** Fails the request with a network error. */
  async fail() {
    this.#reject(new TypeError("fetch failed"));
    await settle();
  }

  /** Begins an event stream and returns functions that send text, end the stream, or break it. */
  async stream() {
    /** @type {any} */
    let controller;
    const body = new ReadableStream({ start: (it) => void (controller = it) });
    this.signal?.addEventListener("abort", () => controller.error(aborted()));
    this.#resolve(new Response(body, { headers: { "Content-Type": "text/event-stream" } }));
    await settle();
    const encoder = new TextEncoder();
    const sendBytes = async (/** @type {Uint8Array} */ bytes) => {
      controller.enqueue(bytes);
      await settle();
    };
    const send = (/** @type {string} */ text) => sendBytes(encoder.encode(text));
    return {
      send,
      sendBytes,
      open: () => send("retry: 1000\n\n"),
      comment: () => send(":\n\n"),
      event: (/** @type {any} */ document) =>
        send(`id: ${document.revision}\ndata: ${JSON.stringify(document)}\n\n`),
      end: async () => (controller.close(), settle()),
      cut: async () => (controller.error(new TypeError("network error")), settle()),
    };
  }
}

const aborted = () => new DOMException("aborted", "AbortError");

/** Replaces `fetch`; the test answers its requests one by one. */
export class ScriptedServer {
  /** @type {PendingRequest[]} */
  #requests = [];
  /** The paths of all requests. @type {string[]} */
  paths = [];
  /** Whether the server cannot be reached: each request fails at once. */
  isAway = false;

  fetch = (/** @type {any} */ url, /** @type {any} */ init) =>
    new Promise((resolve, reject) => {
      const request = new PendingRequest(url, init, resolve, reject);
      this.paths.push(request.path);
      if (this.isAway) request.fail();
      else this.#requests.push(request);
    });

  /** Returns the next request, which must exist. @param {string} [what] The end of its path. */
  async next(what = "") {
    await settle();
    const request = this.#requests.shift();
    if (request === undefined) throw new Error(`no request is there${what && ` for ${what}`}`);
    if (!request.path.endsWith(what)) throw new Error(`${request.path} is not ${what}`);
    return request;
  }

  /** Whether all requests were answered. */
  async isIdle() {
    await settle();
    return this.#requests.every((request) => request.isAborted);
  }
}
