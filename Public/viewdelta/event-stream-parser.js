/**
 * An event, a comment, or a block that gives an id and no data: how far the stream has come.
 *
 * @typedef {{kind: "event", id: string, data: string} | {kind: "position", id: string}
 *   | {kind: "comment"} | {kind: "retry", milliseconds: number}} StreamItem
 */

/**
 * Reads an event stream piece by piece.
 *
 * The browser's own `EventSource` hides the comments by which the server shows that it is there,
 * and the status of a refusal; a watchdog and a sensible retry need both.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export class EventStreamParser {
  #rest = "";
  #isFirst = true;
  #id = "";
  /** Whether the block that is being read has an id of its own. */
  #hasID = false;
  /** @type {string[]} */
  #data = [];

  /**
   * Takes the next piece of text, cut anywhere, and gives what is complete by it.
   *
   * @param {string} text
   * @returns {StreamItem[]}
   */
  push(text) {
    if (this.#isFirst && text !== "") {
      this.#isFirst = false;
      text = text.replace(/^\uFEFF/, "");
    }
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    // A CR at the very end may be the first half of a line's end, and stays until more comes.
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.#line(line) ?? []);
  }

  /**
   * @param {string} line
   * @returns {StreamItem | null}
   */
  #line(line) {
    if (line === "") return this.#dispatch();
    if (line.startsWith(":")) return { kind: "comment" };
    const [, name, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === "data") this.#data.push(value);
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
    return { kind: "event", id: this.#id, data };
  }
}
