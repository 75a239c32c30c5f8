import { SequencePlan, inapplicable } from "./sequence-plan.js";

/** @typedef {import("./types.js").DiffDocument} DiffDocument */
/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").RowPath} RowPath */
/** @typedef {import("./types.js").RowOperations} RowOperations */
/** @typedef {import("./types.js").Section} Section */
/** @typedef {import("./types.js").SectionOperations} SectionOperations */
/** @typedef {import("./types.js").States} States */

/**
 * A section at its new index; `old` is its old index, or `null` for an inserted section.
 *
 * @typedef {{old: number | null, section: Section}} Arranged
 */

/**
 * Applies one diff to one content and checks every operation, by the rules of a batch update:
 * deletes and updates refer to old positions, inserts to new ones.
 *
 * Takes O(*n* + *c* log *c*), where *n* is the number of sections plus the number of rows in
 * changed sections, and *c* the number of operations.
 */
export class DiffApplication {
  /** @type {readonly Section[]} */
  #sections;
  /** @type {States} */
  #states;
  /** @type {DiffDocument} */
  #diff;

  /**
   * @param {{sections: readonly Section[], states: States}} content
   * @param {DiffDocument} diff
   */
  constructor({ sections, states }, diff) {
    this.#sections = sections;
    this.#states = states;
    this.#diff = diff;
  }

