import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { contentHash } from "../../Public/viewdelta/content-hash.js";
import { diff, snapshot } from "./support/documents.js";
import { Fixture, rowIds, subtle } from "./support/fixture.js";
import { listening, r1, r2, r3 } from "./support/listening.js";

describe("An answer for another revision than the held one", () => {
  test("is dropped: the event of a change that the reply to a command has brought", async () => {
    const { fixture, model, stream } = await listening();
    assert.equal((await fixture.command(model, diff(r1, r2))).accepted, true);
    assert.deepEqual(rowIds(model), ["a", "b"]);
    // The stream sends the same revision, which is not new, and continues from it.
    await stream.event(diff(r1, r2));
    await stream.event(diff(r2, r3));
    assert.deepEqual(rowIds(model), ["b"]);
    assert.equal(model.status.state, "listening");
  });

  test("is dropped, and requested again, if a stream has sent another revision", async () => {
    const { fixture, model, told, stream } = await listening();
    await fixture.command(model, diff(r1, r2));
    await stream.event(diff(r1, r3));
    assert.deepEqual(rowIds(model), ["a", "b"]);
    assert.equal((await fixture.server.next("/events")).query.since, "r2");
    assert.deepEqual(told.diverged, []);
  });

  test("is dropped: the diff of a reply if another change came in between, and asked for before it is given", async () => {
    const { fixture, model, told, stream } = await listening();
    const r4 = snapshot("r4", ["a", "b", "mine"]);
    let held = null;
    const sent = model.send({ type: "add" }).then(() => (held = model.snapshot.revision));
    const request = await fixture.server.next("/commands");
    await stream.event(diff(r1, r2));
    await request.answer(200, { accepted: true, revision: "r4", diff: diff(r1, r4) });
    assert.equal(held, null);
    const question = await fixture.server.next("/diff");
    assert.deepEqual([question.query, question.headers.get("Prefer")], [{ since: "r2" }, "return=diff"]);
    await question.answer(200, diff(r2, r4));
    await sent;
    assert.deepEqual([held, told.change.at(-1).via], ["r4", "poll"]);
    await stream.event(diff(r2, r4));
    assert.equal(model.status.state, "listening");
    assert.ok(await fixture.server.isIdle());
  });

  test("is dropped, and neither a poll that waits nor the question what came in between outlives it", async () => {
    const fixture = new Fixture({ transports: ["longPoll"] });
    const { model } = await fixture.opened(r1);
    const sent = model.send({ type: "add" });
    const [poll, command] = [await fixture.server.next("/diff"), await fixture.server.next("/commands")];
    await poll.answer(200, diff(r1, r2));
    const waits = await fixture.server.next("/diff");
    await command.answer(200, { accepted: true, revision: "r4", diff: diff(r1, snapshot("r4", ["c"])) });
    const question = await fixture.server.next("/diff");
    assert.deepEqual([waits.isAborted, question.isAborted], [false, false]);
    model.close();
    assert.deepEqual([waits.isAborted, question.isAborted], [true, true]);
    assert.equal((await sent).revision, "r4");
  });

  test("is dropped, and the reply is given all the same if nobody says what came in between", async () => {
    const { fixture, model, stream } = await listening();
    const sent = model.send({ type: "add" });
    const request = await fixture.server.next("/commands");
    await stream.event(diff(r1, r2));
    await request.answer(200, { accepted: true, revision: "r4", diff: diff(r1, snapshot("r4", ["c"])) });
    await (await fixture.server.next("/diff")).fail();
    assert.equal((await sent).revision, "r4");
    assert.ok(await fixture.server.isIdle());
  });

  test("is asked for three times if others come in between each time, and the reply is given then", async () => {
    const { fixture, model, stream } = await listening();
    const others = [r1, ...["s1", "s2", "s3", "s4"].map((revision) => snapshot(revision, [revision]))];
    const change = (number) => stream.event(diff(others[number], others[number + 1]));
    const mine = snapshot("r9", ["mine"]);
    const sent = model.send({ type: "add" });
    const request = await fixture.server.next("/commands");
    await change(0);
    await request.answer(200, { accepted: true, revision: "r9", diff: diff(r1, mine) });
    for (const number of [1, 2, 3]) {
      const question = await fixture.server.next("/diff");
      await change(number);
      await question.answer(200, diff(others[number], mine));
    }
    assert.ok(await fixture.server.isIdle());
    assert.equal((await sent).revision, "r9");
  });

  test("is no gap if the replies to commands have passed it: the stream goes on", async () => {
    const { fixture, model, stream } = await listening();
    for (const [before, after] of [[r1, r2], [r2, r3]]) {
      await fixture.command(model, diff(before, after));
    }
    await stream.event(diff(r1, r2));
    assert.equal(model.snapshot.revision, "r3");
    await stream.event(diff(r2, r3));
    await stream.event(diff(r3, { ...r1, revision: "r4" }));
    assert.equal(model.snapshot.revision, "r4");
    assert.ok(await fixture.server.isIdle());
  });

  test("is dropped without a back-off if each time the reply to a command has moved the held one", async () => {
    const { fixture, model, told, stream } = await listening();
    let [held, next] = [r1, stream];
    for (const number of [1, 2, 3]) {
      // The reply has the name of a change that cannot be seen, and the stream begins before it.
      const renamed = { ...held, revision: `i${number}` };
      await fixture.command(model, diff(held, renamed), false);
      await next.event(diff(held, snapshot(`v${number}`, ["a", "b"])));
      assert.equal(model.status.state, "connecting");
      const request = await fixture.server.next("/events");
      assert.equal(request.query.since, renamed.revision);
      next = await request.stream();
      await next.send(`retry: 1000\nid: ${renamed.revision}\n\n`);
      held = renamed;
    }
    assert.deepEqual(told.problem, []);
  });

  test("is no gap if the stream has brought its name before, for the same content", async () => {
    const { fixture, model, told, stream } = await listening();
    const sent = model.send({ type: "nothing" });
    const request = await fixture.server.next("/commands");
    await stream.send("id: n1\n\n");
    const reply = { accepted: false, revision: "n1", diff: diff(r1, { ...r1, revision: "n1" }) };
    await request.answer(200, reply);
    await sent;
    assert.deepEqual(told.advanced.map(({ to }) => to), ["r1", "n1"]);
    assert.ok(await fixture.server.isIdle());
  });

  test("is no news if it names the held revision", async () => {
    const fixture = new Fixture({ transports: ["longPoll"] });
    const { model, told } = await fixture.opened(r1);
    for (const state of ["waiting", "resting"]) {
      await (await fixture.server.next("/diff")).answer(204, undefined, { "View-Revision": "r1" });
      assert.equal(model.status.state, state);
    }
    assert.equal(told.advanced.length, 1);
    assert.ok(await fixture.server.isIdle());
  });

  test("is dropped: a reply that comes after a newer revision of the stream", async () => {
    const { fixture, model, told, stream } = await listening();
    const sent = model.send({ type: "add" });
    const request = await fixture.server.next("/commands");
    await stream.event(diff(r1, r2));
    await stream.event(diff(r2, r3));
    await request.answer(202, { accepted: true, revision: "r2", diff: diff(r1, r2) });
    await sent;
    assert.equal(model.snapshot.revision, "r3");
    assert.equal(told.change.length, 3);
    assert.ok(await fixture.server.isIdle(), "its change has come before");
  });

  test("is dropped: a late snapshot of a stream", async () => {
    const { fixture, model, stream } = await listening();
    await fixture.command(model, diff(r1, r3));
    await stream.event(r2);
    assert.equal(model.snapshot.revision, "r3");
    assert.equal((await fixture.server.next("/events")).query.since, "r3");
  });

  test("is dropped: a 204 for a previous revision", async () => {
    const fixture = new Fixture();
    const { model, told } = await fixture.opened(r1, { transports: ["poll"] });
    const poll = await fixture.server.next("/diff");
    await fixture.command(model, diff(r1, r2));
    await poll.answer(204, undefined, { "View-Revision": "n1" });
    assert.equal(model.snapshot.revision, "r2");
    assert.deepEqual(told.advanced.map(({ to }) => to), ["r1", "r2"]);
  });

  test("is not awaited: a long poll is sent again if a command changes the revision", async () => {
    const fixture = new Fixture();
    const { model } = await fixture.opened(r1, { transports: ["longPoll"] });
    const poll = await fixture.server.next("/diff");
    await fixture.command(model, diff(r1, r2));
    assert.ok(poll.isAborted);
    assert.equal((await fixture.server.next("/diff")).query.since, "r2");
  });
});

