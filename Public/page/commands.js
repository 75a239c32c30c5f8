/** Sending what a person has pressed. */
import { showToast } from "./toast.js";

/** @typedef {import("../viewdelta.js").Command} Command */

export class Commands {
  #viewModel;

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
      await this.#viewModel.send(command);
      return true;
    } catch (error) {
      showToast(error);
      return false;
    } finally {
      control?.removeAttribute("aria-busy");
    }
  };
}
