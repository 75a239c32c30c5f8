/**
 * The edits by commands that name a row by its id: `renamePlayer` with the argument `player` is for each row
 * whose id is `player/` and the id of a player. A command that names no row, such as `addPlayer`, is for the screen.
 */
import { actionOf, moreActionsOf } from "../rows/parts.js";
import { titled } from "../words.js";
import { moves } from "./edit.js";
import { fieldsOf, isID, isPlain } from "./schema.js";

/** @typedef {import("./edit.js").Edits} Edits */

/**
 * @param {import("../screens.js").CommandDescription[]} descriptions
 * @returns {Edits}
 */
export function namedEdits(descriptions) {
  const commands = descriptions.map(({ type, schema }) => {
    const fields = fieldsOf(schema, schema).filter(({ name }) => name !== "type");
    const ids = fields.filter(isID);
    return {
      type,
      fields: fields.filter((field) => !isID(field)),
      subjects: ids.filter(({ isRequired }) => isRequired).map(({ name }) => name),
      isMove: ids.some(({ name }) => name === "before") && !fields.some((field) => !isID(field)),
    };
  }).filter(({ fields }) => fields.every(isPlain));
  return {
    ofRow(row, section) {
      const [kind, id] = parted(row.id);
      const offered = [actionOf(row), ...moreActionsOf(row)].map((action) => action?.command.type);
      return commands
        .filter(({ subjects }) => subjects.length === 1 && subjects[0] === kind)
        .filter(({ type }) => !offered.includes(type))
        .flatMap(({ type, fields, isMove }) => {
          if (!isMove) {
            const filled = fields.map((field) => ({ ...field, value: row[field.name] }));
            return { title: titled(type), fields: filled, command: (values) => ({ type, [kind]: id, ...values }) };
          }
          const ids = section.rows.map((each) => parted(each.id)).filter(([other]) => other === kind)
            .map(([, each]) => each);
          const at = ids.indexOf(id);
          return moves(ids[at - 1], ids[at + 1], (place) => ({ type, [kind]: id, ...place }));
        });
    },
    ofSection: () => [],
    ofScreen: () => commands
      .filter(({ subjects, fields }) =>
        subjects.length === 0 && fields.some(({ isRequired, options }) => isRequired && !options))
      .map(({ type, fields }) => ({ title: titled(type), fields, command: (values) => ({ type, ...values }) })),
  };
}

/**
 * Returns the parts of a row's id: `player/7` is the player 7.
 *
 * @param {string} id
 */
export function parted(id) {
  const at = id.indexOf("/");
  return [id.slice(0, Math.max(0, at)), id.slice(at + 1)];
}
