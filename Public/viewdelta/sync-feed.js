import { compareBytes } from "./canonical.js";
import { listen } from "./event-stream.js";
import { moved, queryOf } from "./held.js";
import { contentOf, diffPreferred } from "./http.js";
import { jsonSize } from "./json-size.js";
import { ProblemError } from "./problem-error.js";

/** @typedef {import("./attempt.js").Attempt} Attempt */
/** @typedef {import("./connection.js").Feed} Feed */
/** @typedef {import("./environment.js").Environment} Environment */
/** @typedef {import("./environment.js").Timing} Timing */
/** @typedef {import("./held.js").Held} Held */
/** @typedef {import("./http.js").Http} Http */
/** @typedef {import("./mirror.js").Mirror} Mirror */
/** @typedef {import("./mirror.js").Reception} Reception */
/** @typedef {import("./outcome.js").Outcome} Outcome */
/** @typedef {import("./types.js").ConnectionEvent} ConnectionEvent */

/**
 * A view model among others.
 *
 * @typedef {object} Member
 * @property {Mirror} mirror
 * @property {boolean} isSound Whether the held revision is valid; if not, the view model is loaded again.
 * @property {boolean} isGone Whether the view model does not exist on the server.
 * @property {string | null} problem The code of a problem that passes, which the server has in place of a
 *   revision until it can show the view model again.
 * @property {(error: ProblemError) => void} onProblem
 * @property {() => void} onRecovery Called once the server shows the view model again.
 */

/** The maximum length of a query: the server refuses a target of more than 8 KiB. */
const queryLimit = 8000;

/**
 * Requests many view models in one stream or poll.
 *
 * @implements {Feed}
 */
export class SyncFeed {
  #environment;
  #http;
  #members;
  #timing;

  /**
   * @param {object} parts
   * @param {ReadonlyMap<string, Member>} parts.members Read for each request.
   * @param {Http} parts.http
   * @param {Environment} parts.environment
   * @param {Timing} parts.timing
   */
  constructor({ members, http, environment, timing }) {
    this.#members = members;
    this.#http = http;
    this.#environment = environment;
    this.#timing = timing;
  }

