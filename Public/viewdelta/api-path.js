/**
 * The path of a resource of the server, such as `apiPath("faults", "posts", key)` for
 * `/v1/faults/posts/1`.
 *
 * Each segment is escaped. Two cannot be: `.` and `..` are ways through the path to whoever resolves
 * an address, however they are written (WHATWG URL, "double-dot URL path segment").
 *
 * @param {...string} segments
 * @returns {string}
 * @throws {TypeError} For a segment that is empty, `.`, `..`, or no Unicode text.
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
