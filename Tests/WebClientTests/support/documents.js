import { digest } from "../../../Public/viewdelta.js";
import { difference } from "./difference.js";

/** @param {string} id @param {any} [fields] */
export const post = (id, fields = {}) => ({ id, type: "post", title: `Title of ${id}`, ...fields });

/**
 * Creates a snapshot document of one section with these rows.
 *
 * @param {string} revision
 * @param {string[] | any[]} rows
 * @param {any} [members]
 * @returns {any}
 */
export function snapshot(revision, rows, members = {}) {
  const sections = [{ id: "posts", rows: rows.map((row) => (row.id ? row : post(row))) }];
  return document(revision, { sections, states: { posts: "loaded" } }, members);
}

/** @param {string} revision @param {any} content @param {any} [members] */
export function document(revision, content, members = {}) {
  const rowCount = content.sections.reduce((sum, { rows }) => sum + rows.length, 0);
  const kind = "snapshot";
  const screen = "profile/1";
  return { kind, screen, revision, rowCount, digest: digest(content), ...content, ...members };
}

/**
 * Returns a snapshot document as it is seen through a window.
 *
 * @param {any} whole
 * @param {number} start
 * @param {number} count
 */
export function seen({ sections, states, revision, rowCount: total, screen }, start, count) {
  const isShown = (/** @type {number} */ place) => place >= start && place < start + count;
  let first = 0;
  const parts = [];
  for (const section of sections) {
    const rows = section.rows.filter((_, index) => isShown(first + index));
    // One without rows belongs to the row after it, or to the end of the last window.
    const isNext = first < total ? isShown(first) : total <= start + count;
    if (rows.length > 0 || (section.rows.length === 0 && isNext)) parts.push({ ...section, rows });
    first += section.rows.length;
  }
  return document(revision, { sections: parts, states }, { screen, window: { start, count, total } });
}

/** Creates the diff document between two snapshots. @param {any} before @param {any} after */
export function diff(before, after) {
  const { screen, revision, rowCount, digest, window } = after;
  const operations = difference(before, after);
  const seen = window && { window };
  return { kind: "diff", screen, from: before.revision, revision, rowCount, digest, ...operations, ...seen };
}
