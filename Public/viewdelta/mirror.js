import { contentHash } from "./content-hash.js";
import { isSame, isSameWindow, moved } from "./held.js";
import { Replica } from "./replica.js";

/** @typedef {import("./types.js").Change} Change */
/** @typedef {import("./types.js").ChangeDocument} ChangeDocument */
/** @typedef {import("./divergence-error.js").DivergenceError} DivergenceError */
/** @typedef {import("./held.js").Held} Held */
/** @typedef {import("./types.js").RowWindow} RowWindow */
/** @typedef {import("./types.js").Via} Via */

/** What a revision looks like. A proxy may have changed it, and the server would refuse another one. */
const revisionPattern = /^[A-Za-z0-9._-]{1,64}$/;

/** How many revisions a mirror remembers that it has held. */
const remembered = 64;

/**
 * The result of offering a document.
 *
 * - `received`: it was applied, or its revision is or was held
 * - `stale`: it is based on another revision or window than the held one, or leads to a window that is no longer
 *   wanted, and was dropped
 * - `diverged`: it cannot be applied; the view model must be loaded again
 *
 * @typedef {"received" | "stale" | "diverged"} Reception
 */

/**
 * A replica that several concurrent requests update, such as a stream and the replies to commands.
 *
 * Revisions have no order. So each document comes with its basis, which is what was held and wanted when
 * it was requested. If this has changed, the document is dropped. Therefore the replica
 * never goes back, and never mixes two windows, whatever the order of the answers.
 */
export class Mirror {
  #onChange;
  #onDivergence;
  #onRename;
  #replica;
  /**
   * The wanted window; absent for all rows. Once it changes, answers to requests that lead to the former one are
   * dropped.
   *
   * @type {RowWindow | undefined}
   */
  window;
  /**
   * The revisions that were held, the last ones. A document that leads to one of them is no news.
   *
   * @type {readonly string[]}
   */
  #past = [];
  /** Whether the last request had no answer. */
  #isDoubtful = true;
  /** Whether the request before it had none, so that the next answer may be that of a server that was restarted. */
  #wasDoubtful = false;

  /**
   * @param {string} name The screen with its key.
   * @param {RowWindow | undefined} window The wanted window; absent for all rows.
   * @param {object} listeners
   * @param {(change: Change, isDoubtful: boolean) => void} listeners.onChange Called also with whether the server may
   *   have been restarted.
   * @param {(error: DivergenceError) => void} listeners.onDivergence
   * @param {(names: {from: string, to: string}, isDoubtful: boolean) => void} listeners.onRename Called also with
   *   whether the server may have been restarted.
   */
  constructor(name, window, { onChange, onDivergence, onRename }) {
    this.window = window;
    this.#replica = new Replica(name);
    this.#onChange = onChange;
    this.#onDivergence = onDivergence;
    this.#onRename = onRename;
  }

  get snapshot() {
    return this.#replica.snapshot;
  }

  /**
   * What is held and wanted, which is the basis of new requests.
   *
   * @returns {Held}
   */
  get held() {
    const { snapshot, window: wanted } = this;
    const since = snapshot?.revision;
    const held = snapshot?.window;
    if (held === undefined || isSameWindow(held, wanted)) return moved({ window: wanted }, since);
    return { since, window: { start: held.start, count: held.count }, next: wanted };
  }

  /**
   * Returns the parameters that tell the server what is held and wanted.
   *
   * If the previous request had no answer, the server may have been restarted and not know the
   * revision. Then the hash of the content is included, so that a server with the same content need
   * not send a reset. A request with a window has no such hash.
   * @param {import("./environment.js").Environment} environment
   * @returns {Promise<Held & {have?: string}>} Empty if nothing is held and all rows are wanted.
   */
  async question({ subtle }) {
    const isDoubtful = this.#isDoubtful;
    this.#isDoubtful = true;
    this.#wasDoubtful = isDoubtful;
    const { held, snapshot } = this;
    const isComparable = snapshot !== null && held.window === undefined;
    return isDoubtful && isComparable && subtle ? { ...held, have: await contentHash(snapshot, subtle) } : held;
  }

  /** Notes that a stream broke after its request was answered. */
  doubt() {
    this.#isDoubtful = true;
  }

  /**
   * Whether a document leads to a revision that is or was held, so that it has no news. If the query of each request is
   * lost on the way, or if servers that do not know of each other take turns, each answer is a whole copy like this. A
   * cache may also have a diff that leads there again. A diff from what is no longer held is none: the reply to a
   * command has brought it before.
   *
   * @param {ChangeDocument} document
   * @param {Held} basis
   */
  repeats(document, basis) {
    if (basis.next !== undefined || !this.#past.includes(document?.revision)) return false;
    return document.kind !== "diff" || isSame(basis, this.held);
  }

  /**
   * @param {ChangeDocument} document
   * @param {{basis: Held, bytes: number, via: Via}} origin
   * @returns {Reception}
   */
  receive(document, { basis, bytes, via }) {
    this.#isDoubtful = false;
    if (!isSame(basis, this.held)) return this.#past.includes(document.revision) ? "received" : "stale";
    const wasDoubtful = this.#wasDoubtful;
    this.#wasDoubtful = false;
    let changes;
    try {
      changes = this.#replica.apply(document, this.window ?? null);
    } catch (error) {
      this.#onDivergence(/** @type {DivergenceError} */ (error));
      return "diverged";
    }
    if (isSameContent(changes)) {
      this.#rename(basis.since, document.revision, wasDoubtful);
      return "received";
    }
    this.#remember(document.revision);
    this.#onChange({ ...changes, bytes, via }, wasDoubtful);
    return "received";
  }

  /**
   * Handles the answer that the server's content equals the held one, possibly with a new revision
   * after a restart.
   *
   * @param {string | null} revision The current revision, if the server sends it.
   * @param {Held} basis
   * @returns {boolean} Whether the name is new.
   */
  confirm(revision, basis) {
    this.#isDoubtful = false;
    if (!isSame(basis, this.held)) return false;
    const wasDoubtful = this.#wasDoubtful;
    this.#wasDoubtful = false;
    if (revision === null || !revisionPattern.test(revision)) return false;
    return this.#rename(basis.since, revision, wasDoubtful);
  }

  /**
   * @param {string | undefined} from
   * @param {string} to
   * @param {boolean} wasDoubtful
   * @returns {boolean} Whether the name is new.
   */
  #rename(from, to, wasDoubtful) {
    if (from === undefined || to === from) return false;
    this.#replica.rename(to);
    this.#remember(to);
    this.#onRename({ from, to }, wasDoubtful);
    return true;
  }

  /** @param {string} revision */
  #remember(revision) {
    this.#past = [...this.#past, revision].slice(-remembered);
  }
}

/**
 * Whether a diff leads to another revision, or to the same one, with equal content, as in the reply to a command that
 * was ignored.
 *
 * @param {import("./types.js").Changes} changes
 */
function isSameContent({ before, after, diff }) {
  if (diff === null || diff.states || diff.sections || diff.rows) return false;
  return isSameWindow(before?.window, after.window) && before?.window?.total === after.window?.total;
}
