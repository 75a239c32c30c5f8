const encoder = new TextEncoder();

/**
 * Returns the size of a text in UTF-8, in bytes.
 *
 * @param {string} text
 */
export function utf8Size(text) {
  return encoder.encode(text).length;
}

/**
 * Returns the size of a value as JSON, in bytes. It is for a document that is nested in another,
 * whose own size is unknown.
 *
 * @param {any} value
 */
export function jsonSize(value) {
  return utf8Size(JSON.stringify(value));
}
