import { Channel } from "./channel.js";
import { elementsOf } from "./collection.js";
import { CommandSender } from "./command-sender.js";
import { Connection } from "./connection.js";
import { defaultTiming, hostEnvironment } from "./environment.js";
import { Http } from "./http.js";
import { Openings } from "./openings.js";
import { PageSignals } from "./page-signals.js";
import { ScreenFeed } from "./screen-feed.js";
import { SyncPoll } from "./sync-poll.js";
import { ViewModel } from "./view-model.js";

/** @typedef {import("./environment.js").Environment} Environment */
/** @typedef {import("./environment.js").Timing} Timing */
/** @typedef {import("./http.js").RequestOptions} RequestOptions */
/** @typedef {import("./openings.js").Opening} Opening */
/** @typedef {import("./types.js").RowWindow} RowWindow */
/** @typedef {import("./types.js").Transport} Transport */

/**
 * @typedef {object} ViewDeltaOptions
 * @property {string} [base] The address of the server, such as `http://127.0.0.1:8080`; the default is that of
 *   the page. The server refuses pages of other origins, unless `--allow-origin` names theirs. Hosts
 *   without origins, such as Node.js, need only the address.
 * @property {readonly Transport[]} [transports] The best first. If one does not work, the next is
 *   used, and the better one is tried again later.
 * @property {number} [places] How many streams and long polls all pages of one browser hold open together: 3
 *   unless given, because a browser opens six connections over HTTP/1.1. View models beyond that are
 *   polled until a place is free. `Infinity` suits a proxy that speaks HTTP/2. Without Web Locks there
 *   is no limit.
 * @property {Partial<Timing>} [timing]
 * @property {Partial<Environment>} [environment] For tests.
 */

/** @typedef {{close: () => void}} Owner The object that uses a connection and closes it. */

/** A server with its open view models. */
export class ViewDelta {
  #environment;
  #http;
  #openings;
  #places;
  #sender;
  #signals;
  #timing;
  #transports;
  /** @type {{transport: Transport | null}} */
  #working = { transport: null };
  /**
   * The channels of open view models, by their names and options. One with a window is never shared.
   *
   * @type {Map<string | symbol, Channel>}
   */
  #channels = new Map();
  /** @type {Map<Connection, Owner>} */
  #owners = new Map();

