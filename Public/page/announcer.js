/**
 * Announces changes in a few words to screen readers. Changes in quick succession are announced
 * together.
 */
import { titled } from "./screens.js";
import { throttled } from "./throttled.js";

/** @typedef {import("../viewdelta/types.js").Change} Change */

/** @type {{[state: string]: string}} */
const sourceStates = { notRequested: "not loaded", isLoading: "loading", loaded: "loaded", failed: "failed" };

export class Announcer {
  #host;
  /** @type {Change[]} */
  #pending = [];
  #say = throttled(() => {
    this.#host.textContent = summary(this.#pending);
    this.#pending = [];
  }, 400);

  /** @param {HTMLElement} host A polite live region. */
  constructor(host) {
    this.#host = host;
  }

  /** @param {Change} change */
  tell(change) {
    this.#pending.push(change);
    this.#say();
  }

  /** Discards the pending announcement. */
  stop() {
    this.#say.cancel();
    this.#pending = [];
    this.#host.textContent = "";
  }
}

/**
 * Summarises changes, for example "Posts loaded. 3 rows added, 1 removed."
 *
 * @param {Change[]} changes
 */
export function summary(changes) {
  const states = /** @type {{[source: string]: string}} */ ({});
  const counts = { added: 0, removed: 0, moved: 0, changed: 0, reloaded: 0 };
  let fresh = "";
  for (const { kind, diff, after } of changes) {
    Object.assign(states, kind === "diff" ? diff?.states : after.states);
    if (kind !== "diff") {
      fresh = `${after.rowCount} rows.`;
      continue;
    }
    for (const group of [diff?.rows, diff?.sections]) {
      counts.added += group?.inserts?.length ?? 0;
      counts.removed += group?.deletes?.length ?? 0;
      counts.moved += group?.moves?.length ?? 0;
      counts.changed += group?.updates?.length ?? 0;
      counts.reloaded += group?.reloads?.length ?? 0;
    }
  }
  // Other machines show their states in rows.
  const sources = Object.entries(states).filter(([, state]) => Object.hasOwn(sourceStates, state))
    .map(([source, state]) => `${titled(source)} ${sourceStates[state]}.`);
  const parts = Object.entries(counts).filter(([, count]) => count > 0)
    .map(([word, count]) => `${count} ${word}`);
  const errors = changes.flatMap(({ diff }) => diff?.rows?.inserts ?? [])
    .filter(({ row }) => row.code && row.text)
    .map(({ row }) => [row.text, row.detail].filter(Boolean).join(" "));
  return [...sources, ...errors, fresh, parts.length > 0 ? `Rows: ${parts.join(", ")}.` : ""]
    .filter(Boolean).join(" ");
}
