import { apiPath } from "./api-path.js";
import { jsonSize } from "./json-size.js";
import { Mirror } from "./mirror.js";
import { typedEventTarget } from "./typed-event-target.js";

/** @typedef {import("./command-sender.js").CommandSender} CommandSender */
/** @typedef {import("./http.js").Http} Http */
/** @typedef {import("./types.js").Command} Command */
/** @typedef {import("./types.js").CommandReply} CommandReply */
/** @typedef {import("./types.js").ConnectionEvent} ConnectionEvent */
/** @typedef {import("./types.js").Revision} Revision */
/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./types.js").Status} Status */

/**
 * What a view model asks of the connection that feeds it.
 *
 * @typedef {object} Control
 * @property {() => Status} status
 * @property {(event: ConnectionEvent, detail?: {error?: unknown}) => void} dispatch
 * @property {() => void} close
 */

/**
 * @typedef {object} ViewModelEvents
 * @property {import("./types.js").Change} change
 * @property {Status} status
 * @property {{error: unknown}} problem
 * @property {{error: import("./divergence-error.js").DivergenceError}} diverged
 * @property {{from: string, to: string}} advanced
 */

/** @type {new () => import("./typed-event-target.js").TypedEventTarget<ViewModelEvents>} */
const Events = typedEventTarget();

/**
 * A view model of a server, kept in step. Made by `ViewDelta` and `SyncPoll`.
 *
 * | event | `detail` | when |
 * |---|---|---|
 * | `change` | `Change` | `snapshot` is another |
 * | `status` | `Status` | the connection's state, transport or time of retry is another |
 * | `problem` | `{error}` | an attempt failed, or there is no such view model |
 * | `diverged` | `{error: DivergenceError}` | a document did not fit; all is loaded anew |
 * | `advanced` | `{from, to}` | the server was restarted with the same content: a new revision |
 */
export class ViewModel extends Events {
  #closing = new AbortController();
  #control;
  #http;
  #mirror;
  #sender;

  /**
   * @param {string} name
   * @param {object} parts
   * @param {Http} parts.http
   * @param {CommandSender} parts.sender
   * @param {(mirror: Mirror, model: ViewModel) => Control} parts.connect
   */
  constructor(name, { http, sender, connect }) {
    super();
    /** The screen with its key, such as `profile/1`. */
    this.name = name;
    this.path = viewModelPath(name);
    this.#http = http;
    this.#sender = sender;
    this.#mirror = new Mirror(name, {
      onChange: (change) => this.#emit("change", change),
      onDivergence: (error) => this.#emit("diverged", { error }),
      onRename: (names) => this.#emit("advanced", names),
    });
    this.#control = connect(this.#mirror, this);
  }

  /** What is held; `null` before the first answer. It stays while a connection is lost. */
  get snapshot() {
    return this.#mirror.snapshot;
  }

  /** @returns {Status} */
  get status() {
    return this.#control.status();
  }

  /**
   * Sends a command. The change that it makes is applied before the promise is kept.
   *
   * A command whose reply is lost is sent again, and done once all the same.
   *
   * @param {Command} command
   * @param {object} options
   * @param {string} [options.at] The revision at which it is to be done, and at no other: the server
   *   refuses it with the code `precondition-failed` if the current one is another. So a screen is
   *   opened once, however many clients see that it is empty.
   * @returns {Promise<CommandReply>}
   * @throws {import("./problem-error.js").ProblemError} Where the server refuses it; `pointer`
   *   names the member at fault.
   * @throws {TypeError} Where no reply came.
   * @throws {DOMException} An `AbortError` where the view model is closed, before or meanwhile.
   */
  async send(command, { at } = {}) {
    const basis = this.#mirror.revision;
    const { signal } = this.#closing;
    const { body } = await this.#sender.send(this.path, command, { since: basis, at, signal });
    // A reply that has just come when the view model is closed is given, and changes nothing.
    if (body.diff !== undefined && !signal.aborted) this.#receive(body.diff, basis);
    return body;
  }

  /**
   * @param {import("./types.js").ChangeDocument} document
   * @param {string | null} basis
   */
  #receive(document, basis) {
    const origin = { basis, bytes: jsonSize(document), via: /** @type {const} */ ("command") };
    const reception = this.#mirror.receive(document, origin);
    if (reception === "diverged") this.#control.dispatch("diverged");
    if (reception === "received" && document.revision !== basis) this.#control.dispatch("advanced");
  }

  /**
   * The newest revisions that the server keeps, oldest first.
   *
   * @param {object} options
   * @param {number} [options.limit] How many at most: 100 if it is left out, and never more than 1,000.
   * @param {string} [options.before] Only those older than this one: a page further back.
   * @returns {Promise<Revision[]>}
   */
  async revisions({ limit, before } = {}) {
    const query = new URLSearchParams();
    if (limit !== undefined) query.set("limit", String(limit));
    if (before !== undefined) query.set("before", before);
    return (await this.#http.ask(`${this.path}/revisions?${query}`)).body.revisions;
  }

  /**
   * The view model as it was at a revision that the server keeps.
   *
   * @param {string} revision
   * @returns {Promise<Snapshot>}
   */
  async at(revision) {
    return (await this.#http.ask(`${this.path}?${new URLSearchParams({ at: revision })}`)).body;
  }

  /**
   * The screen's commands with their schemas, and its state machines.
   *
   * @returns {Promise<any>}
   */
  async describe() {
    const [screen] = this.name.split("/", 1);
    return (await this.#http.ask(apiPath("view-models", screen))).body;
  }

  /** Cuts the connection, as a lost network does; it comes back by itself. */
  drop() {
    this.#control.dispatch("failed", { error: new Error("the connection was cut") });
  }

  /** Asks again now, whatever the connection waits for. */
  retry() {
    this.#control.dispatch("retry");
  }

  /**
   * Ends the connection, for good; `snapshot` stays as it is.
   *
   * A command under way is given up: the server may have done it or not.
   */
  close() {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#control.close();
  }

  /**
   * @template {keyof ViewModelEvents} Type
   * @param {Type} type
   * @param {ViewModelEvents[Type]} detail
   */
  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/**
 * The path of a view model.
 *
 * @param {string} name The screen with its key; the key may have any characters but `/`.
 * @returns {string}
 * @throws {TypeError} For a name without a key, or with a key that no path can have: `.` or `..`.
 */
export function viewModelPath(name) {
  const [screen, key = ""] = name.split(/\/(.*)/s, 2);
  if (screen === "" || key === "") throw new TypeError(`"${name}" is not a screen with its key`);
  return apiPath("view-models", screen, key);
}
