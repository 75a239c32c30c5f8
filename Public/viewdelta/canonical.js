/**
 * The canonical JSON of a value, as the server writes it: member names sorted by their UTF-8 bytes,
 * no white space.
 *
 * Equal values have equal texts. Takes time in the size of the value, and in the sorting of names.
 *
 * @param {any} value What `JSON.parse` gives.
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
 * The order of two texts by their UTF-8 bytes, which is that of their code points. JavaScript's own
 * order is that of UTF-16, where the two halves of a code point above U+FFFF stand too low.
 *
 * @param {string} left
 * @param {string} right
 */
function compareBytes(left, right) {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const difference = rank(left.charCodeAt(index)) - rank(right.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** @param {number} unit A code unit; that of a half of a pair goes behind all others. */
function rank(unit) {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit;
}
