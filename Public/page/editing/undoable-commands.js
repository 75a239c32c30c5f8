/** The commands of a view model. Those that remove something can be undone, or are sent only if the user confirms. */
import { Commands } from "../commands.js";
import { offerUndo } from "../toast.js";
import { isEntry, nameOf } from "../words.js";

/** @typedef {import("./edit.js").Command} Command */
/** @typedef {import("./edit.js").Row} Row */

export class UndoableCommands extends Commands {
  /** @type {Commands["send"]} */
  #sendAtOnce = this.send;
  /** Whether another view model is shown. */
  isLeft = false;
  #context;

  /**
   * @param {import("./loss.js").Context} context
   * @param {() => void} onWait See `Commands`.
   */
  constructor(context, onWait) {
    super(context.viewModel, onWait);
    this.#context = context;
  }

  /**
   * Sends a command as `Commands` does. Nothing is offered while another view model is shown.
   *
   * @type {Commands["send"]}
   */
  send = async (command, control) => {
    const before = this.#rows.filter((row) => stateOf(row) !== undefined);
    /** @type {import("./loss.js").Loss | undefined} */
    let loss;
    const isAgreed = async () => {
      loss = await this.#lossOf(command);
      return !loss || loss.restore !== null || confirm(`Remove ${loss.name}? This cannot be undone.`);
    };
    const isRemoval = removes(command);
    // The second press of a double click would offer to undo the removal once more.
    if (isRemoval && control?.ariaBusy === "true") return false;
    if (command.type === "reset" && before.some(({ isCollapsed }) => isCollapsed) && !confirm(unseen)) return false;
    const isTaken = await this.#sendAtOnce(command, control, isRemoval ? isAgreed() : undefined);
    if (!isTaken || this.isLeft) return isTaken;
    if (loss?.restore) this.#offer(`${loss.name} removed.`, loss.restore);
    else this.#offerValues(command, before);
    return true;
  };

  /**
   * @param {string} text
   * @param {() => Promise<unknown>} undo
   */
  #offer(text, undo) {
    offerUndo(text, () => this.during(undo));
  }

  /**
   * Returns what a command removes. If the server does not answer, that is unknown, and there is no way back.
   *
   * @param {Command} command
   */
  async #lossOf(command) {
    try {
      // The first rows come sooner without it.
      const { lossOf } = await import("./loss.js");
      return await lossOf(command, this.#context);
    } catch (error) {
      if (/** @type {any} */ (error).status < 500) throw error;
      return { name: "it while the server is away", restore: null };
    }
  }

  /** @returns {Row[]} */
  get #rows() {
    return (this.#context.viewModel.snapshot?.sections ?? []).flatMap(({ rows }) => rows);
  }

  /**
   * Offers to enter again what a button has changed, such as that which starts a form over.
   *
   * @param {Command} command
   * @param {Row[]} before The fields and groups before it.
   */
  #offerValues(command, before) {
    const isInput = before.some((row) => isEntry(row, command));
    const now = this.#byID;
    const isEntered = (/** @type {Row} */ { change, value }) => change && value != null && value !== "";
    const lost = before.filter((row) => isEntered(row) && differs(row, now.get(row.id)));
    // A switch that is off is no entry of its own: it is brought back only with other entries.
    if (isInput || lost.every(({ value }) => value === false)) return;
    const gone = before.filter((row) => !now.has(row.id) || differs(row, now.get(row.id)));
    this.#offer(`${lost.map(nameOf).join(", ")}: no longer as entered.`, () => this.#bringBack(gone));
  }

  /**
   * Enters values again and unfolds groups: each when it is shown, which may depend on another.
   *
   * @param {Row[]} rows
   */
  async #bringBack(rows) {
    for (const left = new Set(rows); ; ) {
      const now = this.#byID;
      const row = [...left].find((each) => differs(each, now.get(each.id)));
      if (!row) return;
      left.delete(row);
      const { change, value, action } = row;
      const command = change ? { ...change.command, [change.argument]: value } : action?.command;
      if (command) await this.#context.viewModel.send(command);
    }
  }

  get #byID() {
    return new Map(this.#rows.map((row) => [row.id, row]));
  }
}

/**
 * Returns whether a command may remove something.
 *
 * @param {Command} command As a user has written it.
 */
const removes = ({ type, operations }) =>
  /^remove\w/.test(type) || (Array.isArray(operations) && operations.some((each) => /^delete/.test(each?.operation)));

/** What a user is asked before a form is started over that does not show all of its fields. */
const unseen = "Start over? The values in collapsed groups cannot be restored.";

/**
 * Returns the value of a field, or whether a group is collapsed; `undefined` for other rows.
 *
 * @param {Row} row
 */
const stateOf = ({ change, value, isCollapsed }) => (change ? (value ?? null) : isCollapsed);

/**
 * Returns whether a field or a group is shown in another state.
 *
 * @param {Row} before
 * @param {Row | undefined} now
 */
const differs = (before, now) => now !== undefined && stateOf(now) !== stateOf(before);
