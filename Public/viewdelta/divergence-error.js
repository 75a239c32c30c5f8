/**
 * Why a replica refuses a document. The replica is as it was.
 *
 * - `malformed`: a member is missing, or of another kind than it must be
 * - `other-screen`: the document is of another screen
 * - `other-revision`: the diff starts from another revision than the one held
 * - `duplicate-id`: several sections or rows have one id
 * - `inapplicable`: an operation does not fit what is held, or another operation
 * - `row-count`, `digest`: the result is not what the document promises
 *
 * @typedef {"malformed" | "other-screen" | "other-revision" | "duplicate-id" | "inapplicable"
 *   | "row-count" | "digest"} DivergenceCode
 */

/** Thrown by a replica for a document that it cannot apply. */
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
