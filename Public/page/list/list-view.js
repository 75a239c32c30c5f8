/**
 * The list of the page, kept in step with a view model by its changes.
 *
 * Every section and row keeps its element: a diff deletes, inserts, moves and updates elements and
 * leaves the others untouched. Only for a reset, which has no diff, snapshots are compared by id;
 * unchanged elements are kept then, too.
 */
import { compare } from "./compare.js";
import { FocusKeeper } from "./focus-keeper.js";
import { Motion } from "./motion.js";
import { readingPlace } from "./reading-place.js";
import { RowView } from "./row-view.js";
import { SectionView } from "./section-view.js";

/**
 * @typedef {import("../../viewdelta/types.js").Change} Change
 * @typedef {import("../../viewdelta/types.js").Snapshot} Snapshot
 * @typedef {import("../../viewdelta/types.js").RowOperations} RowOperations
 * @typedef {import("../../viewdelta/types.js").SectionOperations} SectionOperations
 * @typedef {import("../rows/renderer.js").RowContext} RowContext
 */

export class ListView {
  #host;
  #context;
  #report;
  #motion;
  /** @type {Map<string, SectionView>} */
  #sections = new Map();
  /** @type {Map<string, RowView>} */
  #rows = new Map();

  /**
   * @param {HTMLElement} host The element of the list, which is empty.
   * @param {RowContext} context The actions of the rows.
   * @param {(row: import("../../viewdelta/types.js").Row, error: unknown) => void} report Called if a row
   *   cannot be shown as it should be.
   */
  constructor(host, context, report) {
    this.#host = host;
    this.#context = context;
    this.#report = report;
    this.#motion = new Motion(host);
  }

  /** @param {Change} change */
  apply(change) {
    // Without `moveBefore` a field that moves loses the focus for a moment, as if the user had left it.
    for (const type of ["blur", "change"]) this.#host.addEventListener(type, ignore, true);
    try {
      this.#apply(change);
    } finally {
      for (const type of ["blur", "change"]) this.#host.removeEventListener(type, ignore, true);
    }
  }

