import { ProblemError, isRefusal } from "./problem-error.js";

/** @typedef {import("./channel.js").Channel} Channel */
/** @typedef {import("./command-sender.js").CommandSender} CommandSender */
/** @typedef {import("./openings.js").Opening} Opening */

/** How often the opening command is sent in a row, because of changes that cannot be seen or restarts of the server. */
const openingAttempts = 8;
/** How many of these are for the held revision alone. Then changes come faster than the network brings the command. */
const exactAttempts = 3;

/** Opens a view model that was never loaded: says when the opening command of its screen is sent, and when again. */
export class Opener {
  #channel;
  #closing = new AbortController();
  /** How often the opening command failed in turn. */
  #failures = 0;
  /** Whether the command was asked for before. */
  #isAsked = false;
  /** Whether a whole copy has come since the opening command was sent, as after a restart of the server. */
  #isRenewed = false;
  #opening;
  #sender;
  /**
   * What it does; due if the opening command failed in a way that passes, so that it is sent again.
   *
   * @type {"idle" | "opening" | "due"}
   */
  #state = "idle";

  /**
   * @param {Channel} channel
   * @param {object} parts
   * @param {CommandSender} parts.sender
   * @param {(isRestarted: boolean) => Promise<Opening | undefined>} parts.opening Returns the command that loads the
   *   screen; called with whether the server may have been restarted since the last call.
   */
  constructor(channel, { sender, opening }) {
    this.#channel = channel;
    this.#sender = sender;
    this.#opening = opening;
  }

  /**
   * Sends the opening command of the screen if a source was never loaded, as at first and after a restart
   * of the server, also if its content is the same. Of many clients that do so at once, one is first and the others
   * are refused. If the view model is still blank after the change that came first, the command is sent again. So
   * it is after a failure that passes, with longer and longer pauses, and once the connection has proved itself again.
   *
   * @param {boolean} isRenewed Whether the server may have been restarted since the command was sent.
   */
  async openIfBlank(isRenewed) {
    this.#isRenewed ||= isRenewed;
    if (this.#state === "opening") return;
    this.#state = "opening";
    const { signal } = this.#closing;
    let isDue = false;
    try {
      /** @type {{type: string, error: unknown} | undefined} */
      let refused;
      for (let attempt = 1; this.#isBlank() && attempt <= openingAttempts; attempt++) {
        const isRestarted = refused !== undefined || (this.#isAsked && this.#isRenewed);
        const opening = await this.#sender.repeat(() => this.#opening(isRestarted), signal);
        this.#isAsked = true;
        if (opening === undefined || !this.#isBlank(opening.opens)) break;
        if (refused?.type === opening.type) throw refused.error;
        this.#isRenewed = false;
        const isExact = attempt <= exactAttempts;
        try {
          // A server that has ended since may have taken it.
          if ((await this.#isTaken(opening.type, isExact)) && !this.#isRenewed) break;
        } catch (error) {
          if (canPass(error)) throw error;
          // Another build may follow the one that was asked, and lack its command.
          refused = { type: opening.type, error };
          continue;
        }
        await this.#sender.repeat(() => this.#channel.catchUp(signal), signal);
      }
      this.#failures = 0;
    } catch (error) {
      isDue = canPass(error);
      this.#channel.emit("problem", { error });
      // Until then nothing else opens the view model.
      if (isDue) await this.#sender.rest(++this.#failures, error, signal).catch(() => {});
    }
    this.#state = isDue ? "due" : "idle";
    this.openIfDue();
  }

  /** Sends the opening command again if it failed in a way that passes, and the connection has proved itself. */
  openIfDue() {
    if (this.#state === "due" && this.#channel.status.isProven) this.openIfBlank(false);
  }

  /** Gives up for good, as the view model is closed. */
  close() {
    this.#closing.abort();
  }

  /**
   * Whether the view model is open, and one of some sources was never loaded; of all, unless given.
   *
   * @param {readonly string[]} [sources]
   */
  #isBlank(sources) {
    const states = this.#channel.snapshot?.states ?? {};
    return !this.#closing.signal.aborted
      && (sources ?? Object.keys(states)).some((name) => states[name] === "notRequested");
  }

  /**
   * Sends a command; `false` if it was for the held revision alone, and there is another one.
   *
   * @param {string} type
   * @param {boolean} isExact
   */
  async #isTaken(type, isExact) {
    const at = isExact ? this.#channel.snapshot?.revision : undefined;
    try {
      await this.#channel.send({ type }, { at, signal: this.#closing.signal });
      return true;
    } catch (error) {
      if (error instanceof ProblemError && error.status === 412) return false;
      throw error;
    }
  }
}

/**
 * Whether a command that failed may succeed later as it is.
 *
 * @param {unknown} error
 */
function canPass(error) {
  // What a proxy refuses, such as while it has no server or before the user signs in again, it may pass on later.
  return !isRefusal(error) || (error instanceof ProblemError && error.status === 401);
}
