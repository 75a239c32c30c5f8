import { Channel } from "./channel.js";
import { SyncFeed } from "./sync-feed.js";
import { typedEventTarget } from "./typed-event-target.js";
import { ViewModel } from "./view-model.js";

/** @typedef {import("./command-sender.js").CommandSender} CommandSender */
/** @typedef {import("./connection.js").Connection} Connection */
/** @typedef {import("./environment.js").Environment} Environment */
/** @typedef {import("./http.js").Http} Http */
/** @typedef {import("./openings.js").Opening} Opening */
/** @typedef {import("./sync-feed.js").Member} Member */
/** @typedef {import("./types.js").Status} Status */

/** @typedef {(type: "status" | "problem", detail: any) => void} Emit Passes on an event of a connection. */

/** The maximum number of view models of one connection. */
const limit = 100;

/**
 * @type {new () => import("./typed-event-target.js").TypedEventTarget<{
 *   status: Status, problem: {error: unknown}}>}
 */
const Events = typedEventTarget();

/**
 * One stream or poll for many view models. `ViewDelta` creates it.
 *
 * It emits `status` and `problem` for its connection as a whole, and so does each view model. A view
 * model that does not exist, or that the server cannot show for a while, has a `problem` of its own, and a
 * `status` whose `isProven` is `false`; the others are unaffected.
 */
export class SyncPoll extends Events {
  /** @type {Map<string, Member & {channel: Channel}>} */
  #members = new Map();
  /** @type {Map<string, ViewModel>} */
  #viewModels = new Map();
  #close;
  #connection;
  #http;
  #isClosing = false;
  #isHidden;
  #opening;
  #sender;

  /**
   * @param {object} parts
   * @param {Iterable<string>} parts.names
   * @param {Http} parts.http
   * @param {CommandSender} parts.sender
   * @param {(name: string) => (isRestarted: boolean) => Promise<Opening | undefined>} parts.opening
   * @param {Environment} parts.environment
   * @param {import("./environment.js").Timing} parts.timing
   * @param {(feed: SyncFeed, emit: Emit, poll: SyncPoll) => Connection} parts.connect
   * @param {() => boolean} parts.isHidden
   * @param {(connection: Connection) => void} parts.close
   */
  constructor({ names, http, sender, opening, environment, timing, connect, isHidden, close }) {
    super();
    this.#http = http;
    this.#isHidden = isHidden;
    this.#opening = opening;
    this.#sender = sender;
    this.#close = close;
    /** @type {Emit} */
    const emit = (type, detail) => {
      this.dispatchEvent(new CustomEvent(type, { detail }));
      // Those that are gone have a state of their own.
      for (const member of this.#members.values()) {
        if (!member.isGone) member.channel.emit(type, type === "status" ? this.#statusOf(member) : detail);
      }
    };
    const feed = new SyncFeed({ members: this.#members, http, environment, timing });
    // All names are checked before a connection is opened, because no caller could close it after
    // an error.
    for (const name of new Set(names)) this.#join(name);
    this.#connection = connect(feed, emit, this);
  }

  /** @returns {ReadonlyMap<string, ViewModel>} */
  get viewModels() {
    return this.#viewModels;
  }

  get status() {
    return this.#connection.status;
  }

  /**
   * Adds a view model to the poll. If it is already there it is returned, and requested again if
   * the server did not have it.
   *
   * @param {string} name
   * @param {object} options
   * @param {import("./types.js").RowWindow} [options.window] The rows of a long view model to follow; all
   *   rows unless given. `scroll` leads to others. Ignored if the view model is already there.
   * @returns {ViewModel}
   * @throws {RangeError} If there are more than 100 view models, the limit of the server, or if the server has no such
   *   window.
   * @throws {TypeError} If a name has no key, or a key with `/`, or the key `.` or `..`.
   */
  add(name, { window } = {}) {
    const member = this.#members.get(name);
    const held = this.#viewModels.get(name);
    if (held !== undefined && member?.isGone === false) return held;
    if (member !== undefined) member.isGone = false;
    const model = held ?? this.#join(name, window);
    this.#connection.dispatch("joined");
    // A connection whose view models were gone begins again, but not while the page is hidden.
    if (this.#isHidden()) this.#connection.dispatch("hidden");
    return model;
  }

  /**
   * Closes a view model of the poll. The others are unaffected: the request under way goes on, and its changes of
   * this one are dropped.
   *
   * @param {string} name
   */
  remove(name) {
    this.#viewModels.get(name)?.close();
  }

  /** Ends the poll and closes its view models. */
  close() {
    this.#isClosing = true;
    for (const model of this.#viewModels.values()) model.close();
    this.#close(this.#connection);
  }

  /**
   * @param {string} name
   * @param {import("./types.js").RowWindow} [window]
   */
  #join(name, window) {
    if (this.#viewModels.size >= limit) throw new RangeError(`a poll has at most ${limit} view models`);
    const channel = new Channel(name, {
      http: this.#http,
      opening: this.#opening(name),
      window,
      sender: this.#sender,
      connect: (mirror, channel) => {
        const member = {
          channel,
          mirror,
          isSound: true,
          isGone: false,
          problem: null,
          onProblem: (/** @type {unknown} */ error) => {
            channel.emit("problem", { error });
            channel.emit("status", this.#statusOf(member));
          },
          onRecovery: () => channel.emit("status", this.#statusOf(member)),
        };
        this.#members.set(name, member);
        return {
          status: () => this.#statusOf(member),
          dispatch: (event, detail) => this.#dispatch(member, event, detail),
          close: () => {
            this.#members.delete(name);
            this.#viewModels.delete(name);
            if (this.#isClosing) return;
            // A stream of nothing would occupy one of the few connections of the browser.
            if ([...this.#members.values()].every(({ isGone }) => isGone)) this.#connection.dispatch("absent");
          },
        };
      },
    });
    const model = new ViewModel(channel);
    this.#viewModels.set(name, model);
    return model;
  }

  /**
   * What is shown of a view model that the server cannot show is not known to be current, however the connection is.
   *
   * @param {Member} member
   * @returns {Status}
   */
  #statusOf({ isGone, problem }) {
    const status = this.#connection.status;
    if (!isGone && problem === null) return status;
    return { ...status, isProven: false, ...(isGone && { state: "gone" }) };
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
}
