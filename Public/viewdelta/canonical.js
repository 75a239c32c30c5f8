/**
 * Encodes a value as canonical JSON, as the server does: member names sorted by their UTF-8 bytes,
 * no white space.
 *
 * Equal values have equal encodings. Takes O(*n* log *m*), where *n* is the size of the value and
 * *m* the largest number of members of an object.
 *
 * @param {any} value A result of `JSON.parse`.
 * @returns {string}
 */
export function canonical(value) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  return `{${Object.keys(value)
    .sort(compareBytes)
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)}}`;
}

/**
 * Compares two texts by their UTF-8 bytes, which is the order of their code points. JavaScript
 * compares UTF-16 code units, which puts code points above U+FFFF before some of those below.
 *
 * @param {string} left
 * @param {string} right
 */
export function compareBytes(left, right) {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const difference = rank(left.charCodeAt(index)) - rank(right.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** @param {number} unit A code unit; halves of surrogate pairs are sorted behind all others. */
function rank(unit) {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit;
}
