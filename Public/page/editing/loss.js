/** What a command removes, and the way back. */
import { isolated } from "../dom.js";
import { actionOf, moreActionsOf } from "../rows/parts.js";
import { elementPath } from "../screens.js";
import { nameOf } from "../words.js";
import { parted } from "./named-edits.js";
import { siblingsOf } from "./outline-edits.js";
import { fieldsOf, isID } from "./schema.js";

/**
 * @typedef {object} Context The shown view model.
 * @property {import("../../viewdelta.js").ViewModel} viewModel
 * @property {import("../screens.js").Screen} screen
 * @property {import("../screens.js").Screens} screens
 * @property {import("../../viewdelta.js").ViewDelta} server
 * @property {() => Promise<any>} load Loads the resource that the screen shows.
 *
 * @typedef {object} Loss What a command removes.
 * @property {string} name
 * @property {(() => Promise<unknown>) | null} restore `null` if there is no way back.
 */

/**
 * Returns what a command would remove, if it removes anything.
 *
 * @param {import("./edit.js").Command} command As a user has written it; the server has not checked it.
 * @param {Context} context
 * @returns {Promise<Loss | undefined>}
 */
export async function lossOf({ type, operations, ...subject }, context) {
  const noun = type.match(/^remove(\w+)/)?.[1];
  if (noun !== undefined) return lossOfNamed(noun, subject, context);
  const deletes = Array.isArray(operations) ? operations.filter((each) => /^delete/.test(each?.operation)) : [];
  if (deletes.length === 0) return undefined;
  const [{ operation, ids }] = deletes;
  if (operations.length > 1 || ids?.length !== 1) return { name: "all of these", restore: null };
  return lossOfOperation(operation, String(ids[0]), context);
}

/**
 * Returns the element of a list that a command removes by its id: `{"player":7}` is the row `player/7`.
 *
 * @param {string} noun The name of the element in the types of commands.
 * @param {{[argument: string]: any}} subject
 * @param {Context} context
 * @returns {Promise<Loss | undefined>}
 */
async function lossOfNamed(noun, subject, { viewModel, screen, screens, server }) {
  const all = rowsOf(viewModel);
  // The server sorts the arguments of a row's command by their names, so another one may come first.
  const [kind, id] = Object.entries(subject)
    .find(([name, value]) => all.some((row) => row.id === `${name}/${value}`)) ?? [];
  if (kind === undefined) return undefined;
  const rows = all.filter((row) => parted(row.id)[0] === kind);
  const at = rows.findIndex((row) => row.id === `${kind}/${id}`);
  const row = rows[at];
  const place = () => placeOf(rows.map((each) => parted(each.id)[1]), at,
    (other) => rowsOf(viewModel).some((each) => each.id === `${kind}/${other}`));
  const name = `“${isolated(nameOf(row))}”`;

  // A row that leads to another view model shows a resource only in part.
  if (row.to) {
    const [target, key] = String(row.to).split("/");
    const shown = screens.named(target);
    const path = shown && elementPath(shown, key);
    if (!path) return { name, restore: null };
    const body = await server.request(path);
    return { name, restore: async () => {
      await server.request(path.slice(0, path.lastIndexOf("/")), { method: "POST", body });
      const to = place();
      if (to) await viewModel.send({ type: `move${noun}`, [kind]: id, ...to });
    } };
  }
  const add = screen.commands.find((each) => each.type === `add${noun}`);
  if (!add) return { name, restore: null };
  const known = fieldsOf(add.schema, add.schema).filter((field) => field.name !== "type" && !isID(field));
  const values = Object.fromEntries(known.map((field) => [field.name, row[field.name]]));
  // The row's own commands have the id as it was given: 1 or "1".
  const given = [actionOf(row), ...moreActionsOf(row)].map((action) => action?.command[kind])
    .find((own) => own !== undefined) ?? id;
  return { name, restore: () => viewModel.send({ type: add.type, id: given, ...values, ...place() }) };
}

/**
 * Returns the section or item that an operation on an outline removes. An item that is hidden has no known place.
 *
 * @param {string} operation
 * @param {string} id
 * @param {Context} context
 * @returns {Promise<Loss | undefined>}
 */
async function lossOfOperation(operation, id, { viewModel, load }) {
  const sections = viewModel.snapshot?.sections ?? [];
  const resource = await load();
  const restore = (/** @type {any[]} */ ...wanted) => viewModel.send({ type: "apply", operations: wanted });

  if (operation === "deleteSections") {
    const removed = resource.sections.find((/** @type {any} */ each) => String(each.id) === id);
    if (!removed) return undefined;
    return { name: `Section “${isolated(removed.title ?? id)}”`, restore: () => {
      const to = placeOf(sections.map((each) => each.id), sections.findIndex((each) => each.id === id),
        (other) => (viewModel.snapshot?.sections ?? []).some((each) => each.id === other));
      return restore({ operation: to ? "insertSections" : "appendSections", sections: [removed], ...to });
    } };
  }
  const item = found(resource.sections, id);
  if (!item) return undefined;
  const name = `“${isolated(item.title)}”`;
  const section = sections.find(({ rows }) => rows.some((row) => row.id === id));
  const row = section?.rows.find((each) => each.id === id);
  if (!section || !row) return { name, restore: null };
  const siblings = siblingsOf(row, section);
  const parent = section.rows.slice(0, section.rows.indexOf(row)).reverse()
    .find((each) => (each.level ?? 0) < (row.level ?? 0))?.id;
  return { name, restore: async () => {
    // Siblings may be hidden by now, so they are not looked for in the rows.
    const now = (await load()).sections;
    const to = placeOf(siblings.map((each) => each.id), siblings.indexOf(row),
      (other) => found(now, other) !== undefined);
    if (to) return restore({ operation: "insertItems", items: [item], ...to });
    const append = { operation: "appendItems", items: [item] };
    if (parent === undefined) return restore({ ...append, section: section.id });
    return restore({ ...append, to: parent }, { operation: "expandItems", ids: [parent] });
  } };
}

/** @param {Context["viewModel"]} viewModel */
const rowsOf = ({ snapshot }) => (snapshot?.sections ?? []).flatMap(({ rows }) => rows);

/**
 * Returns the place of an element by the nearest of its neighbours that are still there; none if none is.
 *
 * @param {string[]} ids All of them, in their order.
 * @param {number} at
 * @param {(id: string) => boolean} isThere
 */
const placeOf = (ids, at, isThere) => {
  const [after, before] = [ids.slice(0, at).reverse().find(isThere), ids.slice(at + 1).find(isThere)];
  return after !== undefined ? { after } : before !== undefined ? { before } : undefined;
};

/**
 * Returns the item with an id, with all items below it.
 *
 * @param {any[]} lists Sections or items.
 * @param {string} id
 * @returns {any}
 */
function found(lists, id) {
  const items = lists.flatMap((list) => list.items ?? list.children ?? []);
  if (items.length === 0) return undefined;
  return items.find((item) => String(item.id) === id) ?? found(items, id);
}
