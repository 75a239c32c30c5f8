import { canonical } from "./canonical.js";
import { DiffApplication } from "./diff-application.js";
import { digest } from "./digest.js";
import { DivergenceError } from "./divergence-error.js";
import { isSameWindow } from "./held.js";

/** @typedef {import("./types.js").ChangeDocument} ChangeDocument */
/** @typedef {import("./types.js").Changes} Changes */
/** @typedef {import("./types.js").RowWindow} RowWindow */
/** @typedef {import("./types.js").Section} Section */
/** @typedef {import("./types.js").SeenWindow} SeenWindow */
/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./types.js").States} States */

/**
 * A client's copy of one view model, kept up to date by the documents that the server sends.
 *
 * It always holds a verified revision: each document is checked completely, including the number of
 * rows and the digest, before it takes effect, and an invalid one changes nothing. It uses no clock
 * and no network.
 *
 * ```js
 * const replica = new Replica("profile/1");
 * replica.apply(await server.request("/v1/view-models/profile/1"));
 * const change = await server.request(`/v1/view-models/profile/1/diff?since=${replica.revision}`);
 * if (change !== null) console.log(replica.apply(change).diff?.rows);
 * ```
 */
export class Replica {
  /** @type {Snapshot | null} */
  #snapshot = null;

  /** @param {string} screen The screen with its key, such as `profile/1`. */
  constructor(screen) {
    this.screen = screen;
  }

  /** The held snapshot; `null` before the first document. */
  get snapshot() {
    return this.#snapshot;
  }

  /** The held revision. */
  get revision() {
    return this.#snapshot?.revision ?? null;
  }

  /**
   * Applies a document of any kind.
   *
   * Takes O(*n*), where *n* is the number of rows of the sections that the document changes. Only
   * new rows are hashed.
   *
   * @param {ChangeDocument} document
   * @param {RowWindow | null} [window] The window that was asked for; `null` for all rows. If it is left out, any
   *   window is right.
   * @returns {Changes}
   * @throws {DivergenceError} If the document cannot be applied; the replica remains unchanged.
   */
  apply(document, window) {
    const before = this.#snapshot;
    const after = this.#checked(() => this.#result(document), document, window);
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
   * Sets a newer revision for the same content, as after a restart of the server or a change that cannot be seen.
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
        `the document is of "${document.screen}" instead of "${this.screen}"`,
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
   * Returns the result as a snapshot, after checking it against the document.
   *
   * @param {() => {sections: readonly Section[], states: States}} result
   * @param {ChangeDocument} document
   * @param {RowWindow | null} [asked]
   * @returns {Snapshot}
   */
  #checked(result, document, asked) {
    try {
      // A proxy may answer with something else, such as null.
      const { screen, revision, rowCount, digest: promised, window } = document;
      if (asked !== undefined && !isSameWindow(window, asked)) {
        throw new DivergenceError("other-window", `the document shows ${rowsOf(window)} instead of ${rowsOf(asked)}`);
      }
      const content = result();
      if (typeof revision !== "string" || !(content.states instanceof Object)) {
        throw new DivergenceError("malformed", "the document lacks a revision or states");
      }
      const rows = countedRows(content.sections);
      if (rows !== rowCount) {
        throw new DivergenceError("row-count", `the result has ${rows} rows, not ${rowCount}`);
      }
      if (window !== undefined && rows !== shownRows(window)) {
        throw new DivergenceError(
          "row-count", `the result has ${rows} rows, but the window ${shownRows(window)} of ${window.total}`);
      }
      const found = digest(content);
      if (found !== promised) {
        throw new DivergenceError("digest", `the result's digest is ${found}, not ${promised}`);
      }
      return { screen, revision, digest: found, rowCount, ...content, ...(window && { window }) };
    } catch (error) {
      if (error instanceof DivergenceError) throw error;
      // A member of the wrong type causes a TypeError.
      throw new DivergenceError("malformed", `the document is malformed: ${error}`);
    }
  }

  /**
   * Returns the sections of a snapshot or reset, with the held objects for unchanged sections and
   * rows. They are compared by their content, because an author of content can find two with one hash.
   *
   * @param {readonly Section[]} sections
   * @returns {readonly Section[]}
   */
  #sharing(sections) {
    const held = this.#snapshot?.sections ?? [];
    const heldSections = new Map(held.map((section) => [section.id, section]));
    const heldRows = new Map(held.flatMap(({ rows }) => rows.map((row) => [row.id, row])));
    return sections.map((section) => {
      const rows = section.rows.map((row) => {
        const twin = heldRows.get(row.id);
        return twin !== undefined && canonical(twin) === canonical(row) ? twin : row;
      });
      const twin = heldSections.get(section.id);
      const isSame = twin?.rows.length === rows.length && rows.every((row, at) => row === twin.rows[at])
        && canonical({ ...twin, rows: [] }) === canonical({ ...section, rows: [] });
      return isSame ? twin : { ...section, rows };
    });
  }
}

/** @param {RowWindow | null} [window] */
const rowsOf = (window) => window ? `${window.count} rows from ${window.start}` : "all rows";

/**
 * Returns the number of rows that a window has.
 *
 * @param {SeenWindow} window
 * @returns {number}
 */
function shownRows({ start, count, total }) {
  if (![start, count, total].every((number) => Number.isSafeInteger(number) && number >= 0)) {
    throw new DivergenceError("malformed", "the numbers of the window are not counts");
  }
  return Math.max(0, Math.min(count, total - start));
}

/**
 * Returns the number of rows, and checks that the ids of the sections and of all rows are unique.
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
