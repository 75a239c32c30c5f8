/** The words of a row for people, whatever its type. */

/** @typedef {{id: string, [field: string]: any}} Thing A row or a section. */

const naming = ["title", "text", "name", "label"];
/** The members that a control of the row shows, or that are not for people. */
const silent = new Set([
  "id", "type", "action", "moreActions", "change", "input", "isExpanded", "isCollapsed", "isLoading", "loadsChildren",
]);

/**
 * Whether a row shows an object of a collection, whose members have any names and values.
 *
 * @param {Thing} row
 */
export const isData = (row) => row.type === "element";

/**
 * Whether a row can be edited.
 *
 * @param {Thing} row
 */
export const isField = ({ input, change, value }) =>
  typeof input?.type === "string" && typeof change?.command?.type === "string" && !(value instanceof Object);

/**
 * Whether a command enters a value in a row.
 *
 * @param {Thing} row
 * @param {import("../viewdelta/types.js").Command} command
 */
export const isEntry = (row, command) =>
  isField(row) && Object.entries(row.change.command).every(([name, value]) => command[name] === value);

/**
 * Returns the member that names a row, if it has one.
 *
 * @param {Thing} row
 */
export const namingMember = (row) => naming.find((name) => row[name] != null && row[name] !== "");

/**
 * Returns the name of a row; empty if it has none.
 *
 * @param {Thing | undefined} row
 * @returns {string}
 */
export function nameOf(row) {
  const member = row && namingMember(row);
  return member ? plain(row[member]) : "";
}

/** @param {string} member */
export const isForPeople = (member) => !silent.has(member) && !member.endsWith("URL");

/**
 * Returns what some members of a row say to people, such as "Rank 1".
 *
 * @param {Thing} row
 * @param {Iterable<string>} members
 */
export function wordsOf(row, members) {
  const all = new Set(members);
  return membersOf(row)
    .filter((name) => (all.has(name) || all.has(`${name}Text`)) && isForPeople(name))
    .map((name) => {
      const value = chosen(row, name) ?? shown(row, name);
      const isTelling = ["string", "object"].includes(typeof value);
      return isTelling ? plain(value) : `${titled(name)}: ${typeof value === "boolean" ? yes(value) : plain(value)}`;
    })
    .filter((text) => text !== "" && text !== pending);
}

/**
 * Returns the title of the option that is the value of a field, if it has options.
 *
 * @param {Thing} row
 * @param {string} member
 */
const chosen = (row, member) => member === "value" && isField(row)
  ? row.input.options?.find((/** @type {Thing} */ { id }) => id === row.value)?.title : undefined;

/** The text of a value that is loading. */
const pending = "…";

/** @param {boolean} value */
const yes = (value) => (value ? "yes" : "no");

/**
 * Returns the names of the members without the texts that are shown in place of others.
 *
 * @param {{[name: string]: any}} object
 */
export function membersOf(object) {
  return Object.keys(object)
    .filter((name) => !name.endsWith("Text") || !Object.hasOwn(object, name.slice(0, -"Text".length)));
}

/**
 * Returns the text of the server for a member, such as `dateText` for `date`, or else its value.
 *
 * @param {{[name: string]: any}} object
 * @param {string} name
 */
export const shown = (object, name) => object[`${name}Text`] ?? object[name];

/**
 * Converts a value to text.
 *
 * @param {any} value
 * @returns {string}
 */
export function plain(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "✓" : "✗";
  if (Array.isArray(value)) return value.map(plain).join(", ");
  if (typeof value !== "object") return String(value);
  if (typeof value.text === "string") return value.isLoading && value.text === "" ? pending : value.text;
  return membersOf(value).map((name) => `${titled(name)}: ${plain(shown(value, name))}`).join(" · ");
}

/**
 * Converts a name of the API to a title: `shoppingList` becomes "Shopping list", and `imageURL` "Image URL".
 *
 * @param {string} name
 */
export function titled(name) {
  const words = name.replace(/[-_]/g, " ")
    .replace(/([a-z])([A-Z]+)/g, (_, a, b) => `${a} ${b.length > 1 ? b : b.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
