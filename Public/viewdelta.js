/**
 * The web client of ViewDelta: a replica of each view model, kept up to date by diffs.
 *
 * ```js
 * import { ViewDelta } from "./viewdelta.js";
 * const server = new ViewDelta();
 * const profile = server.open("profile/1"); // and sends the command that loads the screen
 * profile.addEventListener("change", ({ detail }) => render(detail.after, detail.diff));
 * profile.addEventListener("status", ({ detail }) => light(detail.state));
 * await profile.send({ type: "loadPosts" });
 * const boards = server.sync(["scoreboards/all", "scoreboard/1"]); // many on one connection
 * const list = server.open("catalog/1", { window: { start: 0, count: 100 } }); // the first 100 rows
 * list.scroll({ start: 200 });
 * ```
 *
 * A view model reads the server's event stream, or falls back to long polls and short polls. Each
 * document is verified by its digest before it takes effect; if it does not match, the whole view
 * model is loaded again. The client recovers from lost connections, sleep and restarts of the
 * server without any code of the page.
 *
 * A list that has `elements`, `insert`, `delete` and `update` follows a section, or all sections, by single
 * operations: `profile.drive(list, "posts")`. `transform(list, elements)` does it for any elements.
 *
 * It consists of plain ES modules without a dependency; `viewdelta/types.js` names all types.
 * @module
 */
export { ViewDelta } from "./viewdelta/view-delta.js";
export { ViewModel } from "./viewdelta/view-model.js";
export { SyncPoll } from "./viewdelta/sync-poll.js";
export { Replica } from "./viewdelta/replica.js";
export { transform } from "./viewdelta/transform.js";
export { apiPath } from "./viewdelta/api-path.js";
export { digest } from "./viewdelta/digest.js";
export { canonical } from "./viewdelta/canonical.js";
export { jsonSize } from "./viewdelta/json-size.js";
export { DivergenceError } from "./viewdelta/divergence-error.js";
export { ProblemError } from "./viewdelta/problem-error.js";
export { connectionEvents, connectionStates } from "./viewdelta/connection-events.js";
export { connectionTable } from "./viewdelta/connection-states.js";
export * from "./viewdelta/types.js";
