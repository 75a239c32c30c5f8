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
