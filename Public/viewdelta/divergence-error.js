/**
 * The reason for which a replica refuses a document. The replica remains unchanged.
 *
 * - `malformed`: a member is missing or has the wrong type
 * - `other-screen`: the document belongs to another view model
 * - `other-revision`: the diff starts from another revision than the held one
 * - `other-window`: the document shows another window than the one that was asked for
 * - `duplicate-id`: several sections or rows have the same id
 * - `inapplicable`: an operation does not match the held content or another operation
 * - `row-count`, `digest`: the result does not match the document's promise
 *
 * @typedef {"malformed" | "other-screen" | "other-revision" | "other-window" | "duplicate-id" | "inapplicable"
 *   | "row-count" | "digest"} DivergenceCode
 */

/** Thrown by a replica if it cannot apply a document. */
export class DivergenceError extends Error {
  /**
   * @param {DivergenceCode} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.name = "DivergenceError";
    /** @type {DivergenceCode} */
    this.code = code;
  }
}
