import { canonical } from "../../../Public/viewdelta.js";

/**
 * Computes the diff of two view models by the rules of the OpenAPI document, simply and slowly. It
 * does not use the library under test. Moves are correct, but not always minimal.
 *
 * @param {any} before
 * @param {any} after
 */
export function difference(before, after) {
  const result = {
    states: statesDifference(before.states, after.states),
    sections: sectionDifference(before.sections, after.sections),
    rows: rowDifference(before.sections, after.sections),
  };
  return pruned(result);
}

function statesDifference(before, after) {
  const changes = {};
  for (const name of Object.keys(before)) if (!(name in after)) changes[name] = null;
  for (const [name, state] of Object.entries(after)) {
    if (before[name] !== state) changes[name] = state;
  }
  return changes;
}

function sectionDifference(before, after) {
  const place = ({ index }) => index;
  return operations({
    old: before.map((element, index) => ({ element, index, list: 0 })),
    new: after.map((element, index) => ({ element, index, list: 0 })),
    place,
    insert: (section) => ({ section }),
    isSame: () => true,
    reserved: ["id", "rows"],
  });
}

function rowDifference(before, after) {
  const oldIds = before.map(({ id }) => id);
  const newIds = after.map(({ id }) => id);
  // The rows of inserted and deleted sections are not listed.
  const rows = (sections, others) =>
    sections.flatMap(({ id: list, rows }, section) => {
      if (!others.includes(list)) return [];
      return rows.map((element, index) => ({ element, index, section, list }));
    });
  return operations({
    old: rows(before, newIds),
    new: rows(after, oldIds),
    place: ({ section, index }) => [section, index],
    insert: (row) => ({ row }),
    isSame: (left, right) => left.type === right.type,
    reserved: ["id", "type"],
  });
}

function operations({ old, new: fresh, place, insert, isSame, reserved }) {
  const oldById = new Map(old.map((item) => [item.element.id, item]));
  const kept = new Map();
  for (const item of fresh) {
    const twin = oldById.get(item.element.id);
    if (twin && isSame(twin.element, item.element)) kept.set(item.element.id, [twin, item]);
  }
  const stays = staying(kept);
  const deletes = old.filter(({ element }) => !kept.has(element.id));
  const inserts = fresh.filter(({ element }) => !kept.has(element.id));
  const pairs = [...kept.values()];
  return {
    deletes: deletes.map((item) => ({ id: item.element.id, at: place(item) })).reverse(),
    inserts: inserts.map((item) => ({ at: place(item), ...insert(item.element) })),
    moves: pairs
      .filter(([, item]) => !stays.has(item.element.id))
      .map(([twin, item]) => ({ id: item.element.id, from: place(twin), to: place(item) })),
    updates: pairs.flatMap(([twin, item]) => {
      const { set, unset } = fieldDifference(twin.element, item.element, reserved);
      if (Object.keys(set).length + unset.length === 0) return [];
      return [{ id: item.element.id, from: place(twin), to: place(item), set, unset }];
    }),
  };
}

/** Returns the ids of the elements that keep their list and, found greedily, their order. */
function staying(kept) {
  const last = new Map();
  const result = new Set();
  for (const [id, [twin, item]] of kept) {
    if (twin.list !== item.list || twin.index <= (last.get(item.list) ?? -1)) continue;
    last.set(item.list, twin.index);
    result.add(id);
  }
  return result;
}

function fieldDifference(before, after, reserved) {
  const names = (element) => Object.keys(element).filter((name) => !reserved.includes(name));
  const isNew = (name) =>
    !Object.hasOwn(before, name) || canonical(before[name]) !== canonical(after[name]);
  const set = Object.fromEntries(names(after).filter(isNew).map((name) => [name, after[name]]));
  return { set, unset: names(before).filter((name) => !Object.hasOwn(after, name)) };
}

/** Removes empty groups. */
function pruned(value) {
  const entries = Object.entries(value)
    .map(([name, group]) => [name, name === "states" ? group : prunedGroup(group)])
    .filter(([, group]) => Object.keys(group).length > 0);
  return Object.fromEntries(entries);
}

function prunedGroup(group) {
  return Object.fromEntries(Object.entries(group).filter(([, list]) => list.length > 0));
}
