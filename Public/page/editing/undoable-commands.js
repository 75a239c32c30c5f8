/** The commands of a view model. Those that remove something can be undone, or are sent only if the user confirms. */
import { Commands } from "../commands.js";
import { isolated } from "../dom.js";
import { nameOf } from "../rows/words.js";
import { elementPath } from "../screens.js";
import { offerUndo, showToast } from "../toast.js";
import { parted } from "./named-edits.js";
import { siblingsOf } from "./outline-edits.js";
import { fieldsOf, isID } from "./schema.js";

/**
 * @typedef {import("./edit.js").Command} Command
 * @typedef {import("./edit.js").Row} Row
 *
 * @typedef {object} Loss What a command removes.
 * @property {string} name
 * @property {(() => Promise<unknown>) | null} restore `null` if there is no way back.
 */

export class UndoableCommands extends Commands {
  #sendAtOnce = this.send;
  #viewModel;
  #screen;
  #screens;
  #server;
  #load;

  /**
   * @param {object} parts
   * @param {import("../../viewdelta.js").ViewModel} parts.viewModel
   * @param {import("../screens.js").Screen} parts.screen
   * @param {import("../screens.js").Screens} parts.screens
   * @param {import("../../viewdelta.js").ViewDelta} parts.server
   * @param {() => Promise<any>} parts.load Loads the resource that the screen shows.
   * @param {() => void} parts.onWait See `Commands`.
   */
  constructor({ viewModel, screen, screens, server, load, onWait }) {
    super(viewModel, onWait);
    this.#viewModel = viewModel;
    this.#screen = screen;
    this.#screens = screens;
    this.#server = server;
    this.#load = load;
  }

  /** @type {Commands["send"]} */
  send = async (command, control) => {
    const before = this.#rows.filter((row) => stateOf(row) !== undefined);
    let loss;
    // Others are sent at once: the screen may be left before the next turn.
    if (/^remove\w/.test(command.type) || Array.isArray(command.operations)) {
      try {
        loss = await this.#lossOf(command);
      } catch (error) {
        showToast(error);
        return false;
      }
    }
    if (loss && !loss.restore && !confirm(`Remove ${loss.name}? This cannot be undone.`)) return false;
    if (command.type === "reset" && before.some(({ isCollapsed }) => isCollapsed) && !confirm(unseen)) return false;
    const isTaken = await this.#sendAtOnce(command, control);
    if (!isTaken) return false;
    if (loss?.restore) offerUndo(`${loss.name} removed.`, loss.restore);
    else this.#offerValues(command, before);
    return true;
  };

  /** @returns {Row[]} */
  get #rows() {
    return (this.#viewModel.snapshot?.sections ?? []).flatMap(({ rows }) => rows);
  }

  /**
   * Offers to enter again what a button has changed, such as that which starts a form over.
   *
   * @param {Command} command
   * @param {Row[]} before The fields and groups before it.
   */
  #offerValues(command, before) {
    const isInput = before.some(({ change }) => change &&
      Object.entries(change.command).every(([name, value]) => command[name] === value));
    const now = this.#byID;
    const isEntered = (/** @type {Row} */ { change, value }) => change && value != null && value !== "";
    const lost = before.filter((row) => isEntered(row) && differs(row, now.get(row.id)));
    if (isInput || lost.length === 0) return;
    const gone = before.filter((row) => !now.has(row.id) || differs(row, now.get(row.id)));
    offerUndo(`${lost.map(nameOf).join(", ")}: no longer as entered.`, () => this.#bringBack(gone));
  }

