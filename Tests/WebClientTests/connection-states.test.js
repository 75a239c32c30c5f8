import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { connectionEvents, connectionStates, connectionTable } from "../../Public/viewdelta.js";
import { initialContext, step } from "../../Public/viewdelta/connection-machine.js";

/** The states that have a request under way, with what starts it. */
const requests = {
  loading: "fetchSnapshot",
  connecting: "startStream",
  waiting: "startLongPoll",
  polling: "startPoll",
};
/** The states that a timer ends, with what sets it. */
const timers = { backingOff: "scheduleRetry", resting: "schedulePoll", offline: "scheduleProbe" };
const starters = { ...requests, ...timers };
const busy = [...Object.keys(starters), "listening"];

const effectNames = [...Object.values(starters), "abort", "report"];

/** Every context that matters to where an event leads. */
function* contexts() {
  for (const state of connectionStates) {
    for (const holds of [true, false]) {
      for (const level of [0, 1, 2]) {
        for (const doubts of [0, 1]) {
          const context = { ...initialContext(["events", "longPoll"]), attempt: 2, trials: level };
          yield { ...context, state, holds, level, doubts };
        }
      }
    }
  }
}

describe("The table of connection states", () => {
  test("has a cell for every state and event, and no other", () => {
    assert.deepEqual(Object.keys(connectionTable).sort(), [...connectionStates].sort());
    for (const state of connectionStates) {
      assert.deepEqual(
        Object.keys(connectionTable[state]).sort(),
        [...connectionEvents].sort(),
        state,
      );
      for (const event of connectionEvents) {
        const cell = connectionTable[state][event];
        if (cell === "ignored") continue;
        assert.ok(cell.to === "connect" || connectionStates.includes(cell.to), `${state} ${event}`);
        assert.ok(cell.effects.every((effect) => effectNames.includes(effect)));
      }
    }
  });

  test("leads from the start to every state, and by `close` from every state to the end", () => {
    const found = new Map([[JSON.stringify(initialContext(["events", "longPoll"])), null]]);
    const reached = new Set();
    for (const [text] of found) {
      const context = JSON.parse(text);
      reached.add(context.state);
      for (const event of connectionEvents) {
        const next = step(context, event).context;
        // How often something failed leads nowhere else.
        const bounded = { ...next, attempt: Math.min(next.attempt, 2), trials: 0 };
        found.set(JSON.stringify(bounded), null);
      }
      assert.equal(step(context, "close").context.state, "closed");
    }
    assert.deepEqual([...reached].sort(), [...connectionStates].sort());
  });

  test("is never left once closed", () => {
    for (const event of connectionEvents) assert.equal(connectionTable.closed[event], "ignored");
  });
});

describe("Whatever happens to a connection", () => {
  const steps = [...contexts()].flatMap((context) =>
    connectionEvents.map((event) => ({ context, event, ...step(context, event), from: context })),
  );

  test("a state is entered with what it needs, and nothing else is started", () => {
    for (const { from, event, context, effects } of steps) {
      if (context === from) continue;
      const started = effects.map((effect) => effect.do).filter((name) => isStarter(name));
      const isStaying = context.state === from.state || context.state === "listening";
      const expected = starters[context.state];
      if (started.length === 0) {
        assert.ok(isStaying || expected === undefined, `${from.state} ${event}: nothing started`);
      } else {
        assert.deepEqual(started, [expected], `${from.state} ${event}`);
      }
    }
  });

  test("what was under way is given up when its state is left, unless it has ended", () => {
    const ended = ["received", "unchanged", "early", "stale", "due", "streamOpened", "absent"];
    for (const { from, event, context, effects } of steps) {
      if (context.state === from.state || !busy.includes(from.state)) continue;
      const isGivenUp = effects.some((effect) => effect.do === "abort");
      assert.ok(isGivenUp || ended.includes(event), `${from.state} ${event}`);
    }
  });

  test("a failure is never answered by the same request at once", () => {
    for (const { from, event, context, effects } of steps) {
      if (!["failed", "serverError", "silent", "busy"].includes(event) || context === from) continue;
      assert.equal(context.state, "backingOff", `${from.state} ${event}`);
      assert.ok(effects.some((effect) => effect.do === "scheduleRetry"));
    }
  });

  test("a transport that is not supported is not asked for again at once", () => {
    for (const { from, event, context } of steps) {
      if (event !== "unsupported" || context === from) continue;
      assert.ok(context.level > from.level || context.state === "backingOff" || from.level === 2);
    }
  });

  test("a divergence is answered by loading the whole, and a second one by waiting", () => {
    for (const { from, event, context } of steps) {
      if (event !== "diverged" || context === from) continue;
      assert.equal(context.holds, false);
      assert.equal(context.state, from.state === "loading" ? "backingOff" : "loading");
    }
  });

  test("a transport that is given up is tried again later", () => {
    for (const { from, event, context, effects } of steps) {
      const isScheduled = effects.some((effect) => effect.do === "scheduleUpgrade");
      assert.equal(isScheduled, context.level > from.level, `${from.state} ${event}`);
    }
  });

  test("what is ignored changes nothing", () => {
    for (const { from, event, context, effects } of steps) {
      if (connectionTable[from.state][event] !== "ignored") continue;
      assert.equal(context, from);
      assert.deepEqual(effects, []);
    }
  });
});

/** @param {string} name */
function isStarter(name) {
  return Object.values(starters).includes(name);
}
