import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { snapshot } from "./support/documents.js";
import { Fixture, rowIds } from "./support/fixture.js";
import { listening, r1 } from "./support/listening.js";

describe("The watchdog", () => {
  test("abandons a snapshot that does not arrive", async () => {
    const fixture = new Fixture();
    const { model, told } = fixture.open();
    const request = await fixture.server.next();
    await fixture.clock.advance(14_999);
    assert.equal(model.status.state, "loading");
    await fixture.clock.advance(1);
    assert.ok(request.isAborted);
    assert.equal(model.status.state, "backingOff");
    assert.match(String(told.problem[0].error), /does not answer/);
  });

  test("waits for a body whose head has arrived", async () => {
    const fixture = new Fixture();
    const { model } = fixture.open();
    const request = await fixture.server.next();
    await fixture.clock.advance(14_000);
    const finish = await request.begin();
    await fixture.clock.advance(14_000);
    await finish(r1);
    assert.deepEqual(rowIds(model), ["a"]);
  });

  test("waits for a body of which a piece arrives now and then", async () => {
    const fixture = new Fixture();
    const { model, told } = fixture.open();
    const finish = await (await fixture.server.next()).begin();
    const fox = snapshot("r1", ["a", "🦊".repeat(50)]);
    await finish(fox, () => fixture.clock.advance(14_000));
    assert.deepEqual(rowIds(model), ["a", "🦊".repeat(50)]);
    assert.equal(told.change[0].bytes, Buffer.byteLength(JSON.stringify(fox)));
  });

  test("reads a body in pieces that are cut within a character", async () => {
    for (const shift of ["", "x", "xx", "xxx"]) {
      const fixture = new Fixture();
      const { model } = fixture.open();
      const finish = await (await fixture.server.next()).begin();
      const fox = snapshot("r1", [shift + "🦊".repeat(50)]);
      await finish(fox);
      assert.deepEqual(rowIds(model), [shift + "🦊".repeat(50)]);
    }
  });

  test("abandons a body whose pieces end", async () => {
    const fixture = new Fixture();
    const { model } = fixture.open();
    const finish = await (await fixture.server.next()).begin();
    await finish(r1, () => fixture.clock.advance(15_000));
    assert.equal(model.status.state, "backingOff");
  });

  test("ends with the answer", async () => {
    const fixture = new Fixture();
    const { model } = await fixture.opened(r1, { transports: ["poll"] });
    await (await fixture.server.next("/diff")).answer(204);
    assert.equal(model.status.state, "resting");
    assert.equal(fixture.clock.pending, 2, "the next poll, and the clock that notices sleep");
  });

  test("does not begin again with an answer that comes after its request was given up", async () => {
    const fixture = new Fixture();
    const { model } = fixture.open();
    const answered = (await fixture.server.next("/profile/1")).answer(200, r1);
    model.close();
    fixture.client.close();
    await answered;
    assert.equal(fixture.clock.pending, 0);
  });

  test("abandons a stream without comments, but not one with comments", async () => {
    const { fixture, model, stream } = await listening();
    for (let minute = 0; minute < 12; minute++) {
      await fixture.clock.advance(15_000);
      await stream.comment();
    }
    assert.equal(model.status.state, "listening");
    await fixture.clock.advance(19_999);
    assert.equal(model.status.state, "listening");
    await fixture.clock.advance(1);
    assert.equal(model.status.state, "backingOff");
    assert.equal(model.status.isProven, false);
  });

  test("abandons a long poll that is silent beyond its wait", async () => {
    const fixture = new Fixture();
    const { model } = await fixture.opened(r1, { transports: ["longPoll"] });
    await (await fixture.server.next("/diff")).answer(204);
    const request = await fixture.server.next("/diff");
    assert.equal(request.query.wait, "20");
    await fixture.clock.advance(24_999);
    assert.equal(model.status.state, "waiting");
    await fixture.clock.advance(1);
    assert.ok(request.isAborted);
    assert.equal(model.status.state, "backingOff");
  });
});

describe("What is shown is known to be current", () => {
  test("only after the stream has answered", async () => {
    const fixture = new Fixture();
    const { model, told } = await fixture.opened(r1);
    const stream = await (await fixture.server.next("/events")).stream();
    assert.equal(model.status.isProven, false);
    await stream.open();
    assert.equal(model.status.isProven, true);
    await stream.cut();
    assert.equal(model.status.isProven, false);
    assert.deepEqual(told.status.map(({ isProven }) => isProven), [false, false, true, false]);
  });

  test("as soon as the server has answered a long poll, which is told", async () => {
    const fixture = new Fixture();
    const { told } = await fixture.opened(r1, { transports: ["longPoll"] });
    await (await fixture.server.next("/diff")).answer(204);
    assert.deepEqual(told.status.map(({ state, isProven }) => [state, isProven]),
      [["loading", false], ["waiting", false], ["waiting", true]]);
  });

  test("only after the server has answered a long poll, which it does at once", async () => {
    const { fixture, model } = await listening();
    // The server is stopped: it accepts connections, and answers nothing.
    await fixture.clock.advance(20_000);
    for (let minute = 0; minute < 3; minute++) {
      for (let second = 0; second < 60; second++) {
        await fixture.clock.advance(1_000);
        assert.equal(model.status.isProven, false, `${model.status.state} after ${minute}:${second}`);
      }
    }
    assert.equal(model.status.transport, "poll");
    // Now it goes on.
    let request = await fixture.server.next();
    while (request.isAborted) request = await fixture.server.next();
    await request.answer(204);
    assert.equal(model.status.isProven, true);
  });
});
