/**
 * What a renderer is. A page of your own can add some to the table, or bring a table of its own.
 *
 * A renderer is called once for each row that appears: it fills the row's element with parts and
 * returns the function that shows a row in them. That function is called at once, and again whenever
 * the row has changed; it sets what differs and leaves the rest, so that no element is made twice.
 *
 * ```js
 * const weather = (host, context) => {
 *   const degrees = h("strong");
 *   host.append(degrees);
 *   return (row) => setText(degrees, `${row.celsius} °C`);
 * };
 * ```
 *
 * @typedef {import("../../viewdelta/types.js").Row} Row
 * @typedef {import("../../viewdelta/types.js").Command} Command
 *
 * @typedef {object} RowContext What a row needs to act.
 * @property {(command: Command, control?: HTMLElement) => Promise<boolean>} send
 *
 * @typedef {(host: HTMLElement, context: RowContext) => (row: Row) => void} Renderer
 */
export {};
