import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { diff } from "./support/documents.js";
import { Fixture, rowIds } from "./support/fixture.js";
import { listening, r1, r2 } from "./support/listening.js";

/** Answers long polls for a time, and returns the one that is under way then. */
async function pollFor(fixture, milliseconds) {
  await (await fixture.server.next("/diff")).answer(204);
  const end = fixture.clock.now() + milliseconds;
  for (;;) {
    const poll = await fixture.server.next("/diff");
    const rest = end - fixture.clock.now();
    await fixture.clock.advance(Math.min(20_000, rest));
    if (rest <= 20_000) return poll;
    await poll.answer(204);
  }
}

/** Opens a view model on a connection for many. */
async function openMany(fixture) {
  fixture.client.sync(["profile/1"]);
  await (await fixture.server.next("/v1/sync")).answer(200, { screens: { "profile/1": r1 } });
}

describe("A transport that does not work", () => {
  test("is replaced by long polls, then polls, if it is refused, which is no problem", async () => {
    const fixture = new Fixture();
    const { model, told } = await fixture.opened(r1);
    // The code is not one of the server, but of a proxy that knows no such path.
    const page = { "Content-Type": "application/json" };
    await (await fixture.server.next("/events")).answer(404, { code: "no-route" }, page);
    assert.equal(model.status.state, "waiting");
    await (await fixture.server.next("/diff")).refuse(400, "bad-query");
    assert.equal(model.status.state, "polling");
    const poll = await fixture.server.next("/diff");
    assert.equal(poll.query.wait, undefined);
    await poll.answer(200, diff(r1, r2));
    assert.deepEqual(rowIds(model), ["a", "b"]);
    assert.deepEqual([model.status.state, model.status.retryAt], ["resting", fixture.clock.now() + 3000]);
    await fixture.clock.advance(3000);
    const next = await fixture.server.next("/diff");
    assert.equal(model.status.retryAt, null);
    await next.answer(204);
    assert.deepEqual(told.problem, []);
  });

  test("is replaced at once if a proxy or a server of another kind does not have it, whatever it calls that", async () => {
    for (const status of [400, 404, 405, 406, 410, 414, 415, 431, 501]) {
      const fixture = new Fixture();
      const { model, told } = await fixture.opened(r1);
      await (await fixture.server.next("/events")).answer(status);
      assert.deepEqual([model.status.state, model.status.transport], ["waiting", "longPoll"], `${status}`);
      await (await fixture.server.next("/diff")).answer(status);
      assert.deepEqual([model.status.state, told.problem], ["polling", []], `${status}`);
      // Nothing is left that could replace polls.
      await (await fixture.server.next("/diff")).answer(status);
      assert.deepEqual([model.status.state, told.problem.map(({ error }) => error.status)], ["backingOff", [status]]);
    }
  });

  test("is replaced by polls if the address or the header of a stream is too long for a proxy", async () => {
    for (const status of [414, 431]) {
      const fixture = new Fixture();
      await openMany(fixture);
      await (await fixture.server.next("/v1/events")).answer(status);
      // A poll names the view models in its body.
      await fixture.server.next("/v1/sync");
    }
  });

  test("is replaced by polls at the interval that the client is created with", async () => {
    const fixture = new Fixture({ transports: ["poll"], timing: { pollInterval: 1_000 } });
    const { model } = await fixture.opened(r1);
    await (await fixture.server.next("/diff")).answer(204);
    assert.equal(model.status.retryAt, fixture.clock.now() + 1_000);
  });

  test("is replaced if the answer is not a stream, has no type, or no content", async () => {
    for (const answer of [["a proxy's page"], [], [undefined, { "Content-Type": "text/event-stream" }]]) {
      const fixture = new Fixture();
      const { told } = await fixture.opened(r1);
      await (await fixture.server.next("/events")).answer(200, ...answer);
      await fixture.server.next("/diff");
      assert.deepEqual(told.problem, []);
    }
  });

  test("is replaced after five seconds if a proxy holds the stream back, with its head or without", async () => {
    for (const hasHead of [true, false]) {
      const fixture = new Fixture();
      const { model } = await fixture.opened(r1);
      const request = await fixture.server.next("/events");
      if (hasHead) await request.stream();
      await fixture.clock.advance(4_999);
      assert.equal(model.status.state, "connecting");
      await fixture.clock.advance(1_000);
      await fixture.server.next("/diff");
      assert.equal(model.status.transport, "longPoll");
    }
  });

  test("is not tried first by view models that are opened later, but after a while, and by those once it works", async () => {
    const fixture = new Fixture();
    const { model } = await fixture.opened(r1);
    await (await fixture.server.next("/events")).answer(501);
    await (await fixture.server.next("/diff")).answer(204);
    await fixture.server.next("/diff");
    model.close();

    const second = await fixture.opened(r1);
    await pollFor(fixture, 30_000);
    const stream = await (await fixture.server.next("/events")).stream();
    await stream.open();
    second.model.close();

    await fixture.opened(r1);
    await fixture.server.next("/events");
  });

  test("is replaced if a proxy answers with an error twice", async () => {
    for (const status of [429, 500, 502, 503, 504]) {
      const fixture = new Fixture();
      const { model } = await fixture.opened(r1);
      for (const request of ["/events", "/events", "/diff", "/diff"]) {
        const via = request === "/events" ? "events" : "longPoll";
        assert.equal(model.status.transport, via, `${status}`);
        await (await fixture.server.next(request)).answer(status);
        assert.equal(model.status.state, "backingOff");
        assert.ok(model.status.retryAt > fixture.clock.now());
        await fixture.clock.advance(4_000);
      }
      assert.equal(model.status.state, "polling");
    }
  });

  test("is replaced if streams end or are reset at once, with content or without", async () => {
    for (const content of ["", "retry: 1000\n\n", "retry: 1000\nid: r1\n\n", ":\n\n"]) {
      for (const end of /** @type {const} */ (["end", "cut"])) {
        const fixture = new Fixture();
        const { model, told } = await fixture.opened(r1);
        for (let attempt = 1; attempt <= 2; attempt++) {
          const stream = await (await fixture.server.next("/events")).stream();
          if (content) await stream.send(content);
          await stream[end]();
          assert.equal(model.status.state, "backingOff");
          assert.equal(told.problem.length, end === "cut" ? attempt : 0);
          await fixture.clock.advance(1000);
        }
        await fixture.server.next("/diff");
        assert.equal(model.status.transport, "longPoll");
      }
    }
  });

  test("is replaced if streams end or are reset without content, however late, and proves nothing", async () => {
    for (const end of /** @type {const} */ (["end", "cut"])) {
      const fixture = new Fixture();
      const { model } = await fixture.opened(r1);
      for (let attempt = 1; attempt <= 2; attempt++) {
        const stream = await (await fixture.server.next("/events")).stream();
        await fixture.clock.advance(4_999);
        await stream[end]();
        assert.deepEqual([model.status.state, model.status.isProven], ["backingOff", false]);
        await fixture.clock.advance(1000);
      }
      await fixture.server.next("/diff");
    }
  });

  test("is replaced if it sends an event without an end twice", async () => {
    const fixture = new Fixture();
    const { model, told } = await fixture.opened(r1);
    const piece = "x".repeat(2 ** 24);
    for (let attempt = 1; attempt <= 2; attempt++) {
      const stream = await (await fixture.server.next("/events")).stream();
      await stream.open();
      await stream.send("data: ");
      for (let count = 0; count < 4; count++) await stream.send(piece);
      assert.deepEqual([model.status.state, model.status.event], ["backingOff", "serverError"]);
      assert.ok(told.problem.at(-1).error instanceof RangeError);
      await fixture.clock.advance(1000);
    }
    await fixture.server.next("/diff");
    assert.equal(model.status.transport, "longPoll");
  });

  test("is replaced if it sends an event that is no document twice", async () => {
    for (const data of ["{oops", "null"]) {
      for (const open of [(fixture) => fixture.opened(r1), openMany]) {
        const fixture = new Fixture();
        await open(fixture);
        for (let attempt = 1; attempt <= 2; attempt++) {
          const stream = await (await fixture.server.next("/events")).stream();
          await stream.send(`id: r2\ndata: ${data}\n\n`);
          await fixture.clock.advance(1000);
        }
        assert.ok(!(await fixture.server.next()).path.endsWith("/events"));
      }
    }
  });

  test("is kept if streams break after news or after some time, also with errors in between", async () => {
    for (const hasErrors of [false, true]) {
      const { fixture, model, stream } = await listening();
      await stream.event(diff(r1, r2));
      await stream.cut();
      assert.equal(model.status.event, "failed");
      for (let attempt = 0; attempt < 4; attempt++) {
        await fixture.clock.advance(1000);
        if (hasErrors) {
          await (await fixture.server.next("/events")).refuse(500, "internal");
          await fixture.clock.advance(1000);
        }
        const next = await (await fixture.server.next("/events")).stream();
        await next.open();
        assert.equal(model.status.attempt, 0);
        await fixture.clock.advance(5000);
        await next.cut();
      }
      assert.deepEqual([model.status.state, model.status.transport], ["backingOff", "events"]);
    }
  });

  test("is kept if the server is unavailable, whatever the transport", async () => {
    const { fixture, model, stream } = await listening();
    await stream.cut();
    for (let attempt = 0; attempt < 9; attempt++) {
      await fixture.clock.advance(model.status.retryAt - fixture.clock.now());
      await (await fixture.server.next("/events")).fail();
    }
    assert.equal(model.status.transport, "events");
  });

  test("is tried again later, with a growing delay", async () => {
    const fixture = new Fixture();
    const { model } = await fixture.opened(r1);
    await (await fixture.server.next("/events")).answer(501);
    const poll = await pollFor(fixture, 29_999);
    assert.ok(!poll.isAborted);
    await fixture.clock.advance(1);
    assert.ok(poll.isAborted);
    await (await fixture.server.next("/events")).answer(501);
    const second = await pollFor(fixture, 59_999);
    assert.ok(!second.isAborted);
    await fixture.clock.advance(1);
    const stream = await (await fixture.server.next("/events")).stream();
    await stream.open();
    assert.equal(model.status.state, "listening");
    assert.equal(model.status.transport, "events");
  });

  test("is tried again while a stream is open, if streams are not the best transport", async () => {
    const fixture = new Fixture({ transports: ["longPoll", "events"] });
    const { model } = await fixture.opened(r1);
    await (await fixture.server.next("/diff")).answer(501);
    const stream = await (await fixture.server.next("/events")).stream();
    await stream.open();
    await fixture.clock.advance(15_000);
    await stream.comment();
    await fixture.clock.advance(15_000);
    await fixture.server.next("/diff");
    assert.equal(model.status.transport, "longPoll");
  });

  test("is tried again in the next attempt if it became due during a back-off", async () => {
    const fixture = new Fixture();
    const { model, told } = await fixture.opened(r1);
    await (await fixture.server.next("/events")).answer(501);
    const poll = await fixture.server.next("/diff");
    await poll.refuse(503, "too-many-waiting", { "Retry-After": "60" });
    const { retryAt } = model.status;
    await fixture.clock.advance(31_000);
    assert.deepEqual([model.status.event, model.status.retryAt], ["upgrade", retryAt]);
    assert.equal(told.status.at(-1).transport, "events");
    await fixture.clock.advance(30_000);
    await fixture.server.next("/events");
  });

  test("is tried again once a view model is there again that was gone when it became due", async () => {
    const fixture = new Fixture();
    const { model } = await fixture.opened(r1);
    await (await fixture.server.next("/events")).answer(501);
    await (await fixture.server.next("/diff")).refuse(410, "key-deleted");
    await fixture.clock.advance(30_000);
    model.retry();
    await fixture.server.next("/events");
  });

  test("is replaced after one silence while it is on trial", async () => {
    const fixture = new Fixture();
    const { model } = await fixture.opened(r1);
    await (await fixture.server.next("/events")).answer(501);
    await pollFor(fixture, 30_000);
    await fixture.server.next("/events");
    await fixture.clock.advance(15_000 + 1000);
    await fixture.server.next("/diff");
    assert.equal(model.status.transport, "longPoll");
  });

  test("is replaced by polls if a proxy refuses to hold long polls, though it forwards short ones", async () => {
    const fixture = new Fixture();
    const { model } = await fixture.opened(r1, { transports: ["longPoll"] });
    const refuse = async () => {
      await (await fixture.server.next("/diff")).answer(204);
      const waiting = await fixture.server.next("/diff");
      assert.equal(waiting.query.wait, "20");
      await waiting.answer(504);
      await fixture.clock.advance(1000);
    };
    await refuse();
    await refuse();
    // Each trial that fails doubles the time until the next one.
    for (const pause of [30_000, 60_000, 120_000]) {
      assert.deepEqual([model.status.state, model.status.transport], ["polling", "poll"]);
      const end = fixture.clock.now() + pause - 1000;
      while (fixture.clock.now() < end) {
        const poll = await fixture.server.next("/diff");
        assert.equal(poll.query.wait, undefined);
        await poll.answer(204);
        await fixture.clock.advance(Math.min(3000, end - fixture.clock.now()));
      }
      await refuse();
    }
  });

  test("rests after an answer to a long poll within half of its wait, so that it does not loop", async () => {
    for (const [elapsed, state] of [[0, "resting"], [9_999, "resting"], [10_000, "waiting"]]) {
      const fixture = new Fixture();
      const { model } = await fixture.opened(r1, { transports: ["longPoll"] });
      await (await fixture.server.next("/diff")).answer(204);
      const request = await fixture.server.next("/diff");
      await fixture.clock.advance(elapsed);
      await request.answer(204);
      assert.equal(model.status.state, state);
      assert.equal(await fixture.server.isIdle(), state === "resting");
    }
  });
});
