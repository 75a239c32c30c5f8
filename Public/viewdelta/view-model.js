/** @import { Change, Command, CommandReply, Snapshot, Status } from "./types.js" */

/** One view model of a server; see the events in the class's documentation. */
export class ViewModel extends EventTarget {
  /** @type {string} */ name = "";
  /** @type {string} */ path = "";
  /** @type {Snapshot | null} */ snapshot = null;
  /** @type {Status} */ status = /** @type {any} */ (null);
  /** @param {Command} command @returns {Promise<CommandReply>} */
  async send(command) { throw new Error("not written yet"); }
  drop() {}
  retry() {}
  close() {}
  /** @returns {Promise<{revision: string, cause: any, operations: number, bytes: number}[]>} */
  async revisions() { return []; }
  /** @returns {Promise<any>} */
  async describe() { return null; }
}
