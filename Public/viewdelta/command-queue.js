/** The maximum number of commands that wait. */
const limit = 100;

/**
 * The commands of one view model. Each is sent after the reply to the one before it, so that they take
 * effect in the order in which the user gave them.
 */
export class CommandQueue {
  /**
   * @type {{perform: () => Promise<any>, slot: string | undefined, reply: Promise<any>,
   *   resolve: (reply: any) => void, reject: (error: unknown) => void}[]}
   */
  #waiting = [];
  #isRunning = false;

  /**
   * Sends a command when its turn comes.
   *
   * @param {() => Promise<any>} perform
   * @param {string} [slot] A command that waits with the same slot is not sent: this one takes its place,
   *   and both get one reply. A command without a slot that waits behind it prevents that, because
   *   this one belongs behind both.
   * @returns {Promise<any>} The reply.
   * @throws {RangeError} If 100 commands wait.
   */
  async send(perform, slot) {
    const held = this.#replaceable(slot);
    if (held !== undefined) {
      held.perform = perform;
      return held.reply;
    }
    if (this.#waiting.length >= limit) throw new RangeError(`${limit} commands wait for the server`);
    /** @type {any} */
    const entry = { perform, slot };
    entry.reply = new Promise((resolve, reject) => Object.assign(entry, { resolve, reject }));
    this.#waiting.push(entry);
    if (!this.#isRunning) this.#run();
    return entry.reply;
  }

  /** @param {string | undefined} slot */
  #replaceable(slot) {
    if (slot === undefined) return undefined;
    const slots = this.#waiting.map((entry) => entry.slot);
    return this.#waiting[slots.indexOf(slot, slots.lastIndexOf(undefined) + 1)];
  }

  async #run() {
    this.#isRunning = true;
    for (let entry; (entry = this.#waiting.shift()) !== undefined; ) {
      try {
        entry.resolve(await entry.perform());
      } catch (error) {
        entry.reject(error);
      }
    }
    this.#isRunning = false;
  }
}
