/**
 * Returns the path of a resource of the server: `apiPath("faults", "posts", key)` returns
 * `/v1/faults/posts/1`.
 *
 * Each segment is escaped. `.` and `..` are refused, because URL parsers resolve them even if they
 * are escaped (WHATWG URL, "double-dot URL path segment").
 *
 * @param {...string} segments
 * @returns {string}
 * @throws {TypeError} If a segment is empty, `.`, `..`, or not well-formed Unicode.
 */
export function apiPath(...segments) {
  return ["/v1", ...segments.map(escaped)].join("/");
}

/** @param {string} segment */
function escaped(segment) {
  if (/^\.{0,2}$|\p{Surrogate}/u.test(segment)) {
    throw new TypeError(`${JSON.stringify(segment)} cannot be part of a path`);
  }
  return encodeURIComponent(segment);
}

/**
 * Returns the path of a view model.
 *
 * @param {string} name The screen with its key; the key may have any characters but `/`.
 * @returns {string}
 * @throws {TypeError} If the name has no key, or a key with `/` or one that a path cannot have: `.` or `..`.
 */
export function viewModelPath(name) {
  const [screen, key = "", ...others] = `${name}`.split("/");
  if (screen === "" || key === "" || others.length > 0) {
    throw new TypeError(`"${name}" is not a screen with its key, such as "profile/1"`);
  }
  return apiPath("view-models", screen, key);
}
