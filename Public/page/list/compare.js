/**
 * Computes the operations between two snapshots if the server sends no diff: for the first snapshot
 * and a reset.
 */
import { canonical } from "../../viewdelta.js";

/**
 * @typedef {import("../../viewdelta/types.js").Snapshot} Snapshot
 * @typedef {import("../../viewdelta/types.js").RowOperations} RowOperations
 * @typedef {import("../../viewdelta/types.js").SectionOperations} SectionOperations
 */

/**
 * Finds the operations by id. Positions follow the rules of a diff; moves are not always minimal.
 *
 * Takes O(*n*), where *n* is the number of rows in both snapshots.
 *
 * @param {Snapshot | null} before
 * @param {Snapshot} after
 * @returns {{sections: SectionOperations, rows: RowOperations}}
 */
export function compare(before, after) {
  const old = before?.sections ?? [];
  const sections = operations(
    old.map((section, at) => ({ item: section, at })),
    after.sections.map((section, at) => ({ item: section, at })),
    (left, right) => isEqual({ ...left, rows: null }, { ...right, rows: null }));
  const kept = (/** @type {any[]} */ all, /** @type {{at: number}[]} */ gone) => {
    const places = new Set(gone.map(({ at }) => at));
    return all.flatMap((section, at) => (places.has(at) ? []
      : section.rows.map((/** @type {any} */ row, /** @type {number} */ index) => ({
        item: row, at: [at, index], home: section.id,
      }))));
  };
  const rows = operations(
    kept([...old], sections.deletes), kept([...after.sections], sections.inserts),
    (left, right) => left === right || isEqual(left, right));
  return /** @type {any} */ ({
    sections: named(sections, "section"),
    rows: named(rows, "row"),
  });
}

/**
 * @typedef {{item: any, at: any, home?: string}} Entry An element, its position, and its section.
 *
 * @param {Entry[]} old
 * @param {Entry[]} now
 * @param {(left: any, right: any) => boolean} isSame Compares two elements with the same id.
 */
function operations(old, now, isSame) {
  const then = new Map(old.map((entry, index) => [entry.item.id, { ...entry, index }]));
  const survivors = new Set();
  /** @type {Entry[]} */
  const inserts = [];
  const moves = [];
  const updates = [];
  let last = -1;
  for (const { item, at, home } of now) {
    const former = then.get(item.id);
    if (!former || former.item.type !== item.type) {
      inserts.push({ item, at });
      continue;
    }
    survivors.add(item.id);
    if (former.home !== home || former.index < last) moves.push({ id: item.id, from: former.at, to: at });
    else last = former.index;
    if (!isSame(former.item, item)) updates.push({ id: item.id, from: former.at, to: at });
  }
  const deletes = old.filter(({ item }) => !survivors.has(item.id))
    .map(({ item, at }) => ({ id: item.id, at })).reverse();
  return { deletes, inserts, moves, updates };
}

/**
 * Returns whether two rows or sections have the same fields, in any order.
 *
 * @param {{[field: string]: any}} left
 * @param {{[field: string]: any}} right
 */
function isEqual(left, right) {
  return canonical(left) === canonical(right);
}

/**
 * Returns the operations without empty groups, as in a diff.
 *
 * @param {ReturnType<typeof operations>} all
 * @param {"section" | "row"} name
 */
function named({ deletes, inserts, moves, updates }, name) {
  const groups = { deletes, inserts: inserts.map(({ item, at }) => ({ at, [name]: item })), moves, updates };
  return Object.fromEntries(Object.entries(groups).filter(([, group]) => group.length > 0));
}
