import { Attempt } from "./attempt.js";
import { backOff } from "./back-off.js";
import { initialContext, step, transportOf } from "./connection-machine.js";
import { outcomeOfError } from "./outcome.js";
import { Place } from "./place.js";
import { ProblemError } from "./problem-error.js";

/** @typedef {import("./connection-machine.js").Effect} Effect */
/** @typedef {import("./environment.js").Environment} Environment */
/** @typedef {import("./environment.js").Timing} Timing */
/** @typedef {import("./outcome.js").Outcome} Outcome */
/** @typedef {import("./types.js").ConnectionEvent} ConnectionEvent */
/** @typedef {import("./types.js").ConnectionState} ConnectionState */
/** @typedef {import("./types.js").Status} Status */
/** @typedef {import("./types.js").Transport} Transport */

/**
 * The requests of a connection. Each returns the event that ends the attempt, or throws its error.
 *
 * @typedef {object} Feed
 * @property {(attempt: Attempt, via: "snapshot" | "longPoll" | "poll", wait: number) => Promise<Outcome>} request Waits
 *   at most that many milliseconds for a change.
 * @property {(attempt: Attempt, tell: (event: ConnectionEvent) => void,
 *   retry: (milliseconds: number) => void) => Promise<Outcome>} events Reports events while the
 * stream is open.
 */

/** The members of a status whose change is reported to listeners. */
const visible = /** @type {const} */ (["state", "transport", "isProven", "attempt", "retryAt"]);

/** The states in which a connection holds no request open, and will not before the next event of its owner. */
const idling = new Set(["suspended", "gone", "closed"]);

/** Runs the transition table of a connection: starts requests and timers, and dispatches their events. */
export class Connection {
  #environment;
  #feed;
  #onProblem;
  #onStatus;
  #place;
  #timing;
  #working;
  #context;
  /** @type {Attempt | null} */
  #attempt = null;
  /** @type {any} */
  #timer = null;
  /**
   * The time of the next attempt, if it waits for it.
   *
   * @type {number | null}
   */
  #retryAt = null;
  /** @type {any} */
  #upgradeTimer = null;
  /** @type {Status} */
  #status;
  /** The time before which the server wants no request. */
  #notBefore = 0;
  /** How long the server wanted none, in milliseconds. */
  #restLength = 0;
  /** The reconnection time that the server's stream asked for, in milliseconds. */
  #retryBase;

