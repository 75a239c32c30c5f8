import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { diff, snapshot } from "./support/documents.js";
import { Fixture } from "./support/fixture.js";
import { listening, r1, r2 } from "./support/listening.js";

/** Opens a view model with long polls, up to the first one that waits. */
async function waiting() {
  const fixture = new Fixture();
  const { model, told } = await fixture.opened(r1, { transports: ["longPoll"] });
  await (await fixture.server.next("/diff")).answer(204);
  return { fixture, model, told };
}

describe("An answer that repeats what is held", () => {
  test("to a long poll that has lost its query on the way does not make the client loop", async () => {
    const { fixture, model, told } = await waiting();
    await (await fixture.server.next("/diff")).answer(200, r1);
    assert.equal(model.status.state, "resting");
    assert.ok(await fixture.server.isIdle());
    await fixture.clock.advance(3000);
    await (await fixture.server.next("/diff")).answer(200, r1);
    await (await fixture.server.next("/diff")).answer(200, r1);
    assert.deepEqual([model.status.state, model.status.transport], ["resting", "poll"]);
    // A poll brings what is new all the same.
    await fixture.clock.advance(3000);
    await (await fixture.server.next("/diff")).answer(200, r2);
    assert.equal(model.snapshot.revision, "r2");
    assert.deepEqual([model.status.isProven, told.problem], [true, []]);
  });

  test("by servers that take turns and do not know of each other does not make the client loop", async () => {
    const { fixture, model } = await waiting();
    const reset = (/** @type {string} */ revision) => snapshot(revision, ["a"], { kind: "reset", reason: "epoch-changed" });
    await (await fixture.server.next("/diff")).answer(200, reset("other"));
    assert.equal(model.status.state, "waiting");
    await (await fixture.server.next("/diff")).answer(200, reset("r1"));
    assert.equal(model.status.state, "resting");
  });

  test("in a stream that ends at once counts as none", async () => {
    const { fixture, model, stream } = await listening();
    await stream.event(r1);
    await stream.end();
    assert.equal(model.status.state, "backingOff");
    assert.ok(await fixture.server.isIdle());
  });

  test("is no diff, after which the client asks again at once", async () => {
    const { fixture, model } = await waiting();
    await (await fixture.server.next("/diff")).answer(200, diff(r1, r2));
    assert.equal(model.status.state, "waiting");
    await fixture.server.next("/diff");
  });

  test("is no diff that the reply to a command has brought before", async () => {
    const { fixture, model, stream } = await listening();
    await fixture.command(model, diff(r1, r2));
    await stream.event(diff(r1, r2));
    await stream.end();
    assert.equal(model.status.state, "connecting");
    await fixture.server.next("/events");
  });

  test("by a cache that has a change and the whole before it does not make the client loop", async () => {
    const { fixture, model } = await waiting();
    // The second change does not fit, after which the whole is asked for at once.
    for (const body of [diff(r1, r2), diff(r1, r2)]) await (await fixture.server.next("/diff")).answer(200, body);
    await (await fixture.server.next("/profile/1")).answer(200, r1);
    await (await fixture.server.next("/diff")).answer(200, diff(r1, r2));
    assert.equal(model.status.state, "resting");
    assert.equal(model.snapshot.revision, "r2");
  });

  test("to polls of many, also by a cache, does not make the client loop", async () => {
    for (const rest of [[r1], [diff(r1, r2), diff(r1, r2), r1, diff(r1, r2)]]) {
      const fixture = new Fixture();
      const poll = fixture.client.sync(["profile/1"], { transports: ["longPoll"] });
      for (const body of [r1, null, ...rest]) {
        const request = await fixture.server.next("/v1/sync");
        await (body ? request.answer(200, { screens: { "profile/1": body } }) : request.answer(204));
      }
      assert.equal(poll.status.state, "resting");
      assert.ok(await fixture.server.isIdle());
    }
  });

  test("for one of many does not delay what follows the news of another", async () => {
    const fixture = new Fixture();
    const [b1, b2] = [r1, r2].map((document) => ({ ...document, screen: "scoreboard/1" }));
    const poll = fixture.client.sync(["profile/1", "scoreboard/1"], { transports: ["longPoll"] });
    for (const board of [b1, null, diff(b1, b2)]) {
      const screens = { "profile/1": r1, "scoreboard/1": board };
      const request = await fixture.server.next("/v1/sync");
      await (board ? request.answer(200, { screens }) : request.answer(204));
    }
    assert.equal(poll.viewModels.get("scoreboard/1")?.snapshot?.revision, "r2");
    assert.equal(poll.status.state, "waiting");
  });

  test("with a problem is told once and does not make the client loop", async () => {
    const fixture = new Fixture();
    const poll = fixture.client.sync(["profile/1"], { transports: ["longPoll"] });
    /** @type {string[]} */
    const told = [];
    poll.viewModels.get("profile/1")?.addEventListener("problem", ({ detail }) => told.push(detail.error.code));
    const problem = { kind: "problem", status: 500, code: "screen-failed", title: "Failed" };
    for (const document of [r1, problem, problem]) {
      await (await fixture.server.next("/v1/sync")).answer(200, { screens: { "profile/1": document } });
    }
    assert.equal(poll.status.state, "resting");
    assert.deepEqual(told, ["screen-failed"]);
  });

  test("in a stream of many that ends at once counts as none", async () => {
    const fixture = new Fixture();
    const poll = fixture.client.sync(["profile/1"]);
    await (await fixture.server.next("/v1/sync")).answer(200, { screens: { "profile/1": r1 } });
    const stream = await (await fixture.server.next("/v1/events")).stream();
    await stream.event({ revision: "r1", screens: { "profile/1": r1 } });
    await stream.end();
    assert.equal(poll.status.state, "backingOff");
    assert.ok(await fixture.server.isIdle());
  });
});
