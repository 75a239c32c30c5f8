/**
 * Shows a new screen from its top, and a screen that is shown again where the user left it, also after a reload of the
 * page. The browser cannot do this, because it scrolls before the rows come.
 */

/** The time for which the page waits for the rows of a screen that is shown again, in milliseconds. */
const patience = 10_000;

const storage = "viewdelta.tops";

export class Scrolling {
  /** The shown entry of the history, by the id in its state. */
  #entry = 0;
  /**
   * How far the page was scrolled at each entry.
   *
   * @type {Map<number, number>}
   */
  #tops = new Map();
  /** How far to scroll the page as soon as its rows allow it; 0 if there is nothing left to do. */
  #wanted = 0;
  #since = 0;

  constructor() {
    history.scrollRestoration = "manual";
    try {
      this.#tops = new Map(JSON.parse(sessionStorage.getItem(storage) ?? "[]"));
    } catch {
      // Without storage each screen is shown from its top when the page is loaded again.
    }
    new ResizeObserver(() => this.#scroll()).observe(document.body);
    // A user who scrolls meanwhile is not moved elsewhere.
    for (const type of ["wheel", "touchmove", "keydown", "pointerdown"]) {
      addEventListener(type, () => { this.#wanted = 0; }, { passive: true });
    }
    addEventListener("pagehide", () => {
      this.leave();
      try {
        sessionStorage.setItem(storage, JSON.stringify([...this.#tops]));
      } catch {
        // Without storage, as in the constructor.
      }
    });
  }

  /** Records how far the page is scrolled, before another view model is shown. */
  leave() {
    this.#tops.set(this.#entry, this.#wanted || scrollY);
  }

  /** Scrolls to the place of the current entry of the history, whose screen is shown now. */
  enter() {
    this.#entry = history.state?.entry ?? Math.random();
    history.replaceState({ entry: this.#entry }, "");
    this.#wanted = this.#tops.get(this.#entry) ?? 0;
    this.#since = performance.now();
    scrollTo(0, this.#wanted);
  }

  #scroll() {
    if (performance.now() - this.#since > patience) this.#wanted = 0;
    if (this.#wanted === 0) return;
    scrollTo(0, this.#wanted);
    if (scrollY > this.#wanted - 1) this.#wanted = 0;
  }
}
