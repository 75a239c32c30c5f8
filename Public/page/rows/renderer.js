/**
 * The type of a renderer. A page can add renderers to the table, or use a table of its own.
 *
 * A renderer is called once for each new row: it fills the row's element and returns a function
 * that shows a row in it. That function is called at once, and again whenever the row has changed;
 * it updates only the differences, so that no element is created twice.
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
 * @typedef {object} RowContext The actions of a row.
 * @property {(command: Command, control?: HTMLElement) => Promise<boolean>} send
 * @property {(to: string) => string} hrefOf Returns the address of the page for a view model, such as
 *   `settings/privacy`.
 * @property {(row: Row) => boolean} canEdit Whether the row has edits beside its action.
 * @property {(id: string) => void} edit Opens the edits of a row.
 * @property {string} title The title of the screen, which is shown above the rows.
 */

/**
 * @template {Row} [Shown=Row] The type of the rows, such as `import("view-rows").PostRow`: the types that
 *   the tests make of the API document.
 * @typedef {(host: HTMLElement, context: RowContext) => (row: Shown) => void} Renderer
 */
export {};