  /**
   * @param {Attempt} attempt
   * @param {(event: ConnectionEvent) => void} tell
   * @param {(milliseconds: number) => void} retry
   * @returns {Promise<Outcome>}
   */
  async events(attempt, tell, retry) {
    // The bases are the position of the stream.
    const { asked, bases, screens } = await this.#question();
    if (asked.length === 0) return { event: "absent" };
    const query = queryOfAll(screens);
    if (query === null) return { event: "unsupported" };
    const stream = listen(`/v1/events?${query}`, {
      http: this.#http,
      environment: this.#environment,
      timing: this.#timing,
      attempt,
      tell,
      retry,
      take: (id, data) => {
        const documents = data === null ? {} : JSON.parse(data).screens;
        const event = data === null ? "unchanged" : this.#takeAll(documents, bases, "events");
        const revisions = id.split(",");
        for (const [index, [name, { mirror, problem }]] of asked.entries()) {
          if (problem !== null) continue;
          const basis = bases.get(name) ?? {};
          if (!Object.hasOwn(documents, name)) mirror.confirm(revisions[index], basis);
          bases.set(name, moved(basis, revisions[index]));
        }
        const isAnyLeft = asked.some(([name, { isGone }]) => !isGone && this.#members.has(name));
        return isAnyLeft ? event : "absent";
      },
      doubt: () => {
        for (const [, { mirror }] of asked) mirror.doubt();
      },
    });
    return stream.catch(async (error) => {
      if (!(error instanceof ProblemError) || error.code !== "unknown-screen") throw error;
      // A poll says which one it is, so that the next stream is without it.
      await this.request(attempt, "poll", 0);
      return { event: "stale" };
    });
  }

  /**
   * @param {Attempt} attempt
   * @param {"snapshot" | "longPoll" | "poll"} via All of them are one request.
   * @param {number} wait In milliseconds.
   * @returns {Promise<Outcome>}
   */
  async request(attempt, via, wait) {
    const { asked, bases, screens } = await this.#question();
    if (asked.length === 0) return { event: "absent" };
    const body = wait > 0 ? { screens, wait: Math.round(wait / 1000) } : { screens };
    const answer = await this.#http.json("/v1/sync", {
      attempt,
      method: "POST",
      body,
      headers: diffPreferred,
    });
    const content = contentOf(answer);
    attempt.isAnswered = true;
    const documents = content === null ? {} : content.screens;
    if (!(documents instanceof Object)) throw new TypeError("the answer is none to a poll of view models");
    const revisions = answer.headers.get("View-Revision")?.split(/\s*,\s*/) ?? [];
    let isRenamed = false;
    for (const [index, [name, { mirror, problem }]] of asked.entries()) {
      const revision = problem !== null || Object.hasOwn(documents, name) ? null : (revisions[index] ?? null);
      if (mirror.confirm(revision, bases.get(name) ?? {})) isRenamed = true;
    }
    const isEarly = () => this.#environment.now() - attempt.started < wait / 2;
    if (content === null) return { event: isRenamed ? "received" : isEarly() ? "early" : "unchanged" };
    const reception = this.#takeAll(documents, bases, "sync");
    if (reception === "unchanged" && !isRenamed) return { event: isEarly() ? "early" : "unchanged" };
    // A view model with a stale answer is requested again from its current revision.
    return { event: reception === "diverged" ? "diverged" : "received" };
  }

  /**
   * Returns the view models to request, in the order in which the server names their revisions, what is held of
   * them, and what the server is told.
   */
  async #question() {
    const asked = [...this.#members]
      .filter(([, member]) => !member.isGone)
      .sort(([left], [right]) => compareBytes(left, right));
    const bases = new Map(asked.map(([name, { mirror }]) => [name, mirror.held]));
    /** @type {(readonly [string, Held])[]} */
    const questions = await Promise.all(
      asked.map(async ([name, { mirror, isSound, problem }]) => {
        // The server does not repeat a problem that it is told.
        if (problem !== null) return /** @type {const} */ ([name, moved(mirror.held, problem)]);
        const question = isSound ? mirror.question(this.#environment) : moved(mirror.held);
        return /** @type {const} */ ([name, await question]);
      }),
    );
    return { asked, bases, screens: Object.fromEntries(questions) };
  }

  /**
   * Takes the documents of view models, and returns the worst reception; `unchanged` if all repeat what is known.
   *
   * @param {{[name: string]: any}} documents
   * @param {ReadonlyMap<string, Held>} bases
   * @param {"events" | "sync"} via
   * @returns {Reception | "unchanged"}
   */
  #takeAll(documents, bases, via) {
    const receptions = Object.entries(documents).map(([name, document]) => {
      const member = this.#members.get(name);
      if (member === undefined || member.isGone) return "received";
      return this.#take(member, document, bases.get(name) ?? {}, via);
    });
    for (const worst of /** @type {const} */ (["diverged", "stale"])) {
      if (receptions.includes(worst)) return worst;
    }
    const areRepeated = receptions.length > 0 && receptions.every((reception) => reception === "unchanged");
    return areRepeated ? "unchanged" : "received";
  }

  /**
   * @param {Member} member
   * @param {any} document
   * @param {Held} basis
   * @param {"events" | "sync"} via
   * @returns {Reception | "unchanged"}
   */
  #take(member, document, basis, via) {
    if (document.kind === "problem") {
      member.isGone = [404, 410].includes(document.status);
      // The server was told that it is known.
      if (!member.isGone && member.problem === document.code) return "unchanged";
      member.problem = member.isGone ? null : document.code;
      member.onProblem(new ProblemError(document));
      return "received";
    }
    const wasFailing = member.problem !== null;
    member.problem = null;
    const bytes = jsonSize(document);
    // What was asked for again as a whole is no repetition.
    const isRepeated = !wasFailing && member.isSound && member.mirror.repeats(document, basis);
    const reception = member.mirror.receive(document, { basis, bytes, via });
    if (reception !== "stale") member.isSound = reception === "received";
    if (wasFailing) member.onRecovery();
    return reception === "received" && isRepeated ? "unchanged" : reception;
  }
}

/**
 * Returns the query of a stream of view models; `null` if it is too long. Without the hashes of the contents
 * it may be short enough: they spare a reset after a restart of the server.
 *
 * @param {{[name: string]: Held & {have?: string}}} screens
 */
function queryOfAll(screens) {
  for (const hashes of [{}, { have: undefined }]) {
    const queries = Object.entries(screens).map(([screen, held]) => queryOf({ screen, ...held, ...hashes }));
    const query = queries.join("&");
    if (query.length <= queryLimit) return query;
  }
  return null;
}
