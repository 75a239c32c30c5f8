/** Sends the commands that the user triggers. */
import { ProblemError } from "../viewdelta.js";
import { showToast } from "./toast.js";

/**
 * @typedef {import("../viewdelta/types.js").Command} Command
 *
 * @typedef {object} Sent
 * @property {Command} command
 * @property {import("../viewdelta/types.js").CommandReply} [reply]
 * @property {any} [error] The error, if there is no reply.
 */

/**
 * Returns whether a source of a view model was never loaded.
 *
 * @param {Pick<import("../viewdelta/types.js").Snapshot, "states">} viewModel
 */
export const isBlank = ({ states }) => Object.values(states).includes("notRequested");

/** The commands of one view model. */
export class Commands {
  #viewModel;
  /** @type {((sent: Sent) => void)[]} */
  #listeners = [];

  /** @param {import("../viewdelta.js").ViewModel} viewModel */
  constructor(viewModel) {
    this.#viewModel = viewModel;
  }

  /**
   * Sends a command unchanged. Its effect arrives as a change; a refusal is shown.
   *
   * @param {Command} command
   * @param {HTMLElement} [control] The pressed control, which is busy meanwhile.
   * @param {string} [at] The only revision at which the command is to be executed. If there is another
   *   one, nothing is shown: its effect arrives as a change.
   * @returns {Promise<boolean>} Whether the server took it.
   */
  send = async (command, control, at) => {
    control?.setAttribute("aria-busy", "true");
    // While the value of a field waits, a newer one takes its place.
    const slot = command.type === "didChange" ? command.row : undefined;
    try {
      this.#tell({ command, reply: await this.#viewModel.send(command, { at, slot }) });
      return true;
    } catch (error) {
      // If the user has left the screen meanwhile, the result is not shown.
      if (error instanceof DOMException && error.name === "AbortError") return false;
      if (at !== undefined && error instanceof ProblemError && error.status === 412) return false;
      this.#tell({ command, error });
      showToast(error);
      return false;
    } finally {
      control?.removeAttribute("aria-busy");
    }
  };

  /**
   * Calls an action with the result of each command.
   *
   * @param {(sent: Sent) => void} action
   */
  onSent(action) {
    this.#listeners.push(action);
  }

  /** @param {Sent} sent */
  #tell(sent) {
    for (const listener of this.#listeners) listener(sent);
  }
}
