/**
 * The edits by operations on an outline: sections of items, which have items below them. Rows have the ids of their
 * items. What an item has comes from the schema of the operation.
 */
import { moves } from "./edit.js";
import { fieldsOf, resolved } from "./schema.js";

/**
 * @typedef {import("./edit.js").Edits} Edits
 * @typedef {import("./edit.js").Row} Row
 */

/** The members of an item that have edits of their own, or none. */
const structural = new Set(["id", "children", "items", "isExpanded"]);

/**
 * @param {import("../screens.js").CommandDescription[]} descriptions
 * @returns {Edits}
 */
export function outlineEdits(descriptions) {
  const schema = descriptions.find(({ type }) => type === "apply")?.schema;
  /** @type {any[]} */
  const variants = schema?.properties?.operations?.items?.oneOf ?? [];
  const operations = new Map(variants.map((each) => [resolved(each, schema).properties?.operation?.const, each]));
  // Another screen's `apply` may have other operations.
  if (!operations.has("reconfigureItems")) return { ofRow: () => [], ofSection: () => [], ofScreen: () => [] };

  /** @param {{operation: string, [argument: string]: any}} operation */
  const apply = (operation) => ({ type: "apply", operations: [operation] });
  /**
   * @param {string} operation
   * @param {"items" | "sections"} list
   */
  const fields = (operation, list) =>
    fieldsOf(resolved(operations.get(operation), schema).properties[list].items, schema)
      .filter(({ name }) => !structural.has(name));
  const sectionFields = fields("appendSections", "sections");
  const itemFields = fields("appendItems", "items");
  // Of another type an item is another row.
  const changeable = new Set(fields("reconfigureItems", "items").map(({ name }) => name));
  const changed = itemFields.filter(({ name }) => changeable.has(name) && name !== "type");

  return {
    ofRow(row, section) {
      const { id } = row;
      const siblings = siblingsOf(row, section);
      const at = siblings.indexOf(row);
      const remove = apply({ operation: "deleteItems", ids: [id] });
      const isRemovable = JSON.stringify(row.action?.command.operations) !== JSON.stringify(remove.operations);
      return [
        {
          title: "Change",
          fields: changed.map((field) => ({ ...field, value: row[field.name] })),
          // The other members may have been changed meanwhile.
          command: (values) => apply({ operation: "reconfigureItems", items: [{ id, ...differing(values, row) }] }),
        },
        ...moves(siblings[at - 1]?.id, siblings[at + 1]?.id, (place) =>
          apply({ operation: "moveItem", id, ...place })),
        {
          title: "Add an item after this one", fields: itemFields,
          command: (values) => apply({ operation: "insertItems", items: [{ id: newID(), ...values }], after: id }),
        },
        {
          title: "Add an item below this one", fields: itemFields,
          command: (values) => apply({ operation: "appendItems", items: [{ id: newID(), ...values }], to: id }),
        },
        ...(isRemovable ? [{ title: "Remove", fields: [], command: () => remove }] : []),
      ];
    },
    ofSection({ id, title }, sections) {
      const at = sections.findIndex((each) => each.id === id);
      return [
        {
          title: "Add an item", fields: itemFields,
          command: (values) => apply({ operation: "appendItems", items: [{ id: newID(), ...values }], section: id }),
        },
        {
          title: "Rename section",
          fields: sectionFields.map((field) => ({ ...field, isRequired: true, value: title })),
          command: (values) => apply({ operation: "renameSection", section: id, ...values }),
        },
        ...moves(sections[at - 1]?.id, sections[at + 1]?.id, (place) =>
          apply({ operation: "moveSection", id, ...place })),
        { title: "Remove section", fields: [], command: () => apply({ operation: "deleteSections", ids: [id] }) },
      ];
    },
    ofScreen: () => [{
      title: "Add section",
      fields: sectionFields.map((field) => ({ ...field, isRequired: true })),
      command: (values) => apply({ operation: "appendSections", sections: [{ id: newID(), ...values }] }),
    }],
  };
}

/**
 * Returns the rows beside a row, with it, that are below the same item.
 *
 * @param {Row} row
 * @param {import("./edit.js").Section} section
 */
export function siblingsOf(row, { rows }) {
  const level = row.level ?? 0;
  const at = rows.indexOf(row);
  const isAbove = (/** @type {Row} */ each) => (each.level ?? 0) < level;
  const parents = rows.map((each, index) => (isAbove(each) ? index : -1)).filter((index) => index >= 0);
  const first = parents.filter((index) => index < at).at(-1) ?? -1;
  const end = parents.find((index) => index > at);
  return rows.slice(first + 1, end).filter((each) => (each.level ?? 0) === level);
}

/**
 * Returns the values that a row does not have.
 *
 * @param {{[name: string]: any}} values
 * @param {Row} row
 */
const differing = (values, row) =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== row[name]));

/** Returns an id that no item has. */
function newID() {
  return [...crypto.getRandomValues(new Uint8Array(9))].map((byte) => byte.toString(36).padStart(2, "0")).join("");
}
