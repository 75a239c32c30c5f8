import { canonical } from "./canonical.js";
import { fnv1a } from "./fnv.js";

/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").Section} Section */
/** @typedef {import("./types.js").States} States */

const modulus = (1n << 61n) - 1n;
const base = 1425089352415399811n;

/**
 * The known hashes. Rows and sections are frozen when they are hashed, and a diff keeps the objects of
 * unchanged ones, so that only new ones are hashed.
 *
 * @type {WeakMap<object, bigint>}
 */
const hashes = new WeakMap();

/**
 * Returns the digest of a view model's content, as the server's OpenAPI document defines it.
 *
 * Freezes the rows and sections, because it remembers their hashes.
 *
 * Takes O(*n* + *r*), where *n* is the size of the rows that were not hashed before, and *r* the
 * number of rows in sections that were not hashed before.
 *
 * @param {{sections: readonly Section[], states: States}} content
 * @returns {string}
 */
export function digest({ sections, states }) {
  const text = canonical({ sections: fold(sections.map(sectionHash)), states });
  return (fnv1a(text) % modulus).toString(36);
}

/**
 * Returns the hash of one row.
 *
 * @param {Row} row
 * @returns {bigint}
 */
function rowHash(row) {
  return remembered(row, () => fnv1a(canonical(row)));
}

/**
 * Returns the hash of one section with its rows.
 *
 * @param {Section} section
 * @returns {bigint}
 */
function sectionHash(section) {
  return remembered(section, () =>
    fnv1a(canonical({ ...section, rows: fold(section.rows.map(rowHash)) })),
  );
}

/** @param {bigint[]} hashes */
function fold(hashes) {
  return hashes.reduce((sum, hash) => (sum * base + hash) % modulus, 1n).toString(36);
}

/**
 * @param {object} key
 * @param {() => bigint} compute
 */
function remembered(key, compute) {
  let hash = hashes.get(key);
  if (hash === undefined) hashes.set(freeze(key), (hash = compute()));
  return hash;
}

/** @param {any} value */
function freeze(value) {
  // A value that is no object counts as frozen.
  if (!Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}
