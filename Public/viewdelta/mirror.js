import { contentHash } from "./content-hash.js";
import { DivergenceError } from "./divergence-error.js";
import { Replica } from "./replica.js";

/** @typedef {import("./types.js").Change} Change */
/** @typedef {import("./types.js").ChangeDocument} ChangeDocument */
/** @typedef {import("./types.js").Via} Via */

/**
 * What became of a document.
 *
 * - `received`: it is applied, or leads to what is held already
 * - `stale`: it answers a question about another revision than the one held by now; dropped
 * - `diverged`: it cannot be applied; what is held must be loaded anew
 *
 * @typedef {"received" | "stale" | "diverged"} Reception
 */

/**
 * A replica that several requests feed at a time, such as a stream and the replies to commands.
 *
 * Revisions cannot be told older from newer. So each document comes with its basis, the revision
 * that was held when it was asked for; one whose basis is not held any more is dropped. Thereby the
 * replica never goes back, whatever the order in which answers arrive.
 */
export class Mirror {
  #onChange;
  #onDivergence;
  #onRename;
  #replica;
  /** Whether the server has not answered since it was asked last. */
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

  /** The revision held, which is the basis of what is asked for now. */
  get revision() {
    return this.#replica.revision;
  }

  /**
   * What the server needs to know of the copy in order to say what changed since.
   *
   * If the question before this one brought no answer, the server may have been restarted and not know
   * the revision. Then the hash of the content goes with it, which spares a reset if the server has the
   * same content.
   *
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

  /** Notes that a stream broke, which had answered its question. */
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
    if (basis !== this.revision) {
      return document.revision === this.revision ? "received" : "stale";
    }
    let changes;
    try {
      changes = this.#replica.apply(document);
    } catch (error) {
      if (!(error instanceof DivergenceError)) throw error;
      this.#onDivergence(error);
      return "diverged";
    }
    this.#onChange({ ...changes, bytes, via });
    return "received";
  }

  /**
   * The server has the content that is held, perhaps under another name since it was restarted.
   *
   * @param {string | null} revision The current revision, where the server says it.
   * @param {string | null} basis
   * @returns {boolean} Whether the name is new.
   */
  confirm(revision, basis) {
    this.#isDoubtful = false;
    if (revision === null || basis === null || basis !== this.revision || revision === basis) {
      return false;
    }
    this.#replica.rename(revision);
    this.#onRename({ from: basis, to: revision });
    return true;
  }
}
