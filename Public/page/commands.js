/** Sending what a person has pressed. */
import { showToast } from "./toast.js";

/** @typedef {import("../viewdelta/types.js").Command} Command */

/**
 * The commands to one view model. Each that was sent is told in a `sent` event, whose `detail` is the
 * command and what came of it: `{command, reply}` or `{command, error}`.
 */
export class Commands extends EventTarget {
  #viewModel;

  /** @param {import("../viewdelta.js").ViewModel} viewModel */
  constructor(viewModel) {
    super();
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
      this.#tell({ command, error });
      showToast(error);
      return false;
    } finally {
      control?.removeAttribute("aria-busy");
    }
  };

  /** @param {object} detail */
  #tell(detail) {
    this.dispatchEvent(new CustomEvent("sent", { detail }));
  }
}
