import { apiPath } from "./api-path.js";
import { CommandQueue } from "./command-queue.js";
import { diffPreferred } from "./http.js";
import { jsonSize } from "./json-size.js";
import { Mirror } from "./mirror.js";
import { ProblemError } from "./problem-error.js";
import { transform } from "./transform.js";
import { typedEventTarget } from "./typed-event-target.js";

/** @typedef {import("./command-sender.js").CommandSender} CommandSender */
/** @typedef {import("./http.js").Http} Http */
/** @typedef {import("./types.js").Command} Command */
/** @typedef {import("./types.js").CommandReply} CommandReply */
/** @typedef {import("./types.js").ConnectionEvent} ConnectionEvent */
/** @typedef {import("./types.js").Revision} Revision */
/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").Section} Section */
/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./types.js").Status} Status */
/**
 * @template {{id: any, type?: any}} Element
 * @typedef {import("./transform.js").TransformableList<Element>} TransformableList
 */

/**
 * The methods of the connection that a view model uses.
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

/** How often a screen is opened that changes meanwhile in ways that cannot be seen. */
const openingAttempts = 8;

/** @type {new () => import("./typed-event-target.js").TypedEventTarget<ViewModelEvents>} */
const Events = typedEventTarget();

/**
 * A view model of a server, kept up to date. `ViewDelta` and `SyncPoll` create it.
 *
 * | event | `detail` | when |
 * |---|---|---|
 * | `change` | `Change` | `snapshot` has changed |
 * | `status` | `Status` | the connection's state, transport or retry time has changed |
 * | `problem` | `{error}` | an attempt failed, or the view model does not exist |
 * | `diverged` | `{error: DivergenceError}` | a document could not be applied; the view model is loaded again |
 * | `advanced` | `{from, to}` | the server was restarted with the same content: a new revision |
 */
export class ViewModel extends Events {
  #closing = new AbortController();
  #commands = new CommandQueue();
  #control;
  #http;
  #mirror;
  #opening;
  #isOpening = false;
  #sender;