  /**
   * Returns the content after the diff. It shares the unchanged sections and rows with the old
   * content.
   *
   * @returns {{sections: readonly Section[], states: States}}
   * @throws {import("./divergence-error.js").DivergenceError} For the first fault.
   */
  result() {
    checkOrder(this.#diff.sections, (left, right) => left - right);
    checkOrder(this.#diff.rows, (left, right) => left[0] - right[0] || left[1] - right[1]);
    return { sections: this.#newSections(), states: this.#newStates() };
  }

  /** @returns {States} */
  #newStates() {
    if (this.#diff.states === undefined) return this.#states;
    // Unlike an assignment, spreading treats a state named "__proto__" as an ordinary state.
    /** @type {any} */
    const states = { ...this.#states, ...this.#diff.states };
    for (const [name, state] of Object.entries(this.#diff.states)) {
      if (state !== null) continue;
      if (!Object.hasOwn(this.#states, name)) throw inapplicable(`there is no state "${name}"`);
      delete states[name];
    }
    return states;
  }

  /** @returns {readonly Section[]} */
  #newSections() {
    const arranged = this.#arrangedSections();
    this.#updateSections(arranged);
    for (const [index, rows] of this.#newRows(arranged)) {
      arranged[index].section = { ...arranged[index].section, rows };
    }
    this.#reload(arranged);
    return arranged.map(({ section }) => section);
  }

  /** @returns {Arranged[]} */
  #arrangedSections() {
    const { sections: operations = /** @type {SectionOperations} */ ({}) } = this.#diff;
    const { deletes = [], moves = [], inserts = [] } = operations;
    const before = this.#sections.map((section, old) => ({ old, section }));
    /** @type {SequencePlan<Arranged>} */
    const plan = new SequencePlan();
    for (const { id, at } of deletes) {
      this.#checkSection(id, at);
      plan.remove(at);
    }
    for (const { id, from, to } of moves) {
      this.#checkSection(id, from);
      plan.remove(from);
      plan.place(before[from], to);
    }
    for (const { section, at } of inserts) plan.place({ old: null, section }, at);
    return plan.result(before);
  }

  /** @param {Arranged[]} arranged */
  #updateSections(arranged) {
    for (const update of this.#diff.sections?.updates ?? []) {
      this.#checkSection(update.id, update.from);
      const target = arranged[update.to];
      if (target?.old !== update.from) {
        throw inapplicable(
          `section "${update.id}" does not move from ${update.from} to ${update.to}`,
        );
      }
      target.section = updated(target.section, update, ["id", "rows"]);
    }
  }

  /**
   * Returns the rows of the new sections whose rows change, by the new index of the section.
   *
   * @param {Arranged[]} arranged
   * @returns {Map<number, Row[]>}
   */
  #newRows(arranged) {
    const { rows: operations = /** @type {RowOperations} */ ({}) } = this.#diff;
    const { deletes = [], moves = [], inserts = [], updates = [] } = operations;
    const newIndexes = new Map(arranged.map(({ old }, index) => [old, index]));
    /** @type {Map<number, SequencePlan<Row>>} */
    const plans = new Map();

    /** @param {number | undefined} section */
    const planOfNew = (section = -1) => {
      if (typeof arranged[section]?.old !== "number") {
        throw inapplicable("rows change in a section that does not exist, or is inserted or deleted as a whole");
      }
      let plan = plans.get(section);
      if (plan === undefined) plans.set(section, (plan = new SequencePlan()));
      return plan;
    };
    /** @param {number} section */
    const planOfOld = (section) => planOfNew(newIndexes.get(section));

    for (const { id, at } of deletes) {
      this.#row(id, at);
      planOfOld(at[0]).remove(at[1]);
    }
    for (const { id, from, to } of moves) {
      const row = this.#row(id, from);
      planOfOld(from[0]).remove(from[1]);
      planOfNew(to[0]).place(row, to[1]);
    }
    for (const { row, at } of inserts) planOfNew(at[0]).place(row, at[1]);
    for (const { to } of updates) planOfNew(to[0]);

    /** @type {Map<number, Row[]>} */
    const rows = new Map();
    for (const [index, plan] of plans) {
      const { old } = arranged[index];
      if (old !== null) rows.set(index, plan.result(this.#sections[old].rows));
    }
    for (const update of updates) {
      const row = this.#row(update.id, update.from);
      const section = rows.get(update.to[0]);
      if (section?.[update.to[1]] !== row) {
        throw inapplicable(`row "${update.id}" does not move from ${update.from} to ${update.to}`);
      }
      section[update.to[1]] = updated(row, update, ["id", "type"]);
    }
    return rows;
  }

  /**
   * Replaces the sections and rows that are drawn again by copies.
   *
   * @param {Arranged[]} arranged
   */
  #reload(arranged) {
    const { sections, rows } = this.#diff;
    const kept = new Set(arranged.map(({ old }) => old));
    const deleted = new Set(rows?.deletes?.map(({ at }) => String(at)));
    /** @type {Map<Arranged, Row[]>} */
    const copies = new Map();
    for (const { id, from, to } of rows?.reloads ?? []) {
      this.#row(id, from);
      const target = arranged[to[0]];
      const row = target?.section.rows[to[1]];
      const isKept = row?.id === id && kept.has(from[0]) && !deleted.has(String(from));
      if (!isKept) throw inapplicable(`row "${id}" does not stay from ${from} to ${to}`);
      const copy = copies.get(target) ?? [...target.section.rows];
      copy[to[1]] = { ...row };
      copies.set(target, copy);
    }
    for (const [target, rows] of copies) target.section = { ...target.section, rows };
    for (const { id, from, to } of sections?.reloads ?? []) {
      this.#checkSection(id, from);
      const target = arranged[to];
      if (target?.old !== from) {
        throw inapplicable(`section "${id}" does not stay from ${from} to ${to}`);
      }
      target.section = { ...target.section, rows: target.section.rows.map((row) => ({ ...row })) };
    }
  }

  /**
   * @param {string} id
   * @param {number} at
   */
  #checkSection(id, at) {
    if (this.#sections[at]?.id !== id) throw inapplicable(`section ${at} is not "${id}"`);
  }

  /**
   * Returns the old row at a position, if it has the given id.
   *
   * @param {string} id
   * @param {RowPath} at
   * @returns {Row}
   */
  #row(id, at) {
    const row = this.#sections[at[0]]?.rows[at[1]];
    if (row?.id !== id) throw inapplicable(`the row at ${at} is not "${id}"`);
    return row;
  }
}

/**
 * Checks that the positions of deletes descend strictly, and that all others ascend strictly.
 *
 * @template Position
 * @param {{deletes?: {at: Position}[], inserts?: {at: Position}[], moves?: {to: Position}[],
 *   reloads?: {to: Position}[], updates?: {to: Position}[]} | undefined} group
 * @param {(left: Position, right: Position) => number} compare
 */
function checkOrder(
  { deletes = [], inserts = [], moves = [], reloads = [], updates = [] } = {}, compare,
) {
  const ascending = [
    deletes.map(({ at }) => at).reverse(),
    inserts.map(({ at }) => at),
    moves.map(({ to }) => to),
    reloads.map(({ to }) => to),
    updates.map(({ to }) => to),
  ];
  for (const positions of ascending) {
    if (positions.some((to, index) => index > 0 && !(compare(positions[index - 1], to) < 0))) {
      throw inapplicable("deletes must descend, the others ascend, each strictly");
    }
  }
}

/**
 * Returns the row or section after an update.
 *
 * @template {{id: string}} Element
 * @param {Element} element
 * @param {{set?: {[field: string]: any}, unset?: string[]}} update
 * @param {readonly string[]} reserved The members that are no fields.
 * @returns {Element} Always a new object.
 */
function updated(element, { set = {}, unset = [] }, reserved) {
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
