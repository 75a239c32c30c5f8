import { viewModelPath } from "./api-path.js";
import { checkedWindow, isSame, isSameWindow, moved, withQuery } from "./held.js";
import { contentOf, diffPreferred } from "./http.js";
import { jsonSize } from "./json-size.js";
import { Mirror } from "./mirror.js";
import { Opener } from "./opener.js";
import { isRefusal } from "./problem-error.js";

/** @typedef {import("./command-sender.js").CommandSender} CommandSender */
/** @typedef {import("./held.js").Held} Held */
/** @typedef {import("./http.js").Http} Http */
/** @typedef {import("./mirror.js").Reception} Reception */
/** @typedef {import("./openings.js").Opening} Opening */
/** @typedef {import("./types.js").Change} Change */
/** @typedef {import("./types.js").Command} Command */
/** @typedef {import("./types.js").CommandReply} CommandReply */
/** @typedef {import("./types.js").ConnectionEvent} ConnectionEvent */
/** @typedef {import("./types.js").RowWindow} RowWindow */
/** @typedef {import("./types.js").Status} Status */
/** @typedef {import("./view-model.js").ViewModel} ViewModel */
/** @typedef {import("./view-model.js").ViewModelEvents} ViewModelEvents */

/**
 * The methods of the connection that a channel uses.
 *
 * @typedef {object} Control
 * @property {() => Status} status
 * @property {(event: ConnectionEvent, detail?: {error?: unknown}) => void} dispatch
 * @property {() => void} close
 */

/** How often a command asks for its change while others come in between. */
const catchUpAttempts = 3;

/** What view models of one name share: the copy, its connection, and its opener. It ends with the last of them. */
export class Channel {
  #control;
  #mirror;
  /**
   * The view models that joined an open connection, and have had no change yet.
   *
   * @type {Set<ViewModel>}
   */
  #newcomers = new Set();
  #opener;
  #sender;
  /** @type {Set<ViewModel>} */
  models = new Set();

