import { contentHash } from "./content-hash.js";
import { DivergenceError } from "./divergence-error.js";
import { Replica } from "./replica.js";

/** @typedef {import("./types.js").Change} Change */
/** @typedef {import("./types.js").ChangeDocument} ChangeDocument */
/** @typedef {import("./types.js").Via} Via */

/** How many revisions a mirror remembers that it has held. */
const remembered = 64;

/**
 * The result of offering a document.
 *
 * - `received`: it was applied, or its revision is or was held
 * - `stale`: it is based on another revision than the held one, and was dropped
 * - `diverged`: it cannot be applied; the view model must be loaded again
 *
 * @typedef {"received" | "stale" | "diverged"} Reception
 */

/**
 * A replica that several concurrent requests update, such as a stream and the replies to commands.
 *
 * Revisions have no order. So each document comes with its basis, the revision that was held when
 * it was requested. If the basis is no longer held, the document is dropped. Therefore the replica
 * never goes back, whatever the order of the answers.
 */
export class Mirror {
  #onChange;
  #onDivergence;
  #onRename;
  #replica;
  /**
   * The revisions that were held, the last ones. A document that leads to one of them is no news.
   *
   * @type {readonly string[]}
   */
  #past = [];
  /** Whether the last request had no answer. */
  #isDoubtful = true;

  /**
   * @param {string} name The screen with its key.
   * @param {object} listeners
   * @param {(change: Change) => void} listeners.onChange
   * @param {(error: DivergenceError) => void} listeners.onDivergence
   * @param {(names: {from: string, to: string}) => void} listeners.onRename
   */
  constructor(name, { onChange, onDivergence, onRename }) {
    this.name = name;
    this.#replica = new Replica(name);
    this.#onChange = onChange;
    this.#onDivergence = onDivergence;
    this.#onRename = onRename;
  }

  get snapshot() {
    return this.#replica.snapshot;
  }

  /** The held revision, which is the basis of new requests. */
  get revision() {
    return this.#replica.revision;
  }

  /**
   * Returns the parameters that tell the server which content is held.
   *
   * If the previous request had no answer, the server may have been restarted and not know the
   * revision. Then the hash of the content is included, so that a server with the same content need
   * not send a reset.
   * @param {import("./environment.js").Environment} environment
   * @returns {Promise<{since?: string, have?: string}>} Empty if nothing is held.
   */
  async question({ subtle }) {
    const isDoubtful = this.#isDoubtful;
    this.#isDoubtful = true;
    const snapshot = this.snapshot;
    if (snapshot === null) return {};
    const since = snapshot.revision;
    return isDoubtful && subtle ? { since, have: await contentHash(snapshot, subtle) } : { since };
  }

  /** Notes that a stream broke after its request was answered. */
  doubt() {
    this.#isDoubtful = true;
  }

  /**
   * @param {ChangeDocument} document
   * @param {{basis: string | null, bytes: number, via: Via}} origin
   * @returns {Reception}
   */
  receive(document, { basis, bytes, via }) {
    this.#isDoubtful = false;
    if (basis !== this.revision) return this.#past.includes(document.revision) ? "received" : "stale";
    let changes;
    try {
      changes = this.#replica.apply(document);
    } catch (error) {
      if (!(error instanceof DivergenceError)) throw error;
      this.#onDivergence(error);
      return "diverged";
    }
    this.#remember(document.revision);
    this.#onChange({ ...changes, bytes, via });
    return "received";
  }

  /**
   * Handles the answer that the server's content equals the held one, possibly with a new revision
   * after a restart.
   *
   * @param {string | null} revision The current revision, if the server sends it.
   * @param {string | null} basis
   * @returns {boolean} Whether the name is new.
   */
  confirm(revision, basis) {
    this.#isDoubtful = false;
    if (revision === null || basis === null || basis !== this.revision || revision === basis) {
      return false;
    }
    this.#replica.rename(revision);
    this.#remember(revision);
    this.#onRename({ from: basis, to: revision });
    return true;
  }

  /** @param {string} revision */
  #remember(revision) {
    this.#past = [...this.#past, revision].slice(-remembered);
  }
}
