import { canonical } from "./canonical.js";

/** @typedef {import("./types.js").Snapshot} Snapshot */

/**
 * The known hashes. Snapshots never change.
 *
 * @type {WeakMap<object, Promise<string>>}
 */
const known = new WeakMap();

/**
 * Returns the SHA-256 hash of a view model's content in base64url without padding. With it a server
 * that does not know the revision recognises the content.
 *
 * Takes O(*n*), where *n* is the size of the content, once per snapshot. Call it only if the server
 * may not know the revision.
 *
 * @param {Pick<Snapshot, "sections" | "states">} snapshot
 * @param {Pick<SubtleCrypto, "digest">} subtle
 * @returns {Promise<string>}
 */
export function contentHash(snapshot, subtle) {
  let hash = known.get(snapshot);
  if (hash === undefined) {
    const { sections, states } = snapshot;
    const bytes = new TextEncoder().encode(canonical({ sections, states }));
    hash = subtle.digest("SHA-256", bytes).then(base64url);
    known.set(snapshot, hash);
  }
  return hash;
}

/** @param {ArrayBuffer} bytes */
function base64url(bytes) {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
