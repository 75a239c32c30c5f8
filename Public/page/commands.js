/** Sending what a person has pressed. */
import { showToast } from "./toast.js";

/**
 * @typedef {import("../viewdelta/types.js").Command} Command
 *
 * @typedef {object} Sent
 * @property {Command} command
 * @property {import("../viewdelta/types.js").CommandReply} [reply]
 * @property {any} [error] Why there is no reply.
 */

/** The commands to one view model. */
export class Commands {
  #viewModel;
  /** @type {((sent: Sent) => void)[]} */
  #listeners = [];

  /** @param {import("../viewdelta.js").ViewModel} viewModel */
  constructor(viewModel) {
    this.#viewModel = viewModel;
  }

  /**
   * Sends a command unread. What it does comes back as a change; a refusal is shown.
   *
   * @param {Command} command
   * @param {HTMLElement} [control] What was pressed; it is busy meanwhile.
   * @returns {Promise<boolean>} Whether the server took it.
   */
  send = async (command, control) => {
    control?.setAttribute("aria-busy", "true");
    try {
      this.#tell({ command, reply: await this.#viewModel.send(command) });
      return true;
    } catch (error) {
      // Whoever left the screen meanwhile is not told what became of it.
      if (error instanceof DOMException && error.name === "AbortError") return false;
      this.#tell({ command, error });
      showToast(error);
      return false;
    } finally {
      control?.removeAttribute("aria-busy");
    }
  };

  /**
   * Calls an action with what came of each command.
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
