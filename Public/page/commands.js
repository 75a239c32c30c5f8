/** Sends the commands that the user triggers. */
import { showToast } from "./toast.js";

/**
 * @typedef {import("../viewdelta/types.js").Command} Command
 *
 * @typedef {object} Sent
 * @property {Command} command
 * @property {import("../viewdelta/types.js").CommandReply} [reply]
 * @property {any} [error] The error, if there is no reply.
 */

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
   * @returns {Promise<boolean>} Whether the server took it.
   */
  send = async (command, control) => {
    control?.setAttribute("aria-busy", "true");
    // While the value of a field waits, a newer one takes its place.
    const slot = command.type === "didChange" ? command.row : undefined;
    try {
      this.#tell({ command, reply: await this.#viewModel.send(command, { slot }) });
      return true;
    } catch (error) {
      // If the user has left the screen meanwhile, the result is not shown.
      if (error instanceof DOMException && error.name === "AbortError") return false;
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