  /**
   * @param {string} name
   * @param {object} parts
   * @param {Http} parts.http
   * @param {CommandSender} parts.sender
   * @param {() => Promise<string | undefined>} parts.opening Returns the command that loads the screen.
   * @param {(mirror: Mirror, model: ViewModel) => Control} parts.connect
   */
  constructor(name, { http, sender, opening, connect }) {
    super();
    /** The screen with its key, such as `profile/1`. */
    this.name = name;
    this.path = viewModelPath(name);
    this.#http = http;
    this.#sender = sender;
    this.#opening = opening;
    this.#mirror = new Mirror(name, {
      onChange: (change) => {
        this.#emit("change", change);
        if (change.kind !== "diff") this.#openIfBlank();
      },
      onDivergence: (error) => this.#emit("diverged", { error }),
      onRename: (names) => {
        this.#emit("advanced", names);
        this.#openIfBlank();
      },
    });
    this.#control = connect(this.#mirror, this);
  }

  /** The held snapshot; `null` before the first answer. It is kept while the connection is lost. */
  get snapshot() {
    return this.#mirror.snapshot;
  }

  /** @returns {Status} */
  get status() {
    return this.#control.status();
  }

  /**
   * Keeps a list in step with the sections, or with the rows of one section, by single operations: now
   * and after each change, before its event gets to the listeners that are added later.
   *
   * ```js
   * const list = document.querySelector("ul");
   * const show = (item, row) => { item.textContent = row.title; return item; };
   * profile.drive({
   *   elements: [],
   *   insert(row, at) {
   *     this.elements.splice(at, 0, row);
   *     list.insertBefore(show(document.createElement("li"), row), list.children[at] ?? null);
   *   },
   *   delete(row, at) {
   *     this.elements.splice(at, 1);
   *     list.children[at].remove();
   *   },
   *   update(old, at, row) {
   *     this.elements[at] = row;
   *     show(list.children[at], row);
   *   },
   * }, "posts");
   * ```
   *
   * A section is updated if its fields or rows change; the list then passes its rows on by `transform`.
   * What a diff reloads goes to the list's method `reload`, or to `update` if there is none.
   * A list of rows is empty while the view model does not have the section.
   *
   * @template {Row | Section} Element
   * @param {TransformableList<Element>} list
   * @param {string} [section] The id of the section; without it the list is one of sections.
   * @returns {() => void} Ends it.
   */
  drive(list, section) {
    /** @param {CustomEvent<import("./types.js").Change>} [event] */
    const follow = (event) => {
      const sections = this.snapshot?.sections ?? [];
      const elements = section === undefined ? sections
        : (sections.find(({ id }) => id === section)?.rows ?? []);
      const reloaded = reloads(event?.detail, section);
      // A section or row that has neither changed nor is reloaded is the same object.
      transform(list, /** @type {any} */ (elements), Object.is, ({ id }) => reloaded.has(id));
    };
    follow();
    this.addEventListener("change", follow);
    return () => this.removeEventListener("change", follow);
  }

  /**
   * Sends a command, after the replies to those that were sent before it. The change that it causes is
   * applied before the promise is fulfilled.
   *
   * A command whose reply is lost is sent again, but takes effect only once.
   *
   * @param {Command} command
   * @param {object} options
   * @param {string} [options.at] The only revision at which the command may be executed: if another
   *   one is current, the server refuses it with the code `precondition-failed`. So a screen is
   *   opened once, even if many clients see that it is empty.
   * @param {string} [options.slot] The thing that the command sets, such as the id of a field: of commands
   *   with one slot that wait, only the last is sent, and all get its reply.
   * @returns {Promise<CommandReply>}
   * @throws {import("./problem-error.js").ProblemError} If the server refuses it; `pointer` names
   *   the invalid member.
   * @throws {TypeError} If there is no reply.
   * @throws {RangeError} If 100 commands wait.
   * @throws {DOMException} An `AbortError` if the view model is or gets closed.
   */
  send(command, { at, slot } = {}) {
    return this.#commands.send(() => this.#send(command, at), slot);
  }

  /**
   * @param {Command} command
   * @param {string | undefined} at
   * @returns {Promise<CommandReply>}
   */
  async #send(command, at) {
    const basis = this.#mirror.revision;
    const { signal } = this.#closing;
    const { body } = await this.#sender.send(this.path, command, { since: basis, at, signal });
    // If a reply arrives while the view model is being closed, it is returned and not applied.
    if (body.diff !== undefined && !signal.aborted) this.#receive(body.diff, basis, "command");
    return body;
  }

  /**
   * Sends the opening command of the screen if a source was never loaded, as at first and after a restart
   * of the server. Of many clients that do so at once, one is first and the others are refused. If the
   * screen is still blank after the change that came first, the command is sent again.
   */
  async #openIfBlank() {
    if (this.#isOpening) return;
    this.#isOpening = true;
    try {
      for (let attempt = 1; this.#isBlank && attempt <= openingAttempts; attempt++) {
        const type = await this.#opening();
        const at = this.#mirror.revision ?? undefined;
        if (type === undefined || !this.#isBlank || (await this.#isTaken({ type }, at))) break;
        await this.#catchUp();
      }
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#emit("problem", { error });
    } finally {
      this.#isOpening = false;
    }
  }

  get #isBlank() {
    return Object.values(this.snapshot?.states ?? {}).includes("notRequested");
  }

  /**
   * Sends a command for a revision; `false` if there is another one.
   *
   * @param {Command} command
   * @param {string | undefined} at
   */
  async #isTaken(command, at) {
    try {
      await this.send(command, { at });
      return true;
    } catch (error) {
      if (error instanceof ProblemError && error.status === 412) return false;
      throw error;
    }
  }

  /** Asks for the current revision, which the connection does not bring after a change that cannot be seen. */
  async #catchUp() {
    const basis = this.#mirror.revision;
    const query = new URLSearchParams({ since: basis ?? "" });
    const { body, headers } = await this.#http.ask(`${this.path}/diff?${query}`, {
      headers: diffPreferred,
      signal: this.#closing.signal,
    });
    if (body !== null) this.#receive(body, basis, "poll");
    else if (this.#mirror.confirm(headers.get("View-Revision"), basis)) this.#control.dispatch("advanced");
  }

  /**
   * @param {import("./types.js").ChangeDocument} document
   * @param {string | null} basis
   * @param {"command" | "poll"} via
   */
  #receive(document, basis, via) {
    const origin = { basis, bytes: jsonSize(document), via };
    const reception = this.#mirror.receive(document, origin);
    if (reception === "diverged") this.#control.dispatch("diverged");
    if (reception === "received" && document.revision !== basis) this.#control.dispatch("advanced");
  }

  /**
   * Loads the newest revisions that the server keeps, oldest first.
   *
   * @param {object} options
   * @param {number} [options.limit] The maximum number; the default is 100, the limit 1,000.
   * @param {string} [options.before] Only revisions older than this one, to load a further page.
   * @returns {Promise<Revision[]>}
   */
  async revisions({ limit, before } = {}) {
    const query = new URLSearchParams();
    if (limit !== undefined) query.set("limit", String(limit));
    if (before !== undefined) query.set("before", before);
    return (await this.#http.ask(`${this.path}/revisions?${query}`)).body.revisions;
  }

  /**
   * Loads the view model at a revision that the server keeps.
   *
   * @param {string} revision
   * @returns {Promise<Snapshot>}
   */
  async at(revision) {
    return (await this.#http.ask(`${this.path}?${new URLSearchParams({ at: revision })}`)).body;
  }

  /**
   * Loads the screen's commands with their schemas, and its state machines.
   *
   * @returns {Promise<any>}
   */
  async describe() {
    const [screen] = this.name.split("/", 1);
    return (await this.#http.ask(apiPath("view-models", screen))).body;
  }

  /** Cuts the connection, as a lost network does. It is restored automatically. */
  drop() {
    this.#control.dispatch("failed", { error: new Error("the connection was cut") });
  }

  /** Retries now, in any state of the connection. */
  retry() {
    this.#control.dispatch("retry");
  }

  /**
   * Ends the connection permanently; `snapshot` remains.
   *
   * A command in progress is abandoned: the server may have executed it or not.
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
 * Returns the ids of what a change reloads: of sections, or of the rows of one section.
 *
 * @param {import("./types.js").Change | undefined} change
 * @param {string} [section]
 * @returns {Set<string>}
 */
function reloads(change, section) {
  const { sections, rows } = change?.diff ?? {};
  const whole = (sections?.reloads ?? []).map(({ id }) => id);
  if (section === undefined) return new Set(whole);
  if (!whole.includes(section)) return new Set((rows?.reloads ?? []).map(({ id }) => id));
  return new Set(change?.after.sections.find(({ id }) => id === section)?.rows.map(({ id }) => id));
}

/**
 * Returns the path of a view model.
 *
 * @param {string} name The screen with its key; the key may have any characters but `/`.
 * @returns {string}
 * @throws {TypeError} If the name has no key, or a key that a path cannot have: `.` or `..`.
 */
export function viewModelPath(name) {
  const [screen, key = ""] = name.split(/\/(.*)/s, 2);
  if (screen === "" || key === "") throw new TypeError(`"${name}" is not a screen with its key`);
  return apiPath("view-models", screen, key);
}
