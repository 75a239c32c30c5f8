/**
 * The web client of ViewDelta: a replica of each view model, kept in step by diffs.
 *
 * ```js
 * import { ViewDelta } from "./viewdelta.js";
 * const server = new ViewDelta();
 * const profile = server.open("profile/1");
 * profile.addEventListener("change", ({ detail }) => render(detail.after, detail.diff));
 * profile.addEventListener("status", ({ detail }) => light(detail.state));
 * await profile.send({ type: "appear" });
 * const boards = server.sync(["scoreboards/all", "scoreboard/1"]); // many in one poll
 * ```
 *
 * A view model listens to the server's events, or falls back to long polls and polls. Each document
 * is proven by its digest before it counts; where one does not fit, the whole is loaded anew. Lost
 * connections, sleep and restarts of the server are made up for without a word from the page.
 *
 * Plain ES modules without a dependency; `viewdelta/types.js` names all shapes.
 * @module
 */
export { ViewDelta } from "./viewdelta/view-delta.js";
export { ViewModel } from "./viewdelta/view-model.js";
export { SyncPoll } from "./viewdelta/sync-poll.js";
export { Replica } from "./viewdelta/replica.js";
export { apiPath } from "./viewdelta/api-path.js";
export { digest } from "./viewdelta/digest.js";
export { canonical } from "./viewdelta/canonical.js";
export { jsonSize } from "./viewdelta/json-size.js";
export { DivergenceError } from "./viewdelta/divergence-error.js";
export { ProblemError } from "./viewdelta/problem-error.js";
export { connectionEvents, connectionStates } from "./viewdelta/connection-events.js";
export { connectionTable } from "./viewdelta/connection-states.js";
export * from "./viewdelta/types.js";
