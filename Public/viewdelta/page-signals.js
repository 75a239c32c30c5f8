/** @typedef {import("./environment.js").Environment} Environment */
/** @typedef {import("./environment.js").Timing} Timing */
/** @typedef {"hidden" | "shown" | "woke" | "offline" | "online"} Signal */

/** Reports events of the page and its machine to all connections of a server. */
export class PageSignals {
  /** Whether the page has been hidden for a while, as reported. */
  isHidden = false;
  #environment;
  /** @type {(signal: Signal) => void} */
  #listener;
  #timing;
  #beat = 0;
  /** @type {any} */
  #heartbeat = null;
  /** @type {any} */
  #hiding = null;
  /** @type {[EventTarget, string, () => void][]} */
  #subscriptions = [];

  /**
   * @param {Environment} environment
   * @param {Timing} timing
   * @param {(signal: Signal) => void} listener
   */
  constructor(environment, timing, listener) {
    this.#environment = environment;
    this.#timing = timing;
    this.#listener = (signal) => {
      if (signal === "hidden" || signal === "shown") this.isHidden = signal === "hidden";
      listener(signal);
    };
    const { document, window } = environment;
    this.#listen(document, "visibilitychange", () => this.#visibilityChanged());
    // A browser may freeze a page with all its tasks; the answers to its requests are then lost or
    // late.
    this.#listen(document, "freeze", () => this.#listener("hidden"));
    this.#listen(document, "resume", () => this.#visibilityChanged());
    // A page in the back-forward cache must not hold connections.
    this.#listen(window, "pagehide", () => this.#listener("hidden"));
    // A page that is loaded in the background is shown in this sense, but not visible.
    this.#listen(window, "pageshow", () => this.#visibilityChanged());
    this.#listen(window, "offline", () => this.#listener("offline"));
    this.#listen(window, "online", () => this.#listener("online"));
    this.#beat = environment.now();
    this.#scheduleHeartbeat();
    if (document?.visibilityState === "hidden") this.#visibilityChanged();
  }

  /** Removes all listeners. */
  close() {
    for (const [target, type, action] of this.#subscriptions) {
      target.removeEventListener(type, action);
    }
    this.#environment.clearTimeout(this.#heartbeat);
    this.#environment.clearTimeout(this.#hiding);
  }

  #visibilityChanged() {
    this.#environment.clearTimeout(this.#hiding);
    if (this.#environment.document?.visibilityState === "hidden") {
      this.#hiding = this.#environment.setTimeout(
        () => this.#listener("hidden"),
        this.#timing.hiddenGrace,
      );
    } else {
      // A browser slows down the timers of a hidden page, which must not be mistaken for sleep.
      this.#beat = this.#environment.now();
      this.#listener("shown");
    }
  }

  /** Detects that the machine has slept by a jump of the clock, because there is no event for it. */
  #scheduleHeartbeat() {
    this.#heartbeat = this.#environment.setTimeout(() => {
      const now = this.#environment.now();
      const gap = now - this.#beat;
      this.#beat = now;
      this.#scheduleHeartbeat();
      const isVisible = this.#environment.document?.visibilityState !== "hidden";
      if (gap > this.#timing.sleepGap && isVisible) this.#listener("woke");
    }, this.#timing.heartbeat);
    // A program in Node.js ends once nothing is open.
    this.#heartbeat?.unref?.();
  }

  /**
   * @param {EventTarget | null} target
   * @param {string} type
   * @param {() => void} action
   */
  #listen(target, type, action) {
    if (target === null) return;
    target.addEventListener(type, action);
    this.#subscriptions.push([target, type, action]);
  }
}
