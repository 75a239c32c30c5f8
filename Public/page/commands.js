/** Sending what a person has pressed. */
import { ProblemError } from "../viewdelta.js";
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
   * Sends the command that fills a screen, unless the screen has changed since a revision: then another
   * client has sent it, and what it did comes as a change.
   *
   * @param {Command} command
   * @param {string} revision
   */
  async open(command, revision) {
    try {
      this.#tell({ command, reply: await this.#viewModel.send(command, { at: revision }) });
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
      if (error instanceof ProblemError && error.status === 412) return;
      this.#tell({ command, error });
      showToast(error);
    }
  }

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
