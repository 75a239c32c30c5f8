import assert from "node:assert/strict";
import { describe, test } from "node:test";

/** A window whose page is as high as the test says. */
class Window extends EventTarget {
  scrollY = 0;
  end = 0;
  history = { state: null, replaceState: (state) => void (this.history.state = state) };
  stored = new Map();
  sessionStorage = { getItem: (name) => this.stored.get(name) ?? null, setItem: (name, it) => this.stored.set(name, it) };
  document = { body: {} };
  resized = () => {};
  scrollTo = (_, top) => void (this.scrollY = Math.min(top, this.end));
}

/** Returns the page in a window, as it is once its script has run. */
async function opened(window) {
  const { history, sessionStorage, document, scrollTo } = window;
  class ResizeObserver {
    observe() {}
    /** @param {() => void} action */
    constructor(action) {
      window.resized = action;
    }
  }
  const addEventListener = window.addEventListener.bind(window);
  Object.assign(globalThis, { history, sessionStorage, document, scrollTo, ResizeObserver, addEventListener });
  Object.defineProperty(globalThis, "scrollY", { configurable: true, get: () => window.scrollY });
  const { Scrolling } = await import("../../Public/page/scrolling.js");
  const scrolling = new Scrolling();
  scrolling.enter();
  /** Gives the page another height. */
  const grow = (height) => {
    window.end = height;
    window.resized();
  };
  return { scrolling, grow };
}

/** Returns a page that is shown again, where the user left it at 400 px, while its rows are on their way. */
async function shownAgain(mock) {
  let time = 60_000;
  mock.method(performance, "now", () => time);
  const window = new Window();
  const { grow } = await opened(window);
  grow(1000);
  window.scrollY = 400;
  window.dispatchEvent(new Event("pagehide"));
  window.end = window.scrollY = 0;
  return { window, pass: (milliseconds) => void (time += milliseconds), ...(await opened(window)) };
}

describe("A page that is shown again", () => {
  test("is scrolled as far as its rows allow until it is where the user left it, and no further", async ({ mock }) => {
    const { window, grow } = await shownAgain(mock);
    const tops = [200, 1000].map((height) => {
      grow(height);
      return window.scrollY;
    });
    assert.deepEqual(tops, [200, 400]);
    window.scrollY = 10;
    grow(2000);
    assert.equal(window.scrollY, 10);
  });

  test("stays where it is if its rows take longer than ten seconds", async ({ mock }) => {
    const { window, grow, pass } = await shownAgain(mock);
    pass(10_001);
    grow(1000);
    assert.equal(window.scrollY, 0);
  });

  for (const type of ["wheel", "touchmove", "keydown", "pointerdown"]) {
    test(`leaves it to the user where it is after the event ${type}`, async ({ mock }) => {
      const { window, grow } = await shownAgain(mock);
      window.dispatchEvent(new Event(type));
      grow(1000);
      assert.equal(window.scrollY, 0);
    });
  }

  test("keeps its place although it is left before its rows have come", async ({ mock }) => {
    const { window, scrolling, grow } = await shownAgain(mock);
    const entry = window.history.state;
    scrolling.leave();
    window.history.state = null;
    scrolling.enter();
    grow(1000);
    assert.equal(window.scrollY, 0);
    scrolling.leave();
    window.history.state = entry;
    scrolling.enter();
    assert.equal(window.scrollY, 400);
  });
});
