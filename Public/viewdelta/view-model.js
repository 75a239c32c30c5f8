import { apiPath } from "./api-path.js";
import { CommandQueue } from "./command-queue.js";
import { transform } from "./transform.js";
import { typedEventTarget } from "./typed-event-target.js";

/** @typedef {import("./channel.js").Channel} Channel */
/** @typedef {import("./types.js").Command} Command */
/** @typedef {import("./types.js").CommandReply} CommandReply */
/** @typedef {import("./types.js").Revision} Revision */
/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").RowWindow} RowWindow */
/** @typedef {import("./types.js").Section} Section */
/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./types.js").Status} Status */
/**
 * @template {{id: any, type?: any}} Item
 * @typedef {import("./types.js").TransformableList<Item>} TransformableList
 */

/**
 * @typedef {object} ViewModelEvents
 * @property {import("./types.js").Change} change
 * @property {Status} status
 * @property {{error: unknown}} problem
 * @property {{error: import("./divergence-error.js").DivergenceError}} diverged
 * @property {import("./types.js").Advance} advanced
 */

/** @type {new () => import("./typed-event-target.js").TypedEventTarget<ViewModelEvents>} */
const Events = typedEventTarget();

/**
 * A view model of a server, kept up to date. `ViewDelta` and `SyncPoll` create it.
 *
 * | event | `detail` | when |
 * |---|---|---|
 * | `change` | `Change` | `snapshot` has changed |
 * | `advanced` | `Advance` | `snapshot` has another revision: after each change, and without one |
 * | `status` | `Status` | the connection's state, transport or retry time has changed |
 * | `problem` | `{error}` | an attempt failed, or the view model does not exist |
 * | `diverged` | `{error: DivergenceError}` | a document could not be applied; the view model is loaded again |
 *
 * `change.diff` has the operations that were applied to the rows and sections:
 *
 * ```js
 * profile.addEventListener("advanced", ({ detail: { to, change } }) => {
 *   const { inserts = [], deletes = [], moves = [], updates = [], reloads = [] } = change?.diff?.rows ?? {};
 *   for (const { row, at } of inserts) console.log(`${to} inserts ${row.id} at ${at}`);
 *   for (const { id } of [...deletes, ...moves, ...updates, ...reloads]) console.log(`${to} affects ${id}`);
 * });
 * ```
 */
export class ViewModel extends Events {
  #channel;
  #closing = new AbortController();
  #commands = new CommandQueue();
  /**
   * The state that is left after it was closed.
   *
   * @type {{snapshot: Snapshot | null, status: Status} | null}
   */
  #last = null;

  /** @param {Channel} channel */
  constructor(channel) {
    super();
    this.#channel = channel;
    /** The screen with its key, such as `profile/1`. */
    this.name = channel.name;
    this.path = channel.path;
    channel.join(this);
  }

  /** The held snapshot; `null` before the first answer. It is kept while the connection is lost. */
  get snapshot() {
    return this.#last === null ? this.#channel.snapshot : this.#last.snapshot;
  }

