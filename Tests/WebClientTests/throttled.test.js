import assert from "node:assert/strict";
import { test } from "node:test";
import { throttled } from "../../Public/page/throttled.js";

/** Returns a throttled action on a clock of the test, and the times at which it has run. */
function watched(mock, rest) {
  mock.timers.enable({ apis: ["setTimeout"] });
  let time = 5000;
  mock.method(performance, "now", () => time);
  /** @type {number[]} */
  const runs = [];
  const ask = throttled(() => runs.push(time - 5000), rest);
  const pass = (/** @type {number} */ milliseconds) => {
    for (let each = 0; each < milliseconds; each++) {
      time += 1;
      mock.timers.tick(1);
    }
  };
  return { ask, pass, runs };
}

test("an action runs once, when a series of calls has ended", ({ mock }) => {
  const { ask, pass, runs } = watched(mock, 400);
  ask();
  pass(300);
  ask();
  pass(399);
  assert.deepEqual(runs, []);
  pass(2000);
  assert.deepEqual(runs, [700]);
});

test("an action runs a second after the first call though the calls do not end, and so on", ({ mock }) => {
  const { ask, pass, runs } = watched(mock, 400);
  for (let calls = 0; calls < 24; calls++) {
    ask();
    pass(100);
  }
  pass(1000);
  assert.deepEqual(runs, [1000, 2000, 2700]);
});

test("a call that is taken back neither runs nor hastens a later one", ({ mock }) => {
  const { ask, pass, runs } = watched(mock, 400);
  ask();
  pass(390);
  ask.cancel();
  pass(2000);
  assert.deepEqual(runs, []);
  ask();
  pass(500);
  assert.deepEqual(runs, [2790]);
});
