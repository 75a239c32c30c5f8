import { DiffApplication } from "./diff-application.js";
import { digest, rowHash, sectionHash } from "./digest.js";
import { DivergenceError } from "./divergence-error.js";

/** @typedef {import("./types.js").ChangeDocument} ChangeDocument */
/** @typedef {import("./types.js").Changes} Changes */
/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").Section} Section */
/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./types.js").States} States */

/**
 * A client's copy of one view model, kept in step by the documents that the server sends.
 *
 * It holds a proven revision at any time: each document is checked in full, down to the number of
 * rows and the digest, before it takes effect, and one that fails changes nothing. It is pure: no
 * clock, no network.
 */
export class Replica {
  /** @type {Snapshot | null} */
  #snapshot = null;

  /** @param {string} screen The screen with its key, such as `profile/1`. */
  constructor(screen) {
    this.screen = screen;
  }

  /** What is held; `null` before the first document. */
  get snapshot() {
    return this.#snapshot;
  }

  /** The revision that is held. */
  get revision() {
    return this.#snapshot?.revision ?? null;
  }

  /**
   * Takes a document from the server, whatever its kind.
   *
   * Takes O(*n*) for the *n* rows of what the document touches, and hashes only what is new.
   *
   * @param {ChangeDocument} document
   * @returns {Changes}
   * @throws {DivergenceError} Where the document cannot be applied; the replica is as it was.
   */
  apply(document) {
    const before = this.#snapshot;
    const after = this.#checked(() => this.#result(document), document);
    this.#snapshot = after;
    const { kind } = document;
    return {
      kind,
      before,
      after,
      diff: kind === "diff" ? document : null,
      reason: kind === "reset" ? document.reason : null,
    };
  }

  /**
   * Gives what is held its name in a new run of the server, which has told that it has the same
   * content.
   *
   * @param {string} revision
   */
  rename(revision) {
    if (this.#snapshot !== null) this.#snapshot = { ...this.#snapshot, revision };
  }

  /**
   * @param {ChangeDocument} document
   * @returns {{sections: readonly Section[], states: States}}
   */
  #result(document) {
    if (document.screen !== this.screen) {
      throw new DivergenceError(
        "other-screen",
        `the document is of screen "${document.screen}" instead of "${this.screen}"`,
      );
    }
    if (document.kind === "diff") {
      if (this.#snapshot?.revision !== document.from) {
        throw new DivergenceError(
          "other-revision",
          `the diff starts from "${document.from}" instead of "${this.#snapshot?.revision}"`,
        );
      }
      return new DiffApplication(this.#snapshot, document).result();
    }
    if (document.kind === "snapshot" || document.kind === "reset") {
      return { sections: this.#sharing(document.sections), states: document.states };
    }
    throw new DivergenceError("malformed", "the document is no snapshot, reset or diff");
  }

  /**
   * The result as a snapshot, held to what the document promises.
   *
   * @param {() => {sections: readonly Section[], states: States}} result
   * @param {ChangeDocument} document
   * @returns {Snapshot}
   */
  #checked(result, { screen, revision, rowCount, digest: promised }) {
    try {
      const content = result();
      if (typeof revision !== "string" || !(content.states instanceof Object)) {
        throw new DivergenceError("malformed", "the document lacks a revision or states");
      }
      const rows = countedRows(content.sections);
      if (rows !== rowCount) {
        throw new DivergenceError("row-count", `the result has ${rows} rows, not ${rowCount}`);
      }
      const found = digest(content);
      if (found !== promised) {
        throw new DivergenceError("digest", `the result's digest is ${found}, not ${promised}`);
      }
      return { screen, revision, digest: found, rowCount, ...content };
    } catch (error) {
      if (error instanceof DivergenceError) throw error;
      // A member of another kind than it must be surfaces as a TypeError.
      throw new DivergenceError("malformed", `the document is malformed: ${error}`);
    }
  }

  /**
   * The sections of a whole view model, with the objects that are held for what is the same.
   *
   * @param {readonly Section[]} sections
   * @returns {readonly Section[]}
   */
  #sharing(sections) {
    const held = this.#snapshot?.sections ?? [];
    const heldSections = new Map(held.map((section) => [section.id, section]));
    const heldRows = new Map(held.flatMap(({ rows }) => rows.map((row) => [row.id, row])));
    return sections.map((section) => {
      const twin = heldSections.get(section.id);
      if (twin !== undefined && sectionHash(twin) === sectionHash(section)) return twin;
      const rows = section.rows.map((row) => {
        const twin = heldRows.get(row.id);
        return twin !== undefined && rowHash(twin) === rowHash(row) ? twin : row;
      });
      return { ...section, rows };
    });
  }
}

/**
 * The number of rows, where all ids are unique: of sections among sections, of rows among all rows.
 *
 * @param {readonly Section[]} sections
 * @returns {number}
 */
function countedRows(sections) {
  const rows = sections.flatMap((section) => section.rows);
  for (const elements of [sections, rows]) {
    /** @type {Set<string>} */
    const ids = new Set();
    for (const { id } of elements) {
      if (typeof id !== "string") throw new DivergenceError("malformed", "an id is missing");
      if (ids.has(id)) throw new DivergenceError("duplicate-id", `the id "${id}" is there twice`);
      ids.add(id);
    }
  }
  return rows.length;
}
