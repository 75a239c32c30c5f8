/**
 * What a user can change by hand.
 *
 * @typedef {import("../../viewdelta/types.js").Command} Command
 * @typedef {import("../../viewdelta/types.js").Row} Row
 * @typedef {import("../../viewdelta/types.js").Section} Section
 * @typedef {import("./schema.js").Field} Field
 *
 * @typedef {object} Edit A button, or a form if it has fields.
 * @property {string} title
 * @property {Field[]} fields
 * @property {(values: {[name: string]: any}) => Command} command
 *
 * @typedef {object} Edits The edits of a screen, or of one kind of commands of a screen.
 * @property {(row: Row, section: Section) => Edit[]} ofRow
 * @property {(section: Section, sections: readonly Section[]) => Edit[]} ofSection
 * @property {() => Edit[]} ofScreen
 */

/**
 * Returns the edits that move something up and down among its neighbours.
 *
 * @param {string | undefined} previous
 * @param {string | undefined} next
 * @param {(place: {before: string} | {after: string}) => Command} command
 * @returns {Edit[]}
 */
export function moves(previous, next, command) {
  return [
    ...(previous === undefined ? [] : [{ title: "Move up", fields: [], command: () => command({ before: previous }) }]),
    ...(next === undefined ? [] : [{ title: "Move down", fields: [], command: () => command({ after: next }) }]),
  ];
}
