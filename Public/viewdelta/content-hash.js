import { canonical } from "./canonical.js";

/** @typedef {import("./types.js").Snapshot} Snapshot */

/**
 * The hashes that are known. Snapshots never change.
 *
 * @type {WeakMap<object, Promise<string>>}
 */
const known = new WeakMap();

/**
 * The SHA-256 of a view model's content, by which a server that does not know its revision recognises
 * it: base64url, without padding.
 *
 * Takes time in the size of the content, once for each snapshot; so ask only if the revision may be
 * refused.
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
