import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { connectionEvents, connectionStates, connectionTable } from "../../Public/viewdelta.js";
import { initialContext, step } from "../../Public/viewdelta/connection-machine.js";

/** The states with a request in progress, and the effects that start it. */
const requests = {
  loading: "fetchSnapshot",
  connecting: "startStream",
  waiting: "startLongPoll",
  polling: "startPoll",
};
/** The states that a timer ends, and the effects that set it. */
const timers = { backingOff: "scheduleRetry", resting: "schedulePoll", offline: "scheduleProbe" };
const starters = { ...requests, ...timers };
const busy = [...Object.keys(starters), "listening"];

const effectNames = [...Object.values(starters), "abort", "report"];

/** The states that a crowded connection does not get into. */
const held = ["connecting", "listening", "waiting"];

/** All contexts that make a difference to a transition. */
function* contexts() {
  for (const state of connectionStates) {
    for (const holds of [true, false]) {
      for (const level of [0, 1, 2]) {
        for (const doubts of [0, 1]) {
          for (const refusals of [0, 1]) {
            for (const isCrowded of held.includes(state) ? [false] : [true, false]) {
              const start = initialContext(["events", "longPoll"]);
              const context = { ...start, attempt: 2, refusals, trials: 1, isCrowded };
              for (const isProven of [true, false]) yield { ...context, state, holds, level, doubts, isProven };
            }
          }
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
        const targets = ["connect", "retry", ...connectionStates];
        assert.ok(targets.includes(cell.to), `${state} ${event}`);
        assert.ok(cell.effects.every((effect) => effectNames.includes(effect)));
      }
    }
  });

  test("reaches every state from the start, and the end from every state by `close`", () => {
    const found = new Map([[JSON.stringify(initialContext(["events", "longPoll"])), null]]);
    const reached = new Set();
    for (const [text] of found) {
      const context = JSON.parse(text);
      reached.add(context.state);
      for (const event of connectionEvents) {
        const next = step(context, event).context;
        // The number of failures does not affect the next state.
        const { attempt, refusals } = next;
        const counts = { attempt: Math.min(attempt, 2), refusals: Math.min(refusals, 2), trials: 0 };
        const bounded = { ...next, ...counts };
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

describe("For all events of a connection", () => {
  const steps = [...contexts()].flatMap((context) =>
    connectionEvents.map((event) => ({ context, event, ...step(context, event), from: context })),
  );

  test("a state is entered with its effects, and no others are started", () => {
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

  test("a request in progress is abandoned if its state is left", () => {
    const ended = ["received", "unchanged", "early", "stale", "due", "streamOpened", "absent"];
    for (const { from, event, context, effects } of steps) {
      if (context.state === from.state || !busy.includes(from.state)) continue;
      const isGivenUp = effects.some((effect) => effect.do === "abort");
      assert.ok(isGivenUp || ended.includes(event), `${from.state} ${event}`);
    }
  });

  test("a failure never causes the same request at once", () => {
    for (const { from, event, context, effects } of steps) {
      if (!["failed", "serverError", "silent", "busy"].includes(event) || context === from) continue;
      assert.equal(context.state, "backingOff", `${from.state} ${event}`);
      assert.ok(effects.some((effect) => effect.do === "scheduleRetry"));
    }
  });

  test("an unsupported transport is not used again at once", () => {
    for (const { from, event, context } of steps) {
      if (event !== "unsupported" || context === from) continue;
      assert.ok(context.level > from.level || context.state === "backingOff" || from.level === 2);
    }
  });

  test("what is unsupported while it loads, or instead of a place, says nothing about the transport", () => {
    for (const { from, event, context } of steps) {
      const isNoTrial = from.state === "loading" || from.isCrowded;
      if (["unsupported", "serverError", "silent", "early", "busy"].includes(event) && isNoTrial) {
        assert.deepEqual([context.level, context.doubts], [from.level, from.doubts], `${from.state} ${event}`);
      }
    }
  });

  test("a divergence causes a full load, and a further one a back-off before it", () => {
    for (const { from, event, context } of steps) {
      if (event !== "diverged" || context === from) continue;
      assert.equal(context.holds, false);
      assert.equal(context.state, from.refusals > 0 ? "backingOff" : "loading");
      assert.equal(context.isProven, from.isProven && from.refusals === 0);
    }
  });

  test("no request is started before the time that the server asks for", () => {
    for (const { from, event } of steps) {
      const { context, effects } = step(from, event, { atLeast: 1 });
      const started = effects.filter((effect) => Object.values(requests).includes(effect.do));
      assert.deepEqual(started, [], `${from.state} ${event}`);
      const isDelayed = context.state === "backingOff" && from.state !== "backingOff";
      if (isDelayed) assert.ok(effects.some((effect) => effect.atLeast === 1), `${from.state} ${event}`);
    }
  });

  test("a stale answer causes a request, and a further one a back-off before it", () => {
    for (const { from, event, context } of steps) {
      if (event !== "stale" || context === from || from.state === "polling") continue;
      assert.equal(context.state === "backingOff", from.refusals > 0, from.state);
    }
  });

  test("only a document that is applied ends the count of those that cannot be", () => {
    for (const { from, event, context } of steps) {
      if (context === from || !["streamOpened", "received", "unchanged", "advanced"].includes(event)) continue;
      const isProof = event === "advanced" || (event === "received" && from.state !== "loading");
      assert.equal(context.refusals, isProof ? 0 : from.refusals);
    }
  });

  test("a sign that an attempt may succeed now ends the counts of failures", () => {
    for (const { from, event, context } of steps) {
      if (context === from || !["shown", "woke", "online", "joined", "retry"].includes(event)) continue;
      assert.deepEqual([context.attempt, context.refusals], [0, 0], `${from.state} ${event}`);
    }
  });

  test("only an answer of the best transport ends the count of its failed trials", () => {
    for (const { from, event, context } of steps) {
      // Neither a snapshot nor the first long poll, which does not wait, is one.
      const isProof = from.state === "waiting" ? from.isProven : from.state !== "loading";
      const isAnswer = ["received", "unchanged", "streamEnded"].includes(event) && isProof;
      const isReturn = isAnswer && from.level === 0 && context !== from;
      const lowered = Number(context.level > from.level);
      assert.equal(context.trials, isReturn ? 0 : from.trials + lowered, `${from.state} ${event}`);
    }
  });

  test("an abandoned transport is tried again later", () => {
    for (const { from, event, context, effects } of steps) {
      const isScheduled = effects.some((effect) => effect.do === "scheduleUpgrade");
      assert.equal(isScheduled, context.level > from.level, `${from.state} ${event}`);
    }
  });

  test("an ignored event changes nothing", () => {
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
