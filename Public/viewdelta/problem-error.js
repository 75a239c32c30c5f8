/** @typedef {import("./types.js").ProblemDetails} ProblemDetails */

/**
 * A refusal by the server, with the problem details of RFC 9457. Branch on `code` or `status`.
 *
 * ```js
 * try {
 *   await board.send({ type: "renamePlayer", player: 7, name: "" });
 * } catch (error) {
 *   if (!(error instanceof ProblemError)) throw error;
 *   console.log(error.code, error.pointer, error.message);
 * }
 * ```
 */
export class ProblemError extends Error {
  /**
   * @param {ProblemDetails} details
   * @param {number | null} [retryAfter] The requested delay in milliseconds, at most an hour, if the server sends
   *   one.
   */
  constructor(details, retryAfter = null) {
    super(details.detail ?? details.title);
    this.name = "ProblemError";
    this.details = details;
    this.status = details.status;
    this.code = details.code;
    this.title = details.title;
    this.detail = details.detail ?? null;
    /** The invalid member of the request's body, as a JSON pointer. */
    this.pointer = details.pointer ?? null;
    this.retryAfter = retryAfter;
  }

  /**
   * Reads the problem of a response. If the body is not a problem document, such as a proxy's page,
   * the code is `http-502` or the like.
   *
   * @param {Response} response
   * @param {number} now The time in milliseconds since 1970, for a `Retry-After` that is a date in a response
   *   without one.
   * @returns {Promise<ProblemError>}
   */
  static async of(response, now) {
    const { status, statusText } = response;
    const type = "about:blank";
    /** @type {ProblemDetails} */
    let details = { type, title: statusText || `HTTP ${status}`, status, code: `http-${status}` };
    if (response.headers.get("Content-Type")?.startsWith("application/problem+json")) {
      try {
        const { code, ...others } = await response.json();
        // A proxy may have problems of its own, whose members have other types.
        details = { ...details, ...others, status, ...(typeof code === "string" && { code }) };
      } catch {
        // The body was cut off; the status is sufficient.
      }
    }
    // Both dates are by the clock of the server, which may differ from that of the client.
    const date = Date.parse(response.headers.get("Date") ?? "");
    const delay = retryAfter(response.headers.get("Retry-After"), Number.isNaN(date) ? now : date);
    return new ProblemError(details, delay);
  }
}

/**
 * Whether the server, and not a proxy, has answered that it does not do what a request asks for.
 *
 * @param {unknown} error
 */
export function isRefusal(error) {
  return error instanceof ProblemError && error.status < 500 && error.status !== 429 && !error.code.startsWith("http-");
}

/** The longest delay. A timer of more than 24 days would fire at once, and no user waits for so long. */
const longest = 3_600_000;

/**
 * Returns the delay of a `Retry-After` field in milliseconds, at most an hour; its value is in seconds or a
 * date (RFC 9110, section 10.2.3).
 *
 * @param {string | null} value
 * @param {number} now
 * @returns {number | null}
 */
export function retryAfter(value, now) {
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Math.min(longest, Number(value) * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.min(longest, Math.max(0, date - now));
}
