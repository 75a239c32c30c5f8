/**
 * An event, a comment, or a block that has an id but no data, which marks progress of the stream.
 *
 * @typedef {{kind: "event", id: string, data: string} | {kind: "position", id: string}
 *   | {kind: "comment"} | {kind: "retry", milliseconds: number}} StreamItem
 */

/**
 * The maximum length of an event, in characters. The server keeps no more of all encoded replies, and an event
 * is a change; a larger one comes by another transport.
 */
const longest = 64 * 2 ** 20;

/**
 * Parses an event stream incrementally.
 *
 * The browser's `EventSource` hides the comments that the server sends as heartbeats, and the
 * status of a refusal. The watchdog and the retries need both.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export class EventStreamParser {
  /**
   * The pieces of the line that has not ended yet. They are joined once, so that a long line in many
   * pieces takes linear time.
   *
   * @type {string[]}
   */
  #rest = [];
  #restLength = 0;
  /** Whether the text so far ends with a CR, after which a LF belongs to the same line break. */
  #endsWithCR = false;
  #id = "";
  /** Whether the current block has an id. */
  #hasID = false;
  /** @type {string[]} */
  #data = [];
  #dataLength = 0;

  /**
   * Parses the next piece of text, which may end anywhere, and returns the items that it completes.
   *
   * Takes O(*n*), where *n* is the length of the text and of the lines that it ends.
   *
   * @param {string} text Without a byte order mark, which `TextDecoder` removes.
   * @returns {StreamItem[]}
   * @throws {RangeError} If an event does not end within 64 Mi characters.
   */
  push(text) {
    if (text === "") return [];
    if (this.#endsWithCR) text = text.replace(/^\n/, "");
    this.#endsWithCR = text.endsWith("\r");
    const [first, ...others] = text.split(/\r\n|\n|\r/);
    this.#rest.push(first);
    this.#restLength += first.length;
    /** @type {StreamItem[]} */
    let items = [];
    const last = others.pop();
    if (last !== undefined) {
      items = [this.#rest.join(""), ...others].flatMap((line) => this.#line(line) ?? []);
      this.#rest = [last];
      this.#restLength = last.length;
    }
    if (this.#restLength + this.#dataLength > longest) throw new RangeError("an event of the stream has no end");
    return items;
  }

  /**
   * @param {string} line
   * @returns {StreamItem | null}
   */
  #line(line) {
    if (line === "") return this.#dispatch();
    if (line.startsWith(":")) return { kind: "comment" };
    const [, name, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === "data") {
      this.#data.push(value);
      this.#dataLength += line.length;
    }
    if (name === "id" && !value.includes("\0")) {
      this.#id = value;
      this.#hasID = true;
    }
    if (name === "retry" && /^\d+$/.test(value)) {
      return { kind: "retry", milliseconds: Number(value) };
    }
    return null;
  }

  /** @returns {StreamItem | null} */
  #dispatch() {
    const hasID = this.#hasID;
    this.#hasID = false;
    if (this.#data.length === 0) return hasID ? { kind: "position", id: this.#id } : null;
    const data = this.#data.join("\n");
    this.#data = [];
    this.#dataLength = 0;
    return { kind: "event", id: this.#id, data };
  }
}