  /**
   * Enters values again and unfolds groups: each when it is shown, which may depend on another.
   *
   * @param {Row[]} rows
   */
  async #bringBack(rows) {
    for (const left = new Set(rows); ; ) {
      const now = this.#byID;
      const row = [...left].find((each) => differs(each, now.get(each.id)));
      if (!row) return;
      left.delete(row);
      const { change, value, action } = row;
      const command = change ? { ...change.command, [change.argument]: value } : action?.command;
      if (command) await this.#viewModel.send(command);
    }
  }

  get #byID() {
    return new Map(this.#rows.map((row) => [row.id, row]));
  }

  /**
   * Returns what a command would remove, if it removes anything.
   *
   * @param {Command} command As a user has written it; the server has not checked it.
   * @returns {Promise<Loss | undefined>}
   */
  async #lossOf({ type, operations, ...subject }) {
    const noun = type.match(/^remove(\w+)/)?.[1];
    if (noun !== undefined) return this.#lossOfNamed(noun, subject);
    const deletes = Array.isArray(operations) ? operations.filter((each) => /^delete/.test(each?.operation)) : [];
    if (deletes.length === 0) return undefined;
    const [{ operation, ids }] = deletes;
    if (operations.length > 1 || ids?.length !== 1) return { name: "all of these", restore: null };
    return this.#lossOfOperation(operation, String(ids[0]));
  }

  /**
   * Returns the element of a list that a command removes by its id: `{"player":7}` is the row `player/7`.
   *
   * @param {string} noun The name of the element in the types of commands.
   * @param {{[argument: string]: any}} subject
   * @returns {Promise<Loss | undefined>}
   */
  async #lossOfNamed(noun, subject) {
    const [kind, id] = Object.entries(subject)[0] ?? [];
    const rows = this.#rows.filter((row) => parted(row.id)[0] === kind);
    const at = rows.findIndex((row) => row.id === `${kind}/${id}`);
    const row = rows[at];
    if (kind === undefined || row === undefined) return undefined;
    const place = placeOf(rows.map((each) => parted(each.id)[1]), at);
    const name = `“${isolated(nameOf(row))}”`;

    // A row that leads to a screen of its own shows a resource only in part.
    if (row.screen) {
      const [screen, key] = String(row.screen).split("/");
      const shown = this.#screens.named(screen);
      const path = shown && elementPath(shown, key);
      if (!path) return { name, restore: null };
      const body = await this.#server.request(path);
      return { name, restore: async () => {
        await this.#server.request(path.slice(0, path.lastIndexOf("/")), { method: "POST", body });
        if (place) await this.#viewModel.send({ type: `move${noun}`, [kind]: id, ...place });
      } };
    }
    const add = this.#screen.commands.find((each) => each.type === `add${noun}`);
    if (!add) return { name, restore: null };
    const known = fieldsOf(add.schema, add.schema)
      .filter((field) => field.name !== "type" && !isID(field) && row[field.name] !== undefined);
    const values = Object.fromEntries(known.map((field) => [field.name, row[field.name]]));
    // The row's own command has the id as it was given: 1 or "1".
    const given = row.action?.command[kind] ?? id;
    return { name, restore: () => this.#viewModel.send({ type: add.type, id: given, ...values, ...place }) };
  }

  /**
   * Returns the section or item that an operation on an outline removes. An item that is hidden has no known place.
   *
   * @param {string} operation
   * @param {string} id
   * @returns {Promise<Loss | undefined>}
   */
  async #lossOfOperation(operation, id) {
    const sections = this.#viewModel.snapshot?.sections ?? [];
    const resource = await this.#load();
    const restore = (/** @type {any[]} */ ...wanted) => () =>
      this.#viewModel.send({ type: "apply", operations: wanted });

    if (operation === "deleteSections") {
      const removed = resource.sections.find((/** @type {any} */ each) => String(each.id) === id);
      if (!removed) return undefined;
      const place = placeOf(sections.map((each) => each.id), sections.findIndex((each) => each.id === id));
      return { name: `Section “${isolated(removed.title ?? id)}”`, restore: restore(
        { operation: place ? "insertSections" : "appendSections", sections: [removed], ...place }) };
    }
    const item = found(resource.sections, id);
    if (!item) return undefined;
    const name = `“${isolated(item.title)}”`;
    const section = sections.find(({ rows }) => rows.some((row) => row.id === id));
    const row = section?.rows.find((each) => each.id === id);
    if (!section || !row) return { name, restore: null };
    const siblings = siblingsOf(row, section);
    const place = placeOf(siblings.map((each) => each.id), siblings.indexOf(row));
    if (place) return { name, restore: restore({ operation: "insertItems", items: [item], ...place }) };
    const append = { operation: "appendItems", items: [item] };
    if (!row.level) return { name, restore: restore({ ...append, section: section.id }) };
    const parent = section.rows[section.rows.indexOf(row) - 1].id;
    return { name, restore: restore({ ...append, to: parent }, { operation: "expandItems", ids: [parent] }) };
  }
}

/** What a user is asked before a form is started over that does not show all of its fields. */
const unseen = "Start over? What was entered into collapsed groups cannot be brought back.";

/**
 * Returns the value of a field, or whether a group is collapsed; `undefined` for other rows.
 *
 * @param {Row} row
 */
const stateOf = ({ change, value, isCollapsed }) => (change ? (value ?? null) : isCollapsed);

/**
 * Returns whether a field or a group is shown in another state.
 *
 * @param {Row} before
 * @param {Row | undefined} now
 */
const differs = (before, now) => now !== undefined && stateOf(now) !== stateOf(before);

/**
 * Returns the place of an element by one of its neighbours; none if it has no neighbour.
 *
 * @param {string[]} ids All of them, in their order.
 * @param {number} at
 */
function placeOf(ids, at) {
  if (at > 0) return { after: ids[at - 1] };
  return ids.length > 1 ? { before: ids[1] } : undefined;
}

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