test("A diff to another revision with the same content is a new revision, and no change", async () => {
  const { model, told, stream } = await listening();
  await stream.event(diff(r1, { ...r1, revision: "r2" }));
  assert.equal(model.snapshot.revision, "r2");
  assert.deepEqual(told.advanced.at(-1), { from: "r1", to: "r2", change: null });
  assert.deepEqual(told.change.map(({ kind }) => kind), ["snapshot"]);
  await stream.event(diff({ ...r1, revision: "r2" }, r3));
  assert.deepEqual(rowIds(model), ["b"]);
});

describe("A divergence", () => {
  const wrong = { ...diff(r1, r2), digest: "1" };

  test("is reported, and the whole view model is loaded again", async () => {
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

  test("of the whole view model causes no loop, and leaves what is shown out of date", async () => {
    const { fixture, model, stream } = await listening();
    await stream.event(wrong);
    assert.deepEqual([model.status.state, model.status.isProven], ["loading", true], "it is repaired at once");
    await (await fixture.server.next("/profile/1")).answer(200, { ...r2, digest: "1" });
    assert.deepEqual([model.status.state, model.status.isProven], ["backingOff", false]);
    assert.ok(await fixture.server.isIdle());
    await fixture.clock.advance(2000);
    await (await fixture.server.next("/profile/1")).answer(200, r2);
    assert.deepEqual(rowIds(model), ["a", "b"]);
  });

  test("of each stream while the snapshot is right causes fewer and fewer loads", async () => {
    const { fixture, model, stream } = await listening();
    const end = fixture.clock.now() + 10_000;
    let loads = 0;
    for (let next = stream; fixture.clock.now() < end; loads++) {
      await next.event(wrong);
      if (loads > 0) {
        assert.equal(model.status.state, "backingOff");
        await fixture.clock.advance(model.status.retryAt - fixture.clock.now());
      }
      await (await fixture.server.next("/profile/1")).answer(200, r1);
      next = await (await fixture.server.next("/events")).stream();
      await next.send("retry: 1000\nid: r1\n\n");
      assert.equal(model.status.state, "listening");
    }
    assert.ok(loads < 10, `${loads} loads`);
  });

  test("that was repaired by a diff does not delay the next load", async () => {
    const { fixture, stream } = await listening();
    await stream.event(wrong);
    await (await fixture.server.next("/profile/1")).answer(200, r1);
    const next = await (await fixture.server.next("/events")).stream();
    await next.event(diff(r1, r2));
    await next.event({ ...diff(r2, r3), digest: "1" });
    await fixture.server.next("/profile/1");
  });

  test("in the reply to each command causes fewer and fewer loads", async () => {
    const { fixture, model } = await listening();
    await fixture.command(model, wrong);
    await (await fixture.server.next("/profile/1")).answer(200, r1);
    await (await fixture.server.next("/events")).stream();
    await fixture.command(model, wrong);
    assert.equal(model.status.state, "backingOff");
    assert.ok(await fixture.server.isIdle());
  });

  test("in the reply to a command between two polls is repaired at once", async () => {
    const fixture = new Fixture({ transports: ["poll"] });
    const { model } = await fixture.opened(r1);
    await (await fixture.server.next("/diff")).answer(204);
    assert.equal(model.status.state, "resting");
    await fixture.command(model, wrong);
    await (await fixture.server.next("/profile/1")).answer(200, r2);
    assert.deepEqual(rowIds(model), ["a", "b"]);
  });

  test("in the reply to a command is reported and repaired", async () => {
    const { fixture, model, told } = await listening();
    assert.equal((await fixture.command(model, wrong)).accepted, true);
    assert.equal(told.diverged.length, 1);
    await (await fixture.server.next("/profile/1")).answer(200, r2);
    assert.deepEqual(rowIds(model), ["a", "b"]);
  });
});

describe("A server that was restarted", () => {
  test("causes no reset if its content is the same", async () => {
    const { fixture, model, told, stream } = await listening();
    await stream.send("id: r1\n\n");
    await stream.cut();
    await fixture.clock.advance(1000);
    const request = await fixture.server.next("/events");
    assert.equal(request.query.have, await contentHash(r1, subtle));
    const second = await request.stream();
    await second.open();
    // The server recognises the content by its hash and keeps the client's name for it.
    await second.event({ ...diff(r1, r2), revision: "n1" });
    assert.equal(model.snapshot.revision, "n1");
    assert.equal(told.change.at(-1).kind, "diff");
  });

  test("gets only the revision from a page without cryptography", async () => {
    const fixture = new Fixture({ subtle: null, transports: ["longPoll"] });
    await fixture.opened(r1);
    await (await fixture.server.next("/diff")).fail();
    await fixture.clock.advance(1000);
    assert.deepEqual((await fixture.server.next("/diff")).query, { since: "r1" });
  });

  test("gets the hash after a request without an answer, but not after a command", async () => {
    const fixture = new Fixture({ transports: ["longPoll"] });
    const { model } = await fixture.opened(r1);
    assert.equal((await fixture.server.next("/diff")).query.have, undefined);
    await fixture.command(model, diff(r1, r2));
    const poll = await fixture.server.next("/diff");
    assert.deepEqual(poll.query, { since: "r2" });
    await poll.fail();
    await fixture.clock.advance(1000);
    const again = await fixture.server.next("/diff");
    assert.equal(again.query.have, await contentHash(r2, subtle));
  });

  test("sends the new name of the held revision in the first block of a stream", async () => {
    const { fixture, model, told, stream } = await listening();
    await stream.cut();
    await fixture.clock.advance(1000);
    const second = await (await fixture.server.next("/events")).stream();
    await second.send("retry: 1000\nid: n0\n\n");
    assert.deepEqual(told.advanced.at(-1), { from: "r1", to: "n0", change: null });
    await second.event(diff({ ...r1, revision: "n0" }, { ...r2, revision: "n1" }));
    assert.equal(model.snapshot.revision, "n1");
  });

  test("sends the new name of the held revision in the answer to a poll", async () => {
    const fixture = new Fixture();
    const { model, told } = await fixture.opened(r1, { transports: ["longPoll"] });
    await (await fixture.server.next("/diff")).answer(204, undefined, { "View-Revision": "n0" });
    assert.deepEqual(told.advanced.at(-1), { from: "r1", to: "n0", change: null });
    assert.equal(model.snapshot.revision, "n0");
    const poll = await fixture.server.next("/diff");
    assert.deepEqual([poll.query.since, poll.query.wait], ["n0", "20"]);
    await poll.answer(204, undefined, { "View-Revision": "n1" });
    assert.equal((await fixture.server.next("/diff")).query.since, "n1");
  });

  test("sends a reset if its content has changed", async () => {
    const { told, stream, model } = await listening();
    await stream.event({ ...snapshot("n0", ["z"]), kind: "reset", reason: "epoch-changed" });
    assert.deepEqual(rowIds(model), ["z"]);
    assert.equal(told.change.at(-1).reason, "epoch-changed");
    assert.equal(told.change.at(-1).diff, null);
  });
});
