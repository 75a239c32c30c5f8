import { SyncFeed } from "./sync-feed.js";
import { typedEventTarget } from "./typed-event-target.js";
import { ViewModel } from "./view-model.js";

/** @typedef {import("./command-sender.js").CommandSender} CommandSender */
/** @typedef {import("./connection.js").Connection} Connection */
/** @typedef {import("./environment.js").Environment} Environment */
/** @typedef {import("./environment.js").Timing} Timing */
/** @typedef {import("./typed-event-target.js").Listener} Listener */
/** @typedef {import("./http.js").Http} Http */
/** @typedef {import("./sync-feed.js").Member} Member */
/** @typedef {import("./types.js").Status} Status */

/** How many view models the server takes in one poll. */
const limit = 100;

/**
 * @type {new () => import("./typed-event-target.js").TypedEventTarget<{
 *   status: import("./types.js").Status, problem: {error: unknown}}>}
 */
const Events = typedEventTarget();

/**
 * One poll for many view models. Made by `ViewDelta`.
 *
 * It emits `status` and `problem` for the poll as a whole, and each view model the same; a view
 * model that is not there has a `problem` of its own, and the others go on.
 */
export class SyncPoll extends Events {
  /** @type {Map<string, Member>} */
  #members = new Map();
  /** @type {Map<string, ViewModel>} */
  #viewModels = new Map();
  #close;
  #connection;
  #http;
  #sender;

  /**
   * @param {object} parts
   * @param {Iterable<string>} parts.names
   * @param {Http} parts.http
   * @param {CommandSender} parts.sender
   * @param {Environment} parts.environment
   * @param {Timing} parts.timing
   * @param {(feed: SyncFeed, listeners: Iterable<Listener>, poll: SyncPoll) => Connection}
   *   parts.connect
   * @param {(connection: Connection) => void} parts.close
   */
  constructor({ names, http, sender, environment, timing, connect, close }) {
    super();
    this.#http = http;
    this.#sender = sender;
    this.#close = close;
    const listeners = { [Symbol.iterator]: () => [this, ...this.#liveModels()][Symbol.iterator]() };
    const feed = new SyncFeed({ members: this.#members, http, environment, timing });
    // Before anything is connected, which nobody could close where a name is refused.
    for (const name of new Set(names)) this.#join(name);
    this.#connection = connect(feed, listeners, this);
  }

  /** @returns {ReadonlyMap<string, ViewModel>} */
  get viewModels() {
    return this.#viewModels;
  }

  get status() {
    return this.#connection.status;
  }

  /**
   * Takes a view model into the poll; one that is in it is given as it is, or looked for again
   * where the server had none.
   *
   * @param {string} name
   * @returns {ViewModel}
   * @throws {RangeError} For more than 100, which is as many as the server takes.
   * @throws {TypeError} For a name without a key, or with the key `.` or `..`.
   */
  add(name) {
    const member = this.#members.get(name);
    const held = this.#viewModels.get(name);
    if (held !== undefined && member?.isGone === false) return held;
    if (member !== undefined) member.isGone = false;
    const model = held ?? this.#join(name);
    this.#connection.dispatch("retry");
    return model;
  }

  /**
   * Closes a view model of the poll; the others go on.
   *
   * @param {string} name
   */
  remove(name) {
    this.#viewModels.get(name)?.close();
  }

  /** Ends the poll, and closes its view models. */
  close() {
    for (const model of this.#viewModels.values()) model.close();
    this.#close(this.#connection);
  }

  /** @param {string} name */
  #join(name) {
    if (this.#viewModels.size >= limit) throw new RangeError(`a poll takes ${limit} view models`);
    const model = new ViewModel(name, {
      http: this.#http,
      sender: this.#sender,
      connect: (mirror, model) => {
        /** @type {Member} */
        const member = {
          mirror,
          isSound: true,
          isGone: false,
          onProblem: (error) => {
            model.dispatchEvent(new CustomEvent("problem", { detail: { error } }));
            if (member.isGone) tellStatus();
          },
        };
        const tellStatus = () => {
          model.dispatchEvent(new CustomEvent("status", { detail: model.status }));
        };
        /** @type {Status | null} The last one, once it is closed: the poll's is that of others. */
        let last = null;
        this.#members.set(name, member);
        return {
          status: () => last ?? this.#statusOf(member),
          dispatch: (event, detail) => {
            if (last === null) this.#dispatch(member, event, detail);
          },
          close: () => {
            last = closed(this.#statusOf(member));
            this.#members.delete(name);
            this.#viewModels.delete(name);
            tellStatus();
          },
        };
      },
    });
    this.#viewModels.set(name, model);
    return model;
  }

  /** @param {Member} member */
  #statusOf(member) {
    const status = this.#connection.status;
    return member.isGone ? { ...status, state: /** @type {const} */ ("gone") } : status;
  }

  /**
   * @param {Member} member
   * @param {import("./types.js").ConnectionEvent} event
   * @param {{error?: unknown}} [detail]
   */
  #dispatch(member, event, detail) {
    if (event === "retry") member.isGone = false;
    if (event === "diverged") member.isSound = false;
    this.#connection.dispatch(event, detail);
  }

  /** The view models that share the poll's state. */
  *#liveModels() {
    for (const [name, model] of this.#viewModels) {
      if (this.#members.get(name)?.isGone === false) yield model;
    }
  }
}

/**
 * What becomes of a status when its view model is closed.
 *
 * @param {Status} status
 * @returns {Status}
 */
function closed(status) {
  return { ...status, state: "closed", previous: status.state, event: "close", retryAt: null };
}
