import { inapplicable } from "./sequence-plan.js";

/**
 * Returns the row or section after an update.
 *
 * @template {{id: string}} Element
 * @param {Element} element
 * @param {{set?: {[field: string]: any}, unset?: string[]}} update
 * @param {readonly string[]} reserved The members that are no fields.
 * @returns {Element} Always a new object.
 */
export function updated(element, { set = {}, unset = [] }, reserved) {
  // Unlike an assignment, spreading treats a field named "__proto__" as an ordinary field.
  /** @type {any} */
  const result = { ...element, ...set };
  for (const name of unset) {
    if (!Object.hasOwn(element, name) || Object.hasOwn(set, name)) {
      throw inapplicable(`the update of "${element.id}" cannot unset the field "${name}"`);
    }
    delete result[name];
  }
  const taken = reserved.find((name) => Object.hasOwn(set, name) || unset.includes(name));
  if (taken !== undefined) {
    throw inapplicable(`the update of "${element.id}" cannot change the member "${taken}"`);
  }
  if (unset.length === 0 && Object.keys(set).length === 0) {
    throw inapplicable(`the update of "${element.id}" changes nothing`);
  }
  return result;
}
