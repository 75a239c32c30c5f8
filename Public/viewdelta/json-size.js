const encoder = new TextEncoder();

/**
 * The bytes of a text in UTF-8.
 *
 * @param {string} text
 */
export function utf8Size(text) {
  return encoder.encode(text).length;
}

/**
 * The size of a value as JSON, in bytes. For a document that stands inside of another, whose own
 * size nobody tells.
 *
 * @param {any} value
 */
export function jsonSize(value) {
  return utf8Size(JSON.stringify(value));
}
