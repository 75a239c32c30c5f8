import assert from "node:assert/strict";
import { test } from "node:test";
import { retried } from "../../Public/page/retried.js";

/**
 * Returns the delays in milliseconds between attempts that fail with some errors.
 *
 * @param {any} context
 * @param {unknown[]} errors
 */
async function delays(context, errors) {
  /** @type {number[]} */
  const waited = [];
  /**
   * How many attempts were made before the end of each delay.
   *
   * @type {number[]}
   */
  const attemptsBefore = [];
  let attempts = 0;
  context.mock.method(globalThis, "setTimeout", (/** @type {() => void} */ action, /** @type {number} */ delay) => {
    waited.push(delay);
    queueMicrotask(() => {
      attemptsBefore.push(attempts);
      action();
    });
  });
  /** @type {unknown[]} */
  const reported = [];
  const expected = [...errors];
  await retried(async () => {
    attempts++;
    if (errors.length > 0) throw errors.shift();
  }, (error) => reported.push(error));
  assert.deepEqual(reported, expected);
  assert.deepEqual(attemptsBefore, waited.map((_, index) => index + 1));
  return waited;
}

test("what the page needs at its start is not asked for before the time that the server names", async (context) => {
  const [delay] = await delays(context, [{ retryAfter: 30_000 }]);
  assert.ok(delay >= 30_000 && delay < 33_000, String(delay));
});

test("each failure at the start of the page doubles the delay up to a limit", async (context) => {
  context.mock.method(Math, "random", () => 1);
  const waited = await delays(context, Array.from({ length: 6 }, () => new TypeError("lost")));
  assert.deepEqual(waited, [2000, 4000, 8000, 15_000, 15_000, 15_000]);
});