  /** @param {Change} change */
  #apply({ before, after, diff }) {
    const { sections = {}, rows = {} } = diff ?? compare(before, after);
    const focus = new FocusKeeper(this.#host, before, this.#rows);
    const isStructural = [sections, rows].some(
      ({ deletes, inserts, moves }) => deletes || inserts || moves);
    const restorePlace = readingPlace(this.#host, new Set(rows.moves?.map(({ id }) => id)));
    const isAnimated = diff?.animated !== false;
    const travels = isStructural && before !== null && isAnimated;
    if (travels) this.#motion.begin([...this.#sections.values(), ...this.#rows.values()].map(elementOf));

    this.#delete(sections, rows, before);
    const inserted = this.#place(sections, rows, after);
    this.#update(sections, rows, after);
    const reloaded = this.#reload(sections, rows, after, new Set(inserted));

    for (const { id, rows } of after.sections) this.#sections.get(id)?.resize(rows.length);
    // Before the new positions are measured.
    restorePlace();
    const moved = (rows.moves ?? []).map(({ id }) => this.#row(id));
    if (travels) this.#motion.end({ inserted: inserted.map(elementOf), moved: moved.map(elementOf) });
    const updated = (rows.updates ?? []).map(({ id }) => this.#row(id));
    if (isAnimated) this.#motion.highlight([...new Set([...updated, ...reloaded])].map(elementOf));
    focus.restore(after, this.#rows);
  }

  /**
   * @param {SectionOperations} sections
   * @param {RowOperations} rows
   * @param {Snapshot | null} before
   */
  #delete(sections, rows, before) {
    for (const { id, at } of sections.deletes ?? []) {
      for (const row of before?.sections[at].rows ?? []) {
        // A row that moved out of the section is an insert elsewhere, which creates it again.
        this.#remove(row.id);
      }
      this.#sections.get(id)?.element.remove();
      this.#sections.delete(id);
    }
    for (const { id } of rows.deletes ?? []) this.#remove(id);
  }

  /** @param {string} id */
  #remove(id) {
    const row = this.#rows.get(id);
    if (!row) return;
    this.#rows.delete(id);
    this.#motion.leave(row.element);
    row.element.remove();
  }

  /**
   * Puts inserts and moves at their positions, the last ones first, so that the next sibling of
   * each is already in place, and no element must be removed to count positions.
   *
   * @param {SectionOperations} sections
   * @param {RowOperations} rows
   * @param {Snapshot} after
   * @returns {RowView[]} The new ones.
   */
  #place(sections, rows, after) {
    /** @type {RowView[]} */
    const inserted = [];
    const fresh = new Map((sections.inserts ?? []).map(({ at, section }) => [at, section]));
    const placed = [...fresh.keys(), ...(sections.moves ?? []).map(({ to }) => to)];
    for (const at of placed.sort((left, right) => right - left)) {
      const { id } = after.sections[at];
      const section = this.#sections.get(id) ?? new SectionView(id);
      this.#sections.set(id, section);
      place(section.element, this.#host, this.#sections.get(after.sections[at + 1]?.id)?.element);
      if (fresh.has(at)) section.show(after.sections[at]);
    }
    for (const [at, section] of fresh) {
      for (const index of section.rows.keys()) inserted.push(this.#insert([at, index], after));
    }
    const paths = [
      ...(rows.inserts ?? []).map(({ at }) => ({ path: at, isNew: true })),
      ...(rows.moves ?? []).map(({ to }) => ({ path: to, isNew: false })),
    ];
    paths.sort(({ path: [s, r] }, { path: [t, q] }) => t - s || q - r);
    for (const { path, isNew } of paths) {
      if (isNew) inserted.push(this.#insert(path, after));
      else this.#putInPlace(this.#row(rowAt(after, path).id), path, after);
    }
    return inserted;
  }

  /**
   * @param {[number, number]} path
   * @param {Snapshot} after
   */
  #insert(path, after) {
    const row = new RowView(rowAt(after, path), this.#context, this.#report);
    this.#rows.set(row.id, row);
    this.#putInPlace(row, path, after);
    return row;
  }

  /**
   * @param {RowView} row
   * @param {[number, number]} path
   * @param {Snapshot} after
   */
  #putInPlace(row, [at, index], after) {
    const section = after.sections[at];
    const list = /** @type {SectionView} */ (this.#sections.get(section.id)).list;
    place(row.element, list, this.#rows.get(section.rows[index + 1]?.id)?.element);
  }

  /**
   * @param {SectionOperations} sections
   * @param {RowOperations} rows
   * @param {Snapshot} after
   */
  #update(sections, rows, after) {
    for (const { id, to } of sections.updates ?? []) this.#sections.get(id)?.show(after.sections[to]);
    for (const { id, to } of rows.updates ?? []) this.#row(id).show(rowAt(after, to));
  }

  /**
   * Makes new elements for sections and rows.
   *
   * @param {SectionOperations} sections
   * @param {RowOperations} rows
   * @param {Snapshot} after
   * @param {Set<RowView>} fresh The rows whose elements are new already.
   * @returns {RowView[]} The rows with new elements.
   */
  #reload(sections, rows, after, fresh) {
    const reloaded = (rows.reloads ?? []).map(({ to }) => this.#renew(rowAt(after, to)));
    for (const { id, to } of sections.reloads ?? []) {
      const former = this.#sections.get(id);
      const section = new SectionView(id);
      section.show(after.sections[to]);
      for (const row of after.sections[to].rows) {
        if (!fresh.has(this.#row(row.id))) reloaded.push(this.#renew(row));
        section.list.append(this.#row(row.id).element);
      }
      if (former) {
        former.element.replaceWith(section.element);
        this.#motion.replace(former.element, section.element);
      }
      this.#sections.set(id, section);
    }
    return reloaded;
  }

  /** @param {import("../../viewdelta/types.js").Row} row */
  #renew(row) {
    const former = this.#row(row.id);
    const view = new RowView(row, this.#context, this.#report);
    former.element.replaceWith(view.element);
    this.#rows.set(row.id, view);
    this.#motion.replace(former.element, view.element);
    return view;
  }

  /** @param {string} id */
  #row(id) {
    return /** @type {RowView} */ (this.#rows.get(id));
  }
}

/** @param {Event} event */
const ignore = (event) => event.stopPropagation();

/** @param {SectionView | RowView} view */
const elementOf = ({ element }) => element;

/**
 * @param {Snapshot} snapshot
 * @param {[number, number]} path
 */
function rowAt(snapshot, [section, row]) {
  return snapshot.sections[section].rows[row];
}

/**
 * Puts an element before another one or at the end. If the browser has `moveBefore`, the focus, the
 * scroll position and running animations are kept.
 *
 * @param {HTMLElement} element
 * @param {HTMLElement} parent
 * @param {HTMLElement | undefined} next
 */
function place(element, parent, next) {
  const before = next ?? null;
  if (element.isConnected && "moveBefore" in parent) {
    /** @type {any} */ (parent).moveBefore(element, before);
  } else {
    parent.insertBefore(element, before);
  }
}