  /**
   * @param {ViewDeltaOptions} options
   * @throws {TypeError} If `base` is not the address of a server.
   */
  constructor(options = {}) {
    // A text has none of the options, so the client would take the server of the page.
    if (typeof options === "string") throw new TypeError(`give the address as {base: "${options}"}`);
    const { base = "", transports = ["events", "longPoll"], places = 3, timing, environment } = options;
    if (environment?.fetch === undefined) checkAddress(base);
    this.base = base;
    this.#places = places;
    this.#environment = { ...hostEnvironment(), ...environment };
    this.#timing = { ...defaultTiming, ...timing };
    this.#transports = transports;
    this.#http = new Http(base, this.#environment, this.#timing);
    this.#openings = new Openings(this.#http);
    this.#sender = new CommandSender(this.#http, this.#environment, this.#timing);
    this.#signals = new PageSignals(this.#environment, this.#timing, (signal) => {
      for (const connection of this.#owners.keys()) connection.dispatch(signal);
    });
  }

  /**
   * Opens a view model. All that are open with the same name and options share one copy, one connection
   * and one opening command; the connection ends when the last of them is closed. A closed view model
   * stays closed, and its name can be opened again.
   *
   * ```js
   * const list = server.open("scoreboard/1");
   * const badge = server.open("scoreboard/1"); // sends no request
   * list.close();
   * badge.close(); // ends the connection
   * ```
   *
   * Over HTTP/1.1 a browser opens six connections to a server, and each stream or long poll
   * occupies one. Beyond three (`places`) view models are polled. For more than a few of them use `sync`.
   *
   * @param {string} name The screen with its key, such as `profile/1`.
   * @param {object} options
   * @param {readonly Transport[]} [options.transports]
   * @param {string | Opening | false} [options.opening] The command that is sent while a source of the screen was
   *   never loaded, at first and after a restart of the server; `{type, opens}` names the sources that count. `false`
   *   sends none. By default it is the one that the server describes.
   * @param {RowWindow} [options.window] The rows of a long view model to follow; all rows unless given. `scroll`
   *   leads to others. A view model with a window shares nothing, because each can be scrolled.
   * @returns {ViewModel}
   * @throws {RangeError} If `start` is not an integer of 0 to 2,147,483,647, or `count` one of 1 to 1,000.
   * @throws {TypeError} If the name has no key, or a key with `/`, or the key `.` or `..`, or if there is no such
   *   transport.
   */
  open(name, { transports = this.#transports, opening, window } = {}) {
    const identity = window ? Symbol(name) : JSON.stringify([name, transports, opening]);
    const held = this.#channels.get(identity);
    if (held?.status.state === "gone") held.dispatch("joined");
    if (this.#signals.isHidden) held?.dispatch("hidden");
    const channel = held
      ?? this.#channel(name, { transports, opening, window }, () => this.#channels.delete(identity));
    this.#channels.set(identity, channel);
    return new ViewModel(channel);
  }

  /**
   * @param {string} name
   * @param {{transports: readonly Transport[], opening?: string | Opening | false, window?: RowWindow}} options
   * @param {() => void} onEnd
   */
  #channel(name, { transports, opening, window }, onEnd) {
    return new Channel(name, {
      window,
      http: this.#http,
      sender: this.#sender,
      opening: this.#opening(name, opening),
      connect: (mirror, channel) => {
        const feed = new ScreenFeed({ ...this.#parts, mirror, path: channel.path });
        const emit = (/** @type {"status" | "problem"} */ type, /** @type {any} */ detail) =>
          channel.emit(type, detail);
        const connection = this.#connection(feed, transports, emit, channel);
        return {
          status: () => connection.status,
          dispatch: (event, detail) => connection.dispatch(event, detail),
          close: () => {
            onEnd();
            this.#close(connection);
          },
        };
      },
    });
  }

  /**
   * Opens many view models, at most 100, with one connection for all of them: an event stream, or polls if
   * streams do not work. View models that change in one step of the server change here in one task.
   *
   * ```js
   * const screens = server.sync(["scoreboards/all", "scoreboard/1"]);
   * const list = screens.viewModels.get("scoreboards/all");
   * const profile = screens.add("profile/1");
   * ```
   *
   * @param {Iterable<string>} [names]
   * @param {object} options
   * @param {readonly Transport[]} [options.transports]
   * @param {false} [options.opening] `false` sends no opening commands; by default those that the server
   *   describes are sent as by `open`.
   * @returns {SyncPoll}
   * @throws {RangeError} If there are more than 100.
   * @throws {TypeError} If the name has no key, or a key with `/`, or the key `.` or `..`, or if there is no such
   *   transport.
   */
  sync(names = [], { transports = this.#transports, opening } = {}) {
    return new SyncPoll({
      names,
      opening: (name) => this.#opening(name, opening),
      ...this.#parts,
      sender: this.#sender,
      connect: (feed, emit, poll) => this.#connection(feed, transports, emit, poll),
      isHidden: () => this.#signals.isHidden,
      close: (connection) => this.#close(connection),
    });
  }

  /**
   * Sends any request to the server, as JSON.
   *
   * ```js
   * await server.request("/v1/users/4", { method: "PATCH", body: { website: "dana.example.net" } });
   * ```
   *
   * @param {string} path
   * @param {RequestOptions} [options]
   * @returns {Promise<any>} The body of the answer; `null` if there is none.
   * @throws {import("./problem-error.js").ProblemError}
   * @throws {TypeError} If there is no answer within `requestTimeout`.
   */
  async request(path, options) {
    return (await this.#http.ask(path, options)).body;
  }

  /**
   * Loads the elements of a collection page by page, following the server's `Link` fields. It begins again if the
   * last element of a page is deleted before the next one is loaded, up to three times.
   *
   * ```js
   * const users = await server.list("/v1/users");
   * ```
   *
   * @param {string} path The path of the collection, such as `/v1/users`.
   * @param {number} [limit] The maximum number of elements.
   * @returns {Promise<any[]>}
   * @throws {import("./problem-error.js").ProblemError}
   * @throws {TypeError} If there is no answer within `requestTimeout`, or if a page comes twice.
   */
  async list(path, limit = Infinity) {
    return elementsOf(this.#http, path, limit);
  }

  /** Closes all view models and polls permanently. */
  close() {
    for (const owner of this.#owners.values()) owner.close();
    this.#openings.close();
    this.#signals.close();
  }

  /**
   * @param {string} name
   * @param {string | Opening | false | undefined} given
   * @returns {(isRestarted: boolean) => Promise<Opening | undefined>}
   */
  #opening(name, given) {
    const [screen] = `${name}`.split("/", 1);
    if (given === undefined) return (isRestarted) => this.#openings.of(screen, isRestarted);
    const opening = typeof given === "string" ? { type: given } : given || undefined;
    return async () => opening;
  }

  get #parts() {
    return { http: this.#http, environment: this.#environment, timing: this.#timing };
  }

  /**
   * @param {import("./connection.js").Feed} feed
   * @param {readonly Transport[]} transports
   * @param {import("./sync-poll.js").Emit} emit
   * @param {Owner} owner
   */
  #connection(feed, transports, emit, owner) {
    let wasProven = false;
    const connection = new Connection({
      feed,
      transports,
      places: this.#places,
      scope: this.base,
      working: this.#working,
      environment: this.#environment,
      timing: this.#timing,
      onStatus: (status) => {
        if (status.isProven && !wasProven) this.#sender.wake();
        wasProven = status.isProven;
        emit("status", status);
      },
      onProblem: (error) => emit("problem", { error }),
    });
    this.#owners.set(connection, owner);
    // The connection starts after the current task, so that the caller can add listeners first.
    queueMicrotask(() => {
      if (this.#signals.isHidden) connection.dispatch("hidden");
      connection.dispatch("open");
    });
    return connection;
  }

  /** @param {Connection} connection */
  #close(connection) {
    this.#owners.delete(connection);
    connection.dispatch("close");
  }
}

/**
 * Checks that requests can be sent to an address: else each would be taken for one that a lost network has failed,
 * and be sent again.
 *
 * @param {string} base
 */
function checkAddress(base) {
  try {
    const page = globalThis.document?.baseURI ?? globalThis.location?.href;
    if (/^https?:$/.test(new URL(`${base}/v1`, page).protocol)) return;
  } catch {
    // It is no address at all.
  }
  throw new TypeError(`"${base}" is not the address of a server: write it as "http://127.0.0.1:8080"`);
}
