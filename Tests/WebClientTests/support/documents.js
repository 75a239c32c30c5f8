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

/** Creates the diff document between two snapshots. @param {any} before @param {any} after */
export function diff(before, after) {
  const { screen, revision, rowCount, digest } = after;
  const operations = difference(before, after);
  return { kind: "diff", screen, from: before.revision, revision, rowCount, digest, ...operations };
}