  /**
   * @param {string} name The screen with its key.
   * @param {object} parts
   * @param {Http} parts.http
   * @param {CommandSender} parts.sender
   * @param {(isRestarted: boolean) => Promise<Opening | undefined>} parts.opening As `Opener` takes it.
   * @param {RowWindow} [parts.window] The window through which the view model is seen; absent for all rows.
   * @param {(mirror: Mirror, channel: Channel) => Control} parts.connect
   * @throws {RangeError} If the server has no such window.
   */
  constructor(name, { http, sender, opening, window, connect }) {
    this.name = name;
    this.path = viewModelPath(name);
    this.http = http;
    this.#sender = sender;
    this.#opener = new Opener(this, { sender, opening });
    this.#mirror = new Mirror(name, window && checkedWindow(window), {
      onChange: (change, isDoubtful) => this.#tell(change, isDoubtful),
      onDivergence: (error) => this.emit("diverged", { error }),
      onRename: (names, isDoubtful) => {
        this.emit("advanced", { ...names, change: null });
        if (isDoubtful) this.#opener.openIfBlank(true);
      },
    });
    this.#control = connect(this.#mirror, this);
  }

  get snapshot() {
    return this.#mirror.snapshot;
  }

  get status() {
    return this.#control.status();
  }

  /**
   * Adds a view model. One that joins an open connection has its events from the start, too: the status
   * and the snapshot, after the current task, so that the caller can add listeners first.
   *
   * @param {ViewModel} model
   */
  join(model) {
    this.models.add(model);
    if (this.models.size === 1 || this.status.state === "idle") return;
    this.#newcomers.add(model);
    queueMicrotask(() => {
      this.#inform(model, "status", this.status);
      this.#welcome(model, { bytes: 0, via: "snapshot" });
    });
  }

  /**
   * Removes a view model, and ends the connection with the last one.
   *
   * @param {ViewModel} model
   */
  leave(model) {
    this.models.delete(model);
    this.#newcomers.delete(model);
    if (this.models.size > 0) return;
    this.#opener.close();
    this.#control.close();
  }

  /** Closes all view models. */
  close() {
    for (const model of this.models) model.close();
  }

  /**
   * Asks for another window.
   *
   * @param {Partial<RowWindow>} change
   * @throws {RangeError} If the server has no such window.
   * @throws {TypeError} If the view model is not seen through a window.
   */
  scroll(change) {
    const { window } = this.#mirror;
    if (window === undefined) throw new TypeError(`${this.name} was opened without a window`);
    const next = checkedWindow({ ...window, ...change });
    if (isSameWindow(next, window)) return;
    this.#mirror.window = next;
    this.dispatch("scrolled");
  }

  /**
   * @param {ConnectionEvent} event
   * @param {{error?: unknown}} [detail]
   */
  dispatch(event, detail) {
    this.#control.dispatch(event, detail);
  }

  /**
   * @template {keyof ViewModelEvents} Type
   * @param {Type} type
   * @param {ViewModelEvents[Type]} detail
   */
  emit(type, detail) {
    for (const model of this.models) this.#inform(model, type, detail);
    this.#opener.openIfDue();
  }

  /**
   * @param {Change} change
   * @param {boolean} isDoubtful Whether the server may have been restarted.
   */
  #tell(change, isDoubtful) {
    const from = change.before?.revision ?? null;
    const { revision: to } = change.after;
    for (const model of this.models) {
      if (this.#welcome(model, change)) continue;
      this.#inform(model, "change", change);
      if (from !== to) this.#inform(model, "advanced", { from, to, change });
    }
    // A server that was restarted may know the content, and send what has changed since.
    if (change.kind === "diff" && !isDoubtful) return;
    // The whole copy in the reply to the opening command comes from the server that took it.
    this.#opener.openIfBlank(change.via !== "command");
  }

  /**
   * Tells a newcomer the whole snapshot.
   *
   * @param {ViewModel} model
   * @param {Pick<Change, "bytes" | "via">} origin
   * @returns {boolean} Whether it is a newcomer.
   */
  #welcome(model, { bytes, via }) {
    const after = this.snapshot;
    if (after === null || !this.#newcomers.delete(model)) return false;
    /** @type {Change} */
    const change = { kind: "snapshot", before: null, after, diff: null, reason: null, bytes, via };
    this.#inform(model, "change", change);
    this.#inform(model, "advanced", { from: null, to: after.revision, change });
    return true;
  }

  /**
   * Dispatches an event of a view model, unless a listener of the one before has closed it.
   *
   * @template {keyof ViewModelEvents} Type
   * @param {ViewModel} model
   * @param {Type} type
   * @param {ViewModelEvents[Type]} detail
   */
  #inform(model, type, detail) {
    if (this.models.has(model)) model.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /**
   * Sends a command, and applies the change that its reply has.
   *
   * @param {Command} command
   * @param {object} options
   * @param {string} [options.at] The only revision at which it may be executed.
   * @param {AbortSignal} options.signal Abandons the command.
   * @returns {Promise<CommandReply>}
   */
  async send(command, { at, signal }) {
    const basis = this.#mirror.held;
    let body;
    try {
      ({ body } = await this.#sender.send(this.path, command, { held: basis, at, signal }));
    } catch (error) {
      if (isRefusal(error)) this.dispatch("online");
      throw error;
    }
    let reception = body.diff === undefined ? "received" : this.#receive(body.diff, basis, "command");
    // The server has answered, so a connection that waits tries again at once. After a diff that does not fit it keeps
    // its pause.
    if (reception !== "diverged") this.dispatch("online");
    try {
      // Another change came in between, so that the diff does not fit.
      for (let attempt = 1; reception === "stale" && attempt <= catchUpAttempts; attempt++) {
        reception = await this.catchUp(signal);
      }
    } catch {
      // The command was executed. Its change comes by the connection.
    }
    return body;
  }

  /**
   * Asks for the current revision, which the connection does not bring after a change that cannot be seen.
   *
   * @param {AbortSignal} signal
   * @returns {Promise<Reception>}
   */
  async catchUp(signal) {
    const basis = this.#mirror.held;
    const path = withQuery(`${this.path}/diff`, basis);
    const answer = await this.http.ask(path, { headers: diffPreferred, signal });
    const body = contentOf(answer);
    if (body !== null) return this.#receive(body, basis, "poll");
    if (this.#mirror.confirm(answer.headers.get("View-Revision"), basis)) this.dispatch("advanced");
    return "received";
  }

  /**
   * @param {import("./types.js").ChangeDocument} document
   * @param {Held} basis
   * @param {"command" | "poll"} via
   * @returns {Reception}
   */
  #receive(document, basis, via) {
    const origin = { basis, bytes: jsonSize(document), via };
    const reception = this.#mirror.receive(document, origin);
    if (reception === "diverged") this.dispatch("diverged");
    if (reception === "received" && !isSame(basis, moved(basis, document.revision))) this.dispatch("advanced");
    return reception;
  }
}
