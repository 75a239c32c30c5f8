/** Listening to the events of the library, typed. */

/**
 * What each event carries.
 *
 * @typedef {object} Details
 * @property {import("../viewdelta/types.js").Change} change
 * @property {import("../viewdelta/types.js").Status} status
 * @property {{from: string, to: string}} advanced
 * @property {import("./commands.js").Sent} sent
 */

/**
 * Calls an action with what each event of a name carries.
 *
 * @template {keyof Details} Name
 * @param {EventTarget} target
 * @param {Name} name
 * @param {(detail: Details[Name]) => void} action
 */
export function listen(target, name, action) {
  target.addEventListener(name, (event) => action(/** @type {CustomEvent} */ (event).detail));
}
