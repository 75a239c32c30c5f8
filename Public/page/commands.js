/** Sends the commands that the user triggers. */
import { setAttribute } from "./dom.js";
import { showToast } from "./toast.js";

/**
 * @typedef {import("../viewdelta/types.js").Command} Command
 *
 * @typedef {object} Sent
 * @property {Command} command
 * @property {import("../viewdelta/types.js").CommandReply} [reply]
 * @property {any} [error] The error, if there is no reply.
 */

/** The time after which a command without a reply is called slow, in milliseconds. */
const patience = 1000;

/** The number of commands of all view models without a reply. */
let unanswered = 0;

/** Lets the browser ask before the page is left, which would lose them. */
const ask = (/** @type {Event} */ event) => event.preventDefault();

/** The commands of one view model. */
export class Commands {
  /** The number of commands without a reply. */
  waiting = 0;
  /** Whether one of them has waited for long. */
  isSlow = false;
  #onWait;
  #viewModel;
  /**
   * The number of commands without a reply of each control.
   *
   * @type {Map<HTMLElement, number>}
   */
  #busy = new Map();
  /** @type {((sent: Sent) => void)[]} */
  #listeners = [];
  /** @type {Sent | undefined} */
  #last;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {import("../viewdelta.js").ViewModel} viewModel
   * @param {() => void} onWait Called if `waiting` or `isSlow` has changed.
   */
  constructor(viewModel, onWait) {
    this.#viewModel = viewModel;
    this.#onWait = onWait;
  }

  /**
   * Sends a command unchanged. Its effect arrives as a change; a refusal is shown.
   *
   * @param {Command} command
   * @param {HTMLElement} [control] The pressed control, which is busy meanwhile.
   * @param {Promise<boolean>} [isWanted] Decides whether it is sent; it waits meanwhile.
   * @returns {Promise<boolean>} Whether the server took it.
   */
  send = (command, control, isWanted) => this.during(async () => {
    // While the value of a field waits, a newer one takes its place.
    const slot = command.type === "didChange" ? command.row : undefined;
    try {
      // Others are queued at once, in their order.
      if (isWanted && !(await isWanted)) return false;
      this.#tell({ command, reply: await this.#viewModel.send(command, { slot }) });
      return true;
    } catch (error) {
      // The view model was closed.
      if (error instanceof DOMException && error.name === "AbortError") return false;
      this.#tell({ command, error });
      showToast(error);
      return false;
    }
  }, control);

  /**
   * Does something that sends commands. It counts as a command itself, so that it is not given up with the screen.
   *
   * @template Result
   * @param {() => Promise<Result>} work
   * @param {HTMLElement} [control] The pressed control, which is busy meanwhile.
   * @returns {Promise<Result>}
   */
  async during(work, control) {
    this.#wait(1, control);
    try {
      return await work();
    } finally {
      this.#wait(-1, control);
    }
  }

  /**
   * Calls an action with the result of the last command and of each later one.
   *
   * @param {(sent: Sent) => void} action
   */
  onSent(action) {
    this.#listeners.push(action);
    if (this.#last) action(this.#last);
  }

  /** Gives up those that wait. */
  close() {
    this.#viewModel.close();
  }

  /**
   * @param {1 | -1} change
   * @param {HTMLElement} [control]
   */
  #wait(change, control) {
    this.waiting += change;
    unanswered += change;
    if (unanswered > 0) addEventListener("beforeunload", ask);
    else removeEventListener("beforeunload", ask);
    if (control) {
      const count = (this.#busy.get(control) ?? 0) + change;
      if (count > 0) this.#busy.set(control, count);
      else this.#busy.delete(control);
      setAttribute(control, "aria-busy", count > 0 ? "true" : null);
    }
    if (this.waiting === 0) {
      clearTimeout(this.#timer);
      this.isSlow = false;
    } else if (this.waiting === 1 && change === 1) {
      this.#timer = setTimeout(() => {
        this.isSlow = true;
        this.#onWait();
      }, patience);
    }
    this.#onWait();
  }

  /** @param {Sent} sent */
  #tell(sent) {
    this.#last = sent;
    for (const listener of this.#listeners) listener(sent);
  }
}
