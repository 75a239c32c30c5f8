import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { settle } from "./support/clock.js";
import { diff, snapshot } from "./support/documents.js";
import { Fixture, rowIds } from "./support/fixture.js";

const r1 = snapshot("r1", ["a"]);
const r2 = snapshot("r2", ["a", "b"]);
const r3 = snapshot("r3", ["b"]);

/** A view model that listens, with its stream. */
async function listening(options) {
  const fixture = new Fixture(options);
  const { model, told } = await fixture.opened(r1);
  const stream = await (await fixture.server.next("/events")).stream();
  await stream.open();
  return { fixture, model, told, stream };
}

describe("A connection", () => {
  test("loads the view model, then listens from its revision", async () => {
    const fixture = new Fixture();
    const { model, told } = fixture.open();
    assert.equal(model.snapshot, null);
    await (await fixture.server.next("/profile/1")).answer(200, r1);
    assert.deepEqual(rowIds(model), ["a"]);
    const request = await fixture.server.next("/events");
    assert.deepEqual(request.query, { since: "r1", have: r1.digest });
    assert.equal(request.headers.get("Accept"), "text/event-stream");
    assert.equal(model.status.state, "connecting");
    const stream = await request.stream();
    await stream.open();
    await stream.event(diff(r1, r2));
    assert.equal(model.status.state, "listening");
    assert.deepEqual(
      told.change.map(({ kind, via }) => [kind, via]),
      [
        ["snapshot", "snapshot"],
        ["diff", "events"],
      ],
    );
    assert.equal(told.change[1].bytes, JSON.stringify(diff(r1, r2)).length);
    assert.equal(told.change[1].before, told.change[0].after);
    assert.deepEqual(
      told.status.map(({ state }) => state),
      ["loading", "connecting", "listening"],
    );
    assert.deepEqual(told.problem, []);
  });

  test("reads documents that come in pieces, cut within a letter", async () => {
    const { model, stream } = await listening();
    const fox = snapshot("r2", ["a", "🦊"]);
    const text = `data: ${JSON.stringify(diff(r1, fox))}\n\n`;
    for (const piece of text.match(/.{1,9}/gsu) ?? []) await stream.send(piece);
    assert.deepEqual(rowIds(model), ["a", "🦊"]);
  });

  test("comes back with what it holds when a stream ends in due time", async () => {
    const { fixture, model, told, stream } = await listening();
    await stream.event(diff(r1, r2));
    await fixture.clock.advance(30_000);
    await stream.comment();
    await stream.end();
    assert.deepEqual((await fixture.server.next("/events")).query.since, "r2");
    assert.deepEqual(told.problem, []);
    assert.equal(model.status.attempt, 0);
  });

  test("backs off when the network fails, and longer each time", async () => {
    const fixture = new Fixture();
    const { model, told } = fixture.open();
    for (const delay of [250, 500, 1000]) {
      await (await fixture.server.next()).fail();
      assert.equal(model.status.state, "backingOff");
      assert.equal(model.status.retryAt, fixture.clock.now() + delay);
      await fixture.clock.advance(delay - 1);
      assert.ok(await fixture.server.isIdle());
      await fixture.clock.advance(1);
    }
    assert.equal(told.problem.length, 3);
    await (await fixture.server.next()).answer(200, r1);
    assert.equal(model.status.attempt, 0);
  });

  test("waits as long as a busy server asks for", async () => {
    for (const status of [429, 503]) {
      const fixture = new Fixture();
      const { model } = await fixture.opened(r1);
      const request = await fixture.server.next("/events");
      await request.refuse(status, "too-many-waiting", { "Retry-After": "7" });
      assert.equal(model.status.state, "backingOff");
      await fixture.clock.advance(6999);
      assert.ok(await fixture.server.isIdle());
      await fixture.clock.advance(251);
      await fixture.server.next("/events");
    }
  });

  test("takes the base of its back-off from the stream", async () => {
    const { fixture, model, stream } = await listening();
    await stream.send("retry: 4000\n\n");
    await stream.cut();
    assert.equal(model.status.retryAt, fixture.clock.now() + 2000);
  });

  test("leaves what is shown as it is when the view model is deleted", async () => {
    const { fixture, model, told, stream } = await listening();
    await fixture.clock.advance(10_000);
    await stream.end();
    await (await fixture.server.next("/events")).refuse(410, "key-deleted");
    assert.equal(model.status.state, "gone");
    assert.equal(told.problem[0].error.code, "key-deleted");
    assert.deepEqual(rowIds(model), ["a"]);
    await fixture.clock.advance(3_600_000);
    assert.ok(await fixture.server.isIdle());
    model.retry();
    await (await fixture.server.next("/events")).stream();
  });

  test("is gone where there is no such screen or key", async () => {
    for (const code of ["unknown-screen", "unknown-key"]) {
      const fixture = new Fixture();
      const { model } = fixture.open();
      await (await fixture.server.next()).refuse(404, code);
      assert.equal(model.status.state, "gone");
    }
  });

  test("asks for nothing more once it is closed, and keeps no timer", async () => {
    const { fixture, model } = await listening();
    model.close();
    fixture.client.close();
    await settle();
    assert.equal(model.status.state, "closed");
    assert.ok(await fixture.server.isIdle());
    assert.equal(fixture.clock.pending, 0);
  });

  test("that is closed does not try a better transport again", async () => {
    const fixture = new Fixture();
    const { model } = await fixture.opened(r1);
    await (await fixture.server.next("/events")).answer(501);
    await fixture.server.next("/diff");
    model.close();
    fixture.client.close();
    assert.equal(fixture.clock.pending, 0);
  });

  test("can be cut by its owner, and comes back", async () => {
    const { fixture, model } = await listening();
    model.drop();
    assert.equal(model.status.state, "backingOff");
    await fixture.clock.advance(1000);
    await fixture.server.next("/events");
  });
});

