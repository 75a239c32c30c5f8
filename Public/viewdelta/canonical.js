/**
 * The canonical JSON of a value, as the server writes it: member names sorted, no white space.
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
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)}}`;
}
