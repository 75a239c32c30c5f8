/** What the page notes about one view model, such as a row that cannot be shown. The inspector shows it. */

/**
 * @typedef {object} Note
 * @property {Date} at
 * @property {"failed" | "start"} kind
 * @property {string} text
 */

/** The number of notes that are kept. */
const limit = 20;

export class Notes {
  /**
   * The last notes, newest first.
   *
   * @type {Note[]}
   */
  all = [];
  /** @type {(() => void)[]} */
  #listeners = [];

  /**
   * @param {Note["kind"]} kind
   * @param {string} text
   */
  add(kind, text) {
    this.all = [{ at: new Date(), kind, text }, ...this.all].slice(0, limit);
    for (const listener of this.#listeners) listener();
  }

  /**
   * Calls an action after each note.
   *
   * @param {() => void} action
   */
  onNote(action) {
    this.#listeners.push(action);
  }
}
