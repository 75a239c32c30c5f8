/** The commands of a view model. Those that remove something can be undone, or are sent only if the user confirms. */
import { Commands } from "../commands.js";
import { isolated } from "../dom.js";
import { nameOf } from "../rows/words.js";
import { elementPath } from "../screens.js";
import { offerUndo } from "../toast.js";
import { parted } from "./named-edits.js";
import { siblingsOf } from "./outline-edits.js";
import { fieldsOf, isID } from "./schema.js";

/**
 * @typedef {import("./edit.js").Command} Command
 * @typedef {import("./edit.js").Row} Row
 * @typedef {import("./edit.js").Section} Section
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
   */
  constructor({ viewModel, screen, screens, server, load }) {
    super(viewModel);
    this.#viewModel = viewModel;
    this.#screen = screen;
    this.#screens = screens;
    this.#server = server;
    this.#load = load;
  }

  /** @type {Commands["send"]} */
  send = async (command, control) => {
    const fields = this.#rows.filter((row) => row.change && row.value);
    const loss = await this.#lossOf(command);
    if (loss && !loss.restore && !confirm(`Remove ${loss.name}? This cannot be undone.`)) return false;
    const isTaken = await this.#sendAtOnce(command, control);
    if (!isTaken) return false;
    if (loss?.restore) offerUndo(`${loss.name} removed.`, loss.restore);
    else this.#offerValues(command, fields);
    return true;
  };

  /** @returns {Row[]} */
  get #rows() {
    return (this.#viewModel.snapshot?.sections ?? []).flatMap(({ rows }) => rows);
  }

  /**
   * Offers to enter again what a button has emptied, such as that which starts a form over.
   *
   * @param {Command} command
   * @param {Row[]} fields The fields with values before it.
   */
  #offerValues(command, fields) {
    const now = new Map(this.#rows.map((row) => [row.id, row]));
    const isInput = fields.some(({ change }) =>
      Object.entries(change.command).every(([name, value]) => command[name] === value));
    const lost = fields.filter(({ id, value }) => now.has(id) && now.get(id)?.value !== value);
    if (isInput || lost.length === 0) return;
    offerUndo(`${lost.map(nameOf).join(", ")}: no longer as entered.`, async () => {
      for (const { change, value } of lost) {
        await this.#viewModel.send({ ...change.command, [change.argument]: value });
      }
    });
  }

  /**
   * Returns what a command would remove, if it removes anything.
   *
   * @param {Command} command
   * @returns {Promise<Loss | undefined>}
   */
  async #lossOf(command) {
    const operations = command.type === "apply" ? command.operations ?? [] : [];
    if (operations.some(({ operation = "" }) => /^delete/.test(operation))) return this.#lossOfOperations(operations);
    const noun = command.type.match(/^remove(\w+)/)?.[1];
    return noun === undefined ? undefined : this.#lossOfNamed(noun, command);
  }

  /**
   * @param {string} noun
   * @param {Command} command
   * @returns {Promise<Loss>}
   */
  async #lossOfNamed(noun, { type, ...subject }) {
    const [[kind, id]] = Object.entries(subject);
    const rows = this.#rows.filter((row) => parted(row.id)[0] === kind);
    const at = rows.findIndex((row) => row.id === `${kind}/${id}`);
    const row = rows[at];
    if (!row) return { name: String(id), restore: null };
    const [previous, next] = [rows[at - 1], rows[at + 1]].map((each) => each && parted(each.id)[1]);
    const place = previous ? { after: previous } : next ? { before: next } : undefined;
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
    const known = fieldsOf(add.schema, add.schema).filter((field) => !isID(field) && row[field.name] !== undefined);
    const values = Object.fromEntries(known.filter((field) => field.name !== "type").map((field) => [field.name, row[field.name]]));
    // The row's own command has the id as it was given: 1 or "1".
    const given = row.action?.command[kind] ?? id;
    return { name, restore: () => this.#viewModel.send({ type: add.type, id: given, ...values, ...place }) };
  }

  /**
   * @param {{operation: string, ids?: (string | number)[]}[]} operations
   * @returns {Promise<Loss>}
   */
  async #lossOfOperations(operations) {
    const [{ operation, ids = [] }] = operations;
    const id = String(ids[0]);
    const sections = this.#viewModel.snapshot?.sections ?? [];
    if (operations.length !== 1 || ids.length !== 1) return { name: "all of these", restore: null };
    const resource = await this.#load();
    const restore = (/** @type {any[]} */ ...wanted) => () => this.#viewModel.send({ type: "apply", operations: wanted });

    if (operation === "deleteSections") {
      const at = sections.findIndex((each) => each.id === id);
      const section = resource.sections.find((/** @type {any} */ each) => String(each.id) === id);
      const place = placeOf(sections, at);
      return { name: `Section “${isolated(section?.title ?? id)}”`, restore: section
        ? restore({ operation: place ? "insertSections" : "appendSections", sections: [section], ...place }) : null };
    }
    const section = sections.find(({ rows }) => rows.some((row) => row.id === id));
    const row = section?.rows.find((each) => each.id === id);
    const item = found(resource.sections, id);
    if (!section || !row || !item) return { name: id, restore: null };
    const siblings = siblingsOf(row, section);
    const place = placeOf(siblings, siblings.indexOf(row));
    const parent = section.rows[section.rows.indexOf(row) - 1];
    const name = `“${isolated(nameOf(row))}”`;
    if (place) return { name, restore: restore({ operation: "insertItems", items: [item], ...place }) };
    if (!row.level) return { name, restore: restore({ operation: "appendItems", items: [item], section: section.id }) };
    return { name, restore: restore(
      { operation: "appendItems", items: [item], to: parent.id }, { operation: "expandItems", ids: [parent.id] }) };
  }
}

/**
 * Returns the place of an element by one of its neighbours; none if it has no neighbour.
 *
 * @param {readonly {id: string}[]} elements
 * @param {number} at
 */
function placeOf(elements, at) {
  if (at > 0) return { after: elements[at - 1].id };
  return elements.length > 1 ? { before: elements[1].id } : undefined;
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
