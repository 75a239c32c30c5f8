/**
 * The web client of ViewDelta: a replica of each view model, kept in step by diffs.
 *
 * ```js
 * import { ViewDelta } from "./viewdelta.js";
 * const profile = new ViewDelta().open("profile/1");
 * profile.addEventListener("change", ({ detail }) => render(detail.after, detail.diff));
 * await profile.send({ type: "appear" });
 * ```
 *
 * Plain ES modules without a dependency; `viewdelta/types.js` names all shapes.
 * @module
 */
export { ViewDelta } from "./viewdelta/view-delta.js";
export { ViewModel } from "./viewdelta/view-model.js";
export { SyncPoll } from "./viewdelta/sync-poll.js";
export { Replica } from "./viewdelta/replica.js";
export { digest } from "./viewdelta/digest.js";
export { canonical } from "./viewdelta/canonical.js";
export { DivergenceError } from "./viewdelta/divergence-error.js";
export { ProblemError } from "./viewdelta/problem-error.js";
export { connectionEvents, connectionStates } from "./viewdelta/connection-events.js";
export { connectionTable } from "./viewdelta/connection-states.js";
export * from "./viewdelta/types.js";
