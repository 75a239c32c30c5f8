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

/** How often a screen is opened that changes meanwhile in ways that cannot be seen. */
const openingAttempts = 8;

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
   * @returns {Promise<boolean>} Whether the server took it.
   */
  send = async (command, control) => {
    control?.setAttribute("aria-busy", "true");
    try {
      this.#tell({ command, reply: await this.#viewModel.send(command) });
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
   * Sends the opening command of a screen, unless the screen has changed since a revision: then
   * another client has sent it, and its effect arrives as a change.
   *
   * @param {Command} command
   * @param {string} revision
   */
  async open(command, revision) {
    try {
      /** @type {string | null} */
      let at = revision;
      for (let attempt = 1; at !== null && attempt <= openingAttempts; attempt++) {
        at = await this.#openAt(command, at);
      }
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
      this.#tell({ command, error });
      showToast(error);
    }
  }

  /**
   * @param {Command} command
   * @param {string} at
   * @returns {Promise<string | null>} The revision at which to try again: the screen has another, but
   *   nothing of it was loaded, because what has changed cannot be seen.
   */
  async #openAt(command, at) {
    try {
      this.#tell({ command, reply: await this.#viewModel.send(command, { at }) });
      return null;
    } catch (error) {
      if (!(error instanceof ProblemError && error.status === 412)) throw error;
      // What has changed was seen already.
      const held = this.#viewModel.snapshot;
      if (held === null || !isBlank(held)) return null;
      const [newest] = await this.#viewModel.revisions({ limit: 1 });
      return isBlank(await this.#viewModel.at(newest.revision)) ? newest.revision : null;
    }
  }

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
