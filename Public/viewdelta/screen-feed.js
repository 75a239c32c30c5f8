import { listen } from "./event-stream.js";
import { moved, withQuery } from "./held.js";
import { contentOf, diffPreferred } from "./http.js";
import { utf8Size } from "./json-size.js";

/** @typedef {import("./attempt.js").Attempt} Attempt */
/** @typedef {import("./connection.js").Feed} Feed */
/** @typedef {import("./environment.js").Environment} Environment */
/** @typedef {import("./environment.js").Timing} Timing */
/** @typedef {import("./http.js").Http} Http */
/** @typedef {import("./mirror.js").Mirror} Mirror */
/** @typedef {import("./outcome.js").Outcome} Outcome */
/** @typedef {import("./types.js").ConnectionEvent} ConnectionEvent */

/**
 * Requests one view model by each transport of the server.
 *
 * @implements {Feed}
 */
export class ScreenFeed {
  #environment;
  #http;
  #mirror;
  #path;
  #timing;

  /**
   * @param {object} parts
   * @param {Mirror} parts.mirror
   * @param {string} parts.path
   * @param {Http} parts.http
   * @param {Environment} parts.environment
   * @param {Timing} parts.timing
   */
  constructor({ mirror, path, http, environment, timing }) {
    this.#mirror = mirror;
    this.#path = path;
    this.#http = http;
    this.#environment = environment;
    this.#timing = timing;
  }

  /**
   * @param {Attempt} attempt
   * @param {"snapshot" | "longPoll" | "poll"} via
   * @param {number} wait In milliseconds.
   * @returns {Promise<Outcome>}
   */
  request(attempt, via, wait) {
    return via === "snapshot" ? this.#snapshot(attempt) : this.#changes(attempt, via, wait);
  }

  /** @param {Attempt} attempt @returns {Promise<Outcome>} */
  async #snapshot(attempt) {
    const basis = this.#mirror.held;
    const { body, bytes } = await this.#http.json(withQuery(this.#path, moved(basis)), {
      attempt,
      // A copy in the browser's cache is revalidated before it is used.
      cache: "no-cache",
    });
    attempt.isAnswered = true;
    return { event: this.#mirror.receive(body, { basis, bytes, via: "snapshot" }) };
  }

  /**
   * @param {Attempt} attempt
   * @param {"longPoll" | "poll"} via
   * @param {number} wait In milliseconds.
   * @returns {Promise<Outcome>}
   */
  async #changes(attempt, via, wait) {
    const basis = this.#mirror.held;
    const question = await this.#mirror.question(this.#environment);
    const seconds = wait > 0 ? { wait: String(Math.round(wait / 1000)) } : {};
    const answer = await this.#http.json(withQuery(`${this.#path}/diff`, { ...question, ...seconds }), {
      attempt,
      headers: diffPreferred,
      // The browser's cache would serialise equal requests.
      cache: "no-store",
    });
    const body = contentOf(answer);
    if (body !== null) {
      const isRepeated = this.#mirror.repeats(body, basis);
      const event = this.#mirror.receive(body, { basis, bytes: answer.bytes, via });
      if (event !== "received" || !isRepeated) return { event };
    } else if (this.#mirror.confirm(answer.headers.get("View-Revision"), basis)) {
      return { event: "received" };
    }
    const isEarly = this.#environment.now() - attempt.started < wait / 2;
    return { event: isEarly ? "early" : "unchanged" };
  }

  /**
   * @param {Attempt} attempt
   * @param {(event: ConnectionEvent) => void} tell
   * @param {(milliseconds: number) => void} retry
   * @returns {Promise<Outcome>}
   */
  async events(attempt, tell, retry) {
    // The basis is the position of the stream, which is what the client is assumed to hold.
    let basis = this.#mirror.held;
    const question = await this.#mirror.question(this.#environment);
    return listen(withQuery(`${this.#path}/events`, question), {
      http: this.#http,
      environment: this.#environment,
      timing: this.#timing,
      attempt,
      tell,
      retry,
      take: (id, data) => {
        if (data === null) {
          this.#mirror.confirm(id, basis);
          basis = moved(basis, id);
          return "unchanged";
        }
        const document = JSON.parse(data);
        const origin = { basis, bytes: utf8Size(data), via: /** @type {const} */ ("events") };
        const isRepeated = this.#mirror.repeats(document, basis);
        basis = moved(basis, document.revision);
        const event = this.#mirror.receive(document, origin);
        return event === "received" && isRepeated ? "unchanged" : event;
      },
      doubt: () => this.#mirror.doubt(),
    });
  }
}