describe("The watchdog", () => {
  test("gives up a snapshot that does not come", async () => {
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

  test("waits on for a body whose head has come", async () => {
    const fixture = new Fixture();
    const { model } = fixture.open();
    const request = await fixture.server.next();
    await fixture.clock.advance(14_000);
    const finish = await request.begin();
    await fixture.clock.advance(14_000);
    await finish(r1);
    assert.deepEqual(rowIds(model), ["a"]);
  });

  test("gives up a stream without comments, and not one with", async () => {
    const { fixture, model, stream } = await listening();
    for (let minute = 0; minute < 12; minute++) {
      await fixture.clock.advance(15_000);
      await stream.comment();
    }
    assert.equal(model.status.state, "listening");
    await fixture.clock.advance(40_000);
    assert.equal(model.status.state, "backingOff");
  });

  test("gives up a long poll that is silent beyond its wait", async () => {
    const fixture = new Fixture();
    const { model } = await fixture.opened(r1, { transports: ["longPoll"] });
    const request = await fixture.server.next("/diff");
    assert.equal(request.query.wait, "50");
    await fixture.clock.advance(59_999);
    assert.equal(model.status.state, "waiting");
    await fixture.clock.advance(1);
    assert.ok(request.isAborted);
    assert.equal(model.status.state, "backingOff");
  });
});

describe("A transport that does not work", () => {
  test("is left for long polls, then polls, where it is refused", async () => {
    const fixture = new Fixture();
    const { model } = await fixture.opened(r1);
    await (await fixture.server.next("/events")).answer(501);
    assert.equal(model.status.state, "waiting");
    await (await fixture.server.next("/diff")).refuse(400, "bad-query");
    assert.equal(model.status.state, "polling");
    const poll = await fixture.server.next("/diff");
    assert.equal(poll.query.wait, undefined);
    await poll.answer(200, diff(r1, r2));
    assert.deepEqual(rowIds(model), ["a", "b"]);
    assert.equal(model.status.state, "resting");
    await fixture.clock.advance(3000);
    await (await fixture.server.next("/diff")).answer(204);
  });

  test("is left where something else than a stream comes", async () => {
    const fixture = new Fixture();
    await fixture.opened(r1);
    await (await fixture.server.next("/events")).answer(200, "a proxy's page");
    await fixture.server.next("/diff");
  });

  test("is left where a proxy keeps the stream to itself", async () => {
    const fixture = new Fixture();
    const { model } = await fixture.opened(r1);
    for (let attempt = 0; attempt < 2; attempt++) {
      await (await fixture.server.next("/events")).stream();
      assert.equal(model.status.state, "connecting");
      await fixture.clock.advance(15_000 + 1000);
    }
    await fixture.server.next("/diff");
    assert.equal(model.status.transport, "longPoll");
  });

  test("is kept where the server is away, which says nothing of the transport", async () => {
    const { fixture, model, stream } = await listening();
    await stream.cut();
    for (let attempt = 0; attempt < 9; attempt++) {
      await fixture.clock.advance(15_000);
      await (await fixture.server.next("/events")).fail();
    }
    assert.equal(model.status.transport, "events");
  });

  test("is tried again later, and later still where it fails again", async () => {
    const fixture = new Fixture();
    const { model } = await fixture.opened(r1);
    await (await fixture.server.next("/events")).answer(501);
    const poll = await fixture.server.next("/diff");
    await fixture.clock.advance(29_999);
    assert.ok(!poll.isAborted);
    await fixture.clock.advance(1);
    assert.ok(poll.isAborted);
    await (await fixture.server.next("/events")).answer(501);
    const second = await fixture.server.next("/diff");
    await fixture.clock.advance(45_000);
    await second.answer(204, undefined, { "View-Revision": "r1" });
    await fixture.server.next("/diff");
    await fixture.clock.advance(15_000);
    const stream = await (await fixture.server.next("/events")).stream();
    await stream.open();
    assert.equal(model.status.state, "listening");
    assert.equal(model.status.transport, "events");
  });

  test("is tried again in the next attempt where its time came during a back-off", async () => {
    const fixture = new Fixture();
    await fixture.opened(r1);
    await (await fixture.server.next("/events")).answer(501);
    const poll = await fixture.server.next("/diff");
    await poll.refuse(503, "too-many-waiting", { "Retry-After": "60" });
    await fixture.clock.advance(61_000);
    await fixture.server.next("/events");
  });

  test("is on trial when it is tried again: one silence is enough", async () => {
    const fixture = new Fixture();
    const { model } = await fixture.opened(r1);
    await (await fixture.server.next("/events")).answer(501);
    await fixture.server.next("/diff");
    await fixture.clock.advance(30_000);
    await fixture.server.next("/events");
    await fixture.clock.advance(15_000 + 1000);
    await fixture.server.next("/diff");
    assert.equal(model.status.transport, "longPoll");
  });

  test("makes no loop of long polls that are answered at once", async () => {
    const fixture = new Fixture();
    const { model } = await fixture.opened(r1, { transports: ["longPoll"] });
    await (await fixture.server.next("/diff")).answer(204);
    assert.equal(model.status.state, "resting");
    assert.ok(await fixture.server.isIdle());
  });

  test("makes no loop of streams that end at once", async () => {
    const fixture = new Fixture();
    await fixture.opened(r1);
    const stream = await (await fixture.server.next("/events")).stream();
    await stream.open();
    await stream.end();
    assert.ok(await fixture.server.isIdle());
    await fixture.clock.advance(15_000);
    await fixture.server.next("/events");
  });
});

describe("An answer that is not for what is held", () => {
  test("is dropped: a snapshot that was asked for before a command's reply came", async () => {
    const { fixture, model, stream } = await listening();
    const sent = model.send({ type: "add" });
    const request = await fixture.server.next("/commands");
    assert.equal(request.query.since, "r1");
    await request.answer(202, { accepted: true, revision: "r2", diff: diff(r1, r2) });
    assert.equal((await sent).accepted, true);
    assert.deepEqual(rowIds(model), ["a", "b"]);
    // The stream tells of the same, which is nothing new, and goes on from there.
    await stream.event(diff(r1, r2));
    await stream.event(diff(r2, r3));
    assert.deepEqual(rowIds(model), ["b"]);
    assert.equal(model.status.state, "listening");
  });

  test("is dropped, and asked for again, where a stream has gone another way", async () => {
    const { fixture, model, told, stream } = await listening();
    const sent = model.send({ type: "add" });
    const request = await fixture.server.next("/commands");
    await request.answer(202, { accepted: true, revision: "r2", diff: diff(r1, r2) });
    await sent;
    await stream.event(diff(r1, r3));
    assert.deepEqual(rowIds(model), ["a", "b"]);
    assert.equal((await fixture.server.next("/events")).query.since, "r2");
    assert.deepEqual(told.diverged, []);
  });

  test("is dropped: a reply that comes after the stream has told of more", async () => {
    const { fixture, model, told, stream } = await listening();
    const sent = model.send({ type: "add" });
    const request = await fixture.server.next("/commands");
    await stream.event(diff(r1, r2));
    await stream.event(diff(r2, r3));
    await request.answer(202, { accepted: true, revision: "r2", diff: diff(r1, r2) });
    await sent;
    assert.equal(model.snapshot.revision, "r3");
    assert.equal(told.change.length, 3);
  });

  test("is dropped: a whole view model that a stream sends late", async () => {
    const { fixture, model, stream } = await listening();
    const sent = model.send({ type: "add" });
    await (
      await fixture.server.next("/commands")
    ).answer(202, { accepted: true, revision: "r3", diff: diff(r1, r3) });
    await sent;
    await stream.event(r2);
    assert.equal(model.snapshot.revision, "r3");
    assert.equal((await fixture.server.next("/events")).query.since, "r3");
  });

  test("is dropped: the word that nothing is new since a revision that was left", async () => {
    const fixture = new Fixture();
    const { model, told } = await fixture.opened(r1, { transports: ["poll"] });
    const poll = await fixture.server.next("/diff");
    const sent = model.send({ type: "add" });
    const request = await fixture.server.next("/commands");
    await request.answer(202, { accepted: true, revision: "r2", diff: diff(r1, r2) });
    await sent;
    await poll.answer(204, undefined, { "View-Revision": "n1" });
    assert.equal(model.snapshot.revision, "r2");
    assert.deepEqual(told.advanced, []);
  });

  test("is not waited for: a long poll is asked anew when a command moves on", async () => {
    const fixture = new Fixture();
    const { model } = await fixture.opened(r1, { transports: ["longPoll"] });
    const poll = await fixture.server.next("/diff");
    const sent = model.send({ type: "add" });
    await (
      await fixture.server.next("/commands")
    ).answer(202, { accepted: true, revision: "r2", diff: diff(r1, r2) });
    await sent;
    assert.ok(poll.isAborted);
    assert.equal((await fixture.server.next("/diff")).query.since, "r2");
  });
});

describe("A divergence", () => {
  const wrong = { ...diff(r1, r2), digest: "1" };

  test("is told, and the whole view model loaded anew", async () => {
    const { fixture, model, told, stream } = await listening();
    await stream.event(wrong);
    assert.equal(told.diverged[0].error.code, "digest");
    assert.deepEqual(rowIds(model), ["a"], "what is shown stays");
    const request = await fixture.server.next("/profile/1");
    await request.answer(200, r2);
    assert.deepEqual(rowIds(model), ["a", "b"]);
    assert.equal(model.snapshot.sections[0].rows[0], told.change[0].after.sections[0].rows[0]);
    await fixture.server.next("/events");
  });

  test("of the whole view model too makes no loop", async () => {
    const { fixture, model, stream } = await listening();
    await stream.event(wrong);
    await (await fixture.server.next("/profile/1")).answer(200, { ...r2, digest: "1" });
    assert.equal(model.status.state, "backingOff");
    assert.ok(await fixture.server.isIdle());
    await fixture.clock.advance(2000);
    await (await fixture.server.next("/profile/1")).answer(200, r2);
    assert.deepEqual(rowIds(model), ["a", "b"]);
  });

  test("in a command's reply is told and mended", async () => {
    const { fixture, model, told } = await listening();
    const sent = model.send({ type: "add" });
    await (
      await fixture.server.next("/commands")
    ).answer(202, { accepted: true, revision: "r2", diff: wrong });
    assert.equal((await sent).accepted, true);
    assert.equal(told.diverged.length, 1);
    await (await fixture.server.next("/profile/1")).answer(200, r2);
    assert.deepEqual(rowIds(model), ["a", "b"]);
  });
});

describe("A server that was restarted", () => {
  test("costs no reset where its content is the same", async () => {
    const { fixture, model, told, stream } = await listening();
    await stream.cut();
    await fixture.clock.advance(1000);
    const request = await fixture.server.next("/events");
    assert.equal(request.query.have, r1.digest);
    const second = await request.stream();
    await second.open();
    // The server knows the content by its digest, and answers in the client's own words.
    await second.event({ ...diff(r1, r2), revision: "n1" });
    assert.equal(model.snapshot.revision, "n1");
    assert.equal(told.change.at(-1).kind, "diff");
  });

  test("tells a poll the new name of what is held", async () => {
    const fixture = new Fixture();
    const { model, told } = await fixture.opened(r1, { transports: ["longPoll"] });
    await (await fixture.server.next("/diff")).answer(204, undefined, { "View-Revision": "n0" });
    assert.deepEqual(told.advanced, [{ from: "r1", to: "n0" }]);
    assert.equal(model.snapshot.revision, "n0");
    assert.equal((await fixture.server.next("/diff")).query.since, "n0");
  });

  test("sends a reset where its content is another", async () => {
    const { told, stream, model } = await listening();
    await stream.event({ ...snapshot("n0", ["z"]), kind: "reset", reason: "epoch-changed" });
    assert.deepEqual(rowIds(model), ["z"]);
    assert.equal(told.change.at(-1).reason, "epoch-changed");
    assert.equal(told.change.at(-1).diff, null);
  });
});