  /**
   * @param {object} parts
   * @param {Feed} parts.feed
   * @param {Environment} parts.environment
   * @param {Timing} parts.timing
   * @param {readonly Transport[]} parts.transports The best first.
   * @param {number} parts.places How many connections to the server the pages of a browser hold open together.
   * @param {string} parts.scope The name of the server.
   * @param {{transport: Transport | null}} parts.working The transport that has worked last, of all connections to the
   *   server: a proxy that holds streams back does so with each.
   * @param {(status: Status) => void} parts.onStatus
   * @param {(error: unknown) => void} parts.onProblem
   */
  constructor({ feed, environment, timing, transports, places, scope, working, onStatus, onProblem }) {
    this.#feed = feed;
    this.#environment = environment;
    this.#timing = timing;
    this.#onStatus = onStatus;
    this.#onProblem = onProblem;
    this.#retryBase = timing.retryBase;
    const { locks } = environment;
    this.#working = working;
    this.#context = initialContext(transports, working.transport);
    if (this.#context.level > 0) this.#scheduleUpgrade(this.#context.trials);
    const isLimited = places < Infinity && this.#context.transports[0] !== "poll";
    this.#place = locks !== null && isLimited
      ? new Place(locks, scope, places, (event) => this.dispatch(event)) : null;
    this.#status = this.#newStatus("idle", null);
  }

  get status() {
    return this.#status;
  }

  /**
   * Dispatches an event. It has no effect if the table ignores it.
   *
   * @param {ConnectionEvent} event
   * @param {{error?: unknown, retryAfter?: number | null}} detail
   */
  dispatch(event, { error, retryAfter } = {}) {
    // If a listener of the document that was just loaded scrolls, the request that follows names the new window.
    if (event === "scrolled" && this.#context.state === "loading" && this.#attempt?.isAnswered) return;
    const { now } = this.#environment;
    if (retryAfter) [this.#notBefore, this.#restLength] = [now() + retryAfter, retryAfter];
    // A timer that has fired decides, even if the clock was set back meanwhile.
    const isTime = event === "retry" || (event === "due" && this.#context.state === "backingOff");
    if (isTime) this.#notBefore = 0;
    // Nor does it take longer if the clock is set back.
    const atLeast = Math.min(this.#restLength, Math.max(0, this.#notBefore - now()));
    const { context, effects } = step(this.#context, event, { atLeast });
    if (context === this.#context) return;
    const previous = this.#context.state;
    this.#context = context;
    if (context.isProven && !context.isCrowded) this.#working.transport = transportOf(context);
    if (idling.has(context.state)) this.#place?.give();
    else this.#place?.take();
    for (const effect of effects) this.#run(effect);
    const status = this.#newStatus(previous, event);
    const last = this.#status;
    this.#status = status;
    if (visible.some((name) => status[name] !== last[name])) this.#onStatus(status);
    // This comes last, because a listener may dispatch the next event.
    if (effects.some((effect) => effect.do === "report") && error !== undefined) {
      this.#onProblem(error);
    }
  }

  /** @param {Effect} effect */
  #run(effect) {
    const { requestTimeout, streamStart, wait, waitGrace, pollInterval, probeInterval } = this.#timing;
    switch (effect.do) {
      case "abort":
        return this.#stop();
      case "fetchSnapshot":
        return this.#start("snapshot", requestTimeout);
      case "startStream":
        return this.#start("events", streamStart);
      case "startLongPoll":
        // The first one is answered at once, which proves that the server is there.
        if (this.#context.isProven) return this.#start("longPoll", wait + waitGrace, wait);
        return this.#start("longPoll", requestTimeout);
      case "startPoll":
        return this.#start("poll", requestTimeout);
      case "scheduleRetry": {
        const bounds = { base: this.#retryBase, cap: this.#timing.retryCap };
        const failure = /** @type {{attempt: number, atLeast: number}} */ (effect);
        return this.#schedule(backOff(failure, bounds, this.#environment.random));
      }
      case "schedulePoll":
        return this.#schedule(pollInterval);
      case "scheduleProbe":
        return this.#schedule(probeInterval);
      case "scheduleUpgrade":
        return this.#scheduleUpgrade(/** @type {{trials: number}} */ (effect).trials);
    }
  }

  /**
   * @param {Transport | "snapshot"} via
   * @param {number} patience
   * @param {number} [wait]
   */
  #start(via, patience, wait = 0) {
    this.#stop();
    const attempt = new Attempt(this.#environment, patience, () => {
      this.#end(attempt, { event: "silent", error: new Error("the server does not answer") });
    });
    this.#attempt = attempt;
    this.#ask(attempt, via, wait).then(
      (outcome) => this.#end(attempt, outcome),
      (error) => this.#end(attempt, outcomeOfError(error, via)),
    );
  }

  /**
   * @param {Attempt} attempt
   * @param {Transport | "snapshot"} via
   * @param {number} wait
   * @returns {Promise<Outcome>}
   */
  async #ask(attempt, via, wait) {
    if (via !== "events") return this.#feed.request(attempt, via, wait);
    const tell = (/** @type {ConnectionEvent} */ event) => {
      if (!attempt.isOver) this.dispatch(event);
    };
    return this.#feed.events(attempt, tell, (milliseconds) => {
      const { retryBase, retryCap } = this.#timing;
      this.#retryBase = Math.max(retryBase, Math.min(milliseconds, retryCap));
    });
  }

  /**
   * @param {Attempt} attempt
   * @param {Outcome} outcome
   */
  #end(attempt, { event, error, retryAfter }) {
    if (attempt.isOver) return;
    attempt.end();
    // The browser may have lost the network before the page was loaded.
    const isOffline = this.#environment.window?.navigator?.onLine === false && !(error instanceof ProblemError);
    if (event === "failed" && isOffline) this.dispatch("offline");
    else this.dispatch(event, { error, retryAfter });
  }

  #stop() {
    this.#attempt?.end();
    this.#environment.clearTimeout(this.#timer);
    this.#retryAt = null;
    if (this.#context.state === "closed") this.#environment.clearTimeout(this.#upgradeTimer);
  }

  /** @param {number} delay */
  #schedule(delay) {
    this.#timer = this.#environment.setTimeout(() => this.dispatch("due"), delay);
    this.#retryAt = this.#environment.now() + delay;
  }

  /** @param {number} trials */
  #scheduleUpgrade(trials) {
    const { upgradeBase, upgradeCap } = this.#timing;
    const delay = Math.min(upgradeCap, upgradeBase * 2 ** Math.min(30, trials - 1));
    this.#environment.clearTimeout(this.#upgradeTimer);
    this.#upgradeTimer = this.#environment.setTimeout(() => this.dispatch("upgrade"), delay);
  }

  /**
   * @param {ConnectionState} previous
   * @param {ConnectionEvent | null} event
   * @returns {Status}
   */
  #newStatus(previous, event) {
    const { state, isProven, attempt } = this.#context;
    const retryAt = this.#retryAt;
    return { state, previous, event, transport: transportOf(this.#context), isProven, attempt, retryAt };
  }
}
