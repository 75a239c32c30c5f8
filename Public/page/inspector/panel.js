/** Helpers for all panels of the inspector. */
import { h } from "../dom.js";

/**
 * Creates a panel with a title.
 *
 * @param {string} title
 * @param {...(Node | null)} children
 * @returns {HTMLElement}
 */
export function panel(title, ...children) {
  const heading = h("h3", {}, title);
  return h("section.panel", { "aria-label": title }, heading, ...children);
}

/**
 * Formats a size: `342 B`, `3.4 kB`.
 *
 * @param {number} bytes
 */
export function size(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
