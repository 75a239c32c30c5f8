import { diffPreferred } from "./http.js";
import { jsonSize } from "./json-size.js";
import { ProblemError } from "./problem-error.js";

/** @typedef {import("./attempt.js").Attempt} Attempt */
/** @typedef {import("./connection.js").Feed} Feed */
/** @typedef {import("./environment.js").Environment} Environment */
/** @typedef {import("./http.js").Http} Http */
/** @typedef {import("./mirror.js").Mirror} Mirror */
/** @typedef {import("./outcome.js").Outcome} Outcome */

/**
 * A view model of a poll.
 *
 * @typedef {object} Member
 * @property {Mirror} mirror
 * @property {boolean} isSound Whether the held revision is valid; if not, the view model is loaded again.
 * @property {boolean} isGone Whether the view model does not exist on the server.
 * @property {(error: ProblemError) => void} onProblem
 */

/**
 * Requests many view models in one poll.
 *
 * @implements {Feed}
 */
export class SyncFeed {
  #environment;
  #http;
  #members;

  /**
   * @param {object} parts
   * @param {ReadonlyMap<string, Member>} parts.members Read for each request.
   * @param {Http} parts.http
   * @param {Environment} parts.environment
   */
  constructor({ members, http, environment }) {
    this.#members = members;
    this.#http = http;
    this.#environment = environment;
  }

  /** @param {Attempt} attempt @returns {Promise<Outcome>} */
  snapshot(attempt) {
    return this.#sync(attempt, 0);
  }

  /** @param {Attempt} attempt @param {number} wait @returns {Promise<Outcome>} */
  longPoll(attempt, wait) {
    return this.#sync(attempt, wait);
  }

  /** @param {Attempt} attempt @returns {Promise<Outcome>} */
  poll(attempt) {
    return this.#sync(attempt, 0);
  }

  /**
   * @param {Attempt} attempt
   * @param {number} wait In milliseconds.
   * @returns {Promise<Outcome>}
   */
  async #sync(attempt, wait) {
    const asked = [...this.#members].filter(([, member]) => !member.isGone);
    if (asked.length === 0) return { event: "absent" };
    const bases = new Map(asked.map(([name, { mirror }]) => [name, mirror.revision]));
    const screens = Object.fromEntries(
      await Promise.all(
        asked.map(async ([name, { mirror, isSound }]) =>
          /** @type {const} */ ([name, isSound ? await mirror.question(this.#environment) : {}]),
        ),
      ),
    );
    const body = wait > 0 ? { screens, wait: Math.round(wait / 1000) } : { screens };
    const answer = await this.#http.json("/v1/sync", {
      attempt,
      method: "POST",
      body,
      headers: diffPreferred,
    });
    if (attempt.isOver) return { event: "stale" };
    for (const [name, { mirror }] of asked) mirror.confirm(null, bases.get(name) ?? null);
    if (answer.body === null) {
      const isEarly = this.#environment.now() - attempt.started < wait / 2;
      return { event: isEarly ? "early" : "unchanged" };
    }
    let event = /** @type {"received" | "diverged"} */ ("received");
    for (const [name, document] of Object.entries(answer.body.screens)) {
      const member = this.#members.get(name);
      if (member === undefined || member.isGone) continue;
      if (this.#take(member, document, bases.get(name) ?? null) === "diverged") event = "diverged";
    }
    return { event };
  }

  /**
   * @param {Member} member
   * @param {any} document
   * @param {string | null} basis
   */
  #take(member, document, basis) {
    if (document.kind === "problem") {
      member.isGone = true;
      member.onProblem(new ProblemError(document));
      return "received";
    }
    const bytes = jsonSize(document);
    const reception = member.mirror.receive(document, { basis, bytes, via: "sync" });
    // A view model with a stale answer is requested again from its current revision.
    if (reception !== "stale") member.isSound = reception === "received";
    return reception;
  }
}
