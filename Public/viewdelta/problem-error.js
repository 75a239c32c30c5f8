/** @typedef {import("./types.js").ProblemDetails} ProblemDetails */

/** A refusal by the server, with the problem details of RFC 9457. Branch on `code` or `status`. */
export class ProblemError extends Error {
  /**
   * @param {ProblemDetails} details
   * @param {number | null} [retryAfter] In milliseconds, where the server says it.
   */
  constructor(details, retryAfter = null) {
    super(details.detail ?? details.title);
    this.name = "ProblemError";
    this.details = details;
    this.status = details.status;
    this.code = details.code;
    this.title = details.title;
    this.detail = details.detail ?? null;
    /** The member of the request's body at fault, as a JSON pointer. */
    this.pointer = details.pointer ?? null;
    this.retryAfter = retryAfter;
  }

  /**
   * The problem that a response tells of. One that is no problem document, such as a proxy's page,
   * has the code `http-502` or the like.
   *
   * @param {Response} response
   * @param {number} now In milliseconds since 1970, for a `Retry-After` that is a date.
   * @returns {Promise<ProblemError>}
   */
  static async of(response, now) {
    const { status, statusText } = response;
    const type = "about:blank";
    /** @type {ProblemDetails} */
    let details = { type, title: statusText || `HTTP ${status}`, status, code: `http-${status}` };
    if (response.headers.get("Content-Type")?.startsWith("application/problem+json")) {
      try {
        details = { ...details, ...(await response.json()) };
      } catch {
        // Cut off: the status says enough.
      }
    }
    return new ProblemError(details, retryAfter(response.headers.get("Retry-After"), now));
  }
}

/**
 * The milliseconds that a `Retry-After` asks for: seconds, or a date (RFC 9110, section 10.2.3).
 *
 * @param {string | null} value
 * @param {number} now
 * @returns {number | null}
 */
export function retryAfter(value, now) {
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
