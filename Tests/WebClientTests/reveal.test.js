import assert from "node:assert/strict";
import { test } from "node:test";
import { markEdges, reveal } from "../../Public/page/reveal.js";

/** Returns how far a list of 100 px is scrolled to show one of its elements. */
function scrolled(left, right) {
  const scroller = { scrollLeft: 200, getBoundingClientRect: () => ({ left: 0, right: 100 }) };
  reveal(/** @type {any} */ ({ closest: () => scroller, getBoundingClientRect: () => ({ left, right }) }));
  return scroller.scrollLeft;
}

test("a list is scrolled by as little as shows an element, with a margin", () => {
  assert.equal(scrolled(20, 80), 200);
  assert.equal(scrolled(-30, 20), 200 - 30 - 44);
  assert.equal(scrolled(90, 130), 200 + 30 + 44);
});

test("an element in no list is left alone", () => {
  reveal(/** @type {any} */ ({ closest: () => null }));
});

test("a list is marked at the sides that have more, from left to right and from right to left", () => {
  let resized = () => {};
  class ResizeObserver {
    observe() {}
    /** @param {() => void} action */
    constructor(action) {
      resized = action;
    }
  }
  Object.assign(globalThis, { ResizeObserver });
  /** @type {string | null} */
  let marks = null;
  const list = Object.assign(new EventTarget(), {
    scrollWidth: 300, clientWidth: 100, scrollLeft: 0,
    getAttribute: () => marks,
    setAttribute: (_, sides) => void (marks = sides),
    removeAttribute: () => void (marks = null),
  });
  const mark = markEdges(/** @type {any} */ (list));
  mark();
  assert.equal(marks, "end");
  for (const [left, sides] of [[1, "end"], [50, "start end"], [199, "start"], [-50, "start end"], [-200, "start"]]) {
    list.scrollLeft = Number(left);
    list.dispatchEvent(new Event("scroll"));
    assert.equal(marks, sides, `at ${left}`);
  }
  list.scrollLeft = 0;
  list.clientWidth = 300;
  resized();
  assert.equal(marks, null);
});
