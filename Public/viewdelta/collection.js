import { ProblemError } from "./problem-error.js";

/** How often the loading of a collection begins again because elements are deleted meanwhile. */
const patience = 3;

/**
 * Loads the elements of a collection page by page, as `ViewDelta.list` describes.
 *
 * @param {import("./http.js").Http} http
 * @param {string} path The path of the collection.
 * @param {number} limit The maximum number of elements.
 * @returns {Promise<any[]>}
 */
export async function elementsOf(http, path, limit) {
  /** @type {any[]} */
  let elements = [];
  let deletions = 0;
  const first = `${path}?limit=${Math.min(limit, 1000)}`;
  for (let next = first; next !== ""; ) {
    try {
      const { body, headers } = await http.ask(next);
      elements.push(...body);
      const following = elements.length < limit ? nextPage(headers.get("Link")) : "";
      // Each page is the first one if the query of each request is lost on the way.
      if (following === next) throw new TypeError("the answer repeats a page");
      next = following;
    } catch (error) {
      // The element behind which the page begins was deleted meanwhile.
      const isGone = error instanceof ProblemError && error.code === "after-gone";
      if (!isGone || ++deletions > patience) throw error;
      [elements, next] = [[], first];
    }
  }
  return elements.slice(0, limit);
}

/**
 * Returns the address of the next page (RFC 8288); empty if there is none.
 *
 * @param {string | null} link
 */
function nextPage(link) {
  return /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(link ?? "")?.[1] ?? "";
}