  /** @returns {Status} */
  get status() {
    return this.#last?.status ?? this.#channel.status;
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
   * A list of rows is empty while the view model does not have the section. TypeScript takes the elements for
   * rows unless the list says otherwise: name another type by `drive<Section>(…)`.
   *
   * @template {Row | Section} [Element=Row]
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
   * Asks for another window of a view model that was opened through one; a member that is left out is kept. The event
   * `change` follows, with the diff between the two windows, unless the window is changed again before that.
   *
   * ```js
   * const list = server.open("catalog/1", { window: { start: 0, count: 100 } });
   * list.addEventListener("change", ({ detail: { after } }) => console.log(after.rowCount, after.window?.total));
   * list.scroll({ start: 200 });
   * ```
   *
   * Each call ends the request under way, so call it again only once the window has come, or at intervals.
   *
   * @param {Partial<RowWindow>} window
   * @throws {RangeError} If `start` is not an integer of 0 to 2,147,483,647, or `count` one of 1 to 1,000.
   * @throws {TypeError} If the view model was opened without a window.
   */
  scroll(window) {
    if (this.#last === null) this.#channel.scroll(window);
  }

  /**
   * Sends a command, after the replies to those that this view model sent before it. The change that it
   * causes is applied before the promise is fulfilled, unless the connection is lost between the two.
   *
   * To show the effect before the server has answered, draw it over the rows of the snapshot until the promise is
   * settled. Draw the new value, such as a score of 7, and not a step, such as +1: the change may come by the stream
   * before the reply.
   *
   * ```js
   * await profile.send({ type: "loadPosts" });
   * await form.send({ type: "didChange", row: "name", value: "Ada" }, { slot: "name" });
   * ```
   *
   * A command without a reply is sent again for five minutes (`commandPatience`), at the latest when the
   * connection is back, but takes effect only once.
   *
   * @param {Command} command
   * @param {object} options
   * @param {string} [options.at] The only revision at which the command may be executed: if another
   *   one is current, the server refuses it with the code `precondition-failed`. So a view
   *   model is opened once, even if many clients see that it is empty.
   * @param {string} [options.slot] The thing that the command sets, such as the id of a field: of commands
   *   with one slot that wait, only the last is sent, and all get its reply.
   * @returns {Promise<CommandReply>}
   * @throws {import("./problem-error.js").ProblemError} If the server or a proxy refuses it; `pointer` names
   *   the invalid member. If `status` is 500 or more, the server may have executed it.
   * @throws {TypeError} If there is no reply in that time, so that the server may have executed it, or if the command
   *   is not JSON.
   * @throws {RangeError} If 100 commands wait.
   * @throws {DOMException} An `AbortError` if the view model is or gets closed.
   */
  async send(command, { at, slot } = {}) {
    const { signal } = this.#closing;
    // What is sent is the command as it is now, even if the caller changes it while it waits.
    const text = JSON.stringify(command);
    if (text === undefined) throw new TypeError("the command is not JSON");
    return this.#commands.send(() => this.#channel.send(JSON.parse(text), { at, signal }), slot);
  }

  /**
   * Loads the newest revisions that the server keeps, oldest first.
   *
   * ```js
   * const [oldest] = await profile.revisions({ limit: 10 });
   * const former = await profile.at(oldest.revision);
   * ```
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
    return (await this.#channel.http.ask(`${this.path}/revisions?${query}`)).body.revisions;
  }

  /**
   * Loads the view model, with all rows, at a revision that the server keeps.
   *
   * @param {string} revision
   * @returns {Promise<Snapshot>}
   */
  async at(revision) {
    return (await this.#channel.http.ask(`${this.path}?${new URLSearchParams({ at: revision })}`)).body;
  }

  /**
   * Loads the screen's commands with their schemas, and its state machines.
   *
   * @returns {Promise<any>}
   */
  async describe() {
    const [screen] = this.name.split("/", 1);
    return (await this.#channel.http.ask(apiPath("view-models", screen))).body;
  }

  /** Cuts the connection for all that share it, as a lost network does. It is restored automatically. */
  drop() {
    if (this.#last === null) this.#channel.dispatch("failed", { error: new Error("the connection was cut") });
  }

  /** Retries now, in any state of the connection. */
  retry() {
    if (this.#last === null) this.#channel.dispatch("retry");
  }

  /**
   * Closes the view model permanently; `snapshot` remains, and `ViewDelta.open` returns a new view model. The
   * connection ends with the last view model that shares it.
   *
   * A command in progress is abandoned: the server may have executed it or not.
   */
  close() {
    if (this.#last !== null) return;
    const { snapshot, status: before } = this;
    /** @type {Status} */
    const status = {
      ...before, state: "closed", previous: before.state, event: "close", isProven: false, retryAt: null,
    };
    this.#last = { snapshot, status };
    this.#closing.abort();
    this.#channel.leave(this);
    this.dispatchEvent(new CustomEvent("status", { detail: status }));
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
