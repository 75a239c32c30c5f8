import { ProblemError } from "./problem-error.js";

/** @typedef {import("./types.js").ConnectionEvent} ConnectionEvent */
/** @typedef {import("./types.js").Transport} Transport */

/**
 * The end of an attempt, as an event of the connection.
 *
 * @typedef {{event: ConnectionEvent, error?: unknown, retryAfter?: number | null}} Outcome
 */

/**
 * Converts the error of an attempt to an event of its connection.
 *
 * @param {unknown} error
 * @param {Transport | "snapshot"} via
 * @returns {Outcome}
 */
export function outcomeOfError(error, via) {
  if (!(error instanceof ProblemError)) return { event: "failed", error };
  const { status, code, retryAfter } = error;
  if (status === 429 || status === 503) return { event: "busy", error, retryAfter };
  if (status === 404 || status === 410) {
    if (!code.startsWith("http-")) return { event: "absent", error };
    // Without a code of this server it comes from a proxy that has no server now, or from a server without streams.
    return { event: via === "snapshot" ? "failed" : "unsupported", error };
  }
  if ([400, 405, 406, 414, 415, 431, 501].includes(status)) return { event: "unsupported", error };
  // A proxy may answer with this if it cannot forward a stream or hold a long poll.
  return { event: status >= 500 ? "serverError" : "failed", error, retryAfter };
}
