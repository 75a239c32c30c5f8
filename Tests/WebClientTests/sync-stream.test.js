import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { diff, snapshot } from "./support/documents.js";
import { Fixture, rowIds } from "./support/fixture.js";
import { Locks } from "./support/locks.js";

const first = snapshot("r1", ["a"]);
const second = snapshot("r2", ["a", "b"]);
const board = { ...snapshot("b1", ["x"]), screen: "scoreboard/1" };
const board2 = { ...snapshot("b2", ["x", "y"]), screen: "scoreboard/1" };
const names = ["profile/1", "scoreboard/1"];
const gone = { kind: "problem", type: "x", title: "Gone", status: 410, code: "key-deleted" };
const failed = { ...gone, status: 500, code: "screen-failed" };

/** Sends an event with the documents of view models. */
const send = (stream, id, screens) =>
  stream.send(`id: ${id}\ndata: ${JSON.stringify({ screens })}\n\n`);

async function listening(options) {
  const fixture = new Fixture(options);
  const shared = fixture.client.sync(names);
  const [profile, scoreboard] = names.map((name) => shared.viewModels.get(name));
  const loading = await fixture.server.next("/v1/sync");
  await loading.answer(200, { screens: { "profile/1": first, "scoreboard/1": board } });
  const request = await fixture.server.next("/v1/events");
  const stream = await request.stream();
  await stream.send("retry: 1000\nid: r1,b1\n\n");
  return { fixture, shared, profile, scoreboard, request, stream };
}

describe("A stream of many view models", () => {
  test("names each with the held revision behind it, and updates all in one task", async () => {
    const { fixture, shared, profile, scoreboard, request, stream } = await listening();
    assert.equal(request.target, "/v1/events?screen=profile%2F1&since=r1&screen=scoreboard%2F1&since=b1");
    assert.equal(request.headers.get("Prefer"), "return=diff");
    assert.equal(shared.status.state, "listening");
    const seen = [];
    profile.addEventListener("change", ({ detail }) => {
      seen.push(detail.via);
      queueMicrotask(() => seen.push(rowIds(scoreboard)));
    });
    await send(stream, "r2,b2", { "profile/1": diff(first, second), "scoreboard/1": diff(board, board2) });
    assert.deepEqual(seen, ["events", ["x", "y"]]);
    assert.deepEqual(rowIds(profile), ["a", "b"]);
    assert.ok(await fixture.server.isIdle());
  });

  test("takes new names of what is held from its first block", async () => {
    const { fixture, profile, scoreboard, stream } = await listening();
    await stream.cut();
    await fixture.clock.advance(1000);
    const again = await fixture.server.next("/v1/events");
    assert.match(again.target, /have=.*have=/);
    const next = await again.stream();
    await next.send("retry: 1000\nid: n1,b1\n\n");
    assert.equal(profile.snapshot.revision, "n1");
    const renamed = { ...first, revision: "n1" };
    await send(next, "r2,b1", { "profile/1": diff(renamed, second) });
    assert.deepEqual([rowIds(profile), rowIds(scoreboard)], [["a", "b"], ["x"]]);
  });

  test("continues for the others if one does not exist, and ends with the last", async () => {
    const { profile, scoreboard, shared, request, stream } = await listening();
    const problems = [];
    profile.addEventListener("problem", ({ detail }) => problems.push(detail.error.code));
    await send(stream, "key-deleted,b1", { "profile/1": gone });
    assert.deepEqual(problems, ["key-deleted"]);
    assert.equal(profile.status.state, "gone");
    assert.equal(profile.snapshot.revision, "r1");
    await send(stream, "key-deleted,b2", { "scoreboard/1": diff(board, board2) });
    assert.deepEqual(rowIds(scoreboard), ["x", "y"]);
    assert.ok(!request.isAborted);
    // What is gone stays as it was until its owner asks for it again.
    await send(stream, "r2,b2", { "profile/1": diff(first, second) });
    assert.equal(profile.snapshot.revision, "r1");
    await send(stream, "key-deleted,key-deleted", { "scoreboard/1": gone });
    assert.equal(shared.status.state, "gone");
    assert.ok(request.isAborted);
  });

  test("tells itself and each view model why it broke", async () => {
    const { shared, profile, scoreboard, stream } = await listening();
    const told = [];
    for (const each of [profile, scoreboard, shared]) {
      each.addEventListener("problem", ({ detail }) => told.push(String(detail.error)));
    }
    await stream.cut();
    assert.deepEqual(told, Array(3).fill("TypeError: network error"));
  });

  test("is refused without a poll, unless that can tell which screen is unknown", async () => {
    const { fixture, shared, stream } = await listening();
    await stream.cut();
    await fixture.clock.advance(1000);
    await (await fixture.server.next("/v1/events")).refuse(503, "too-many-waiting");
    assert.equal(shared.status.state, "backingOff");
    assert.ok(await fixture.server.isIdle());
  });

  test("is not asked for once all view models are closed", async () => {
    const { fixture, profile, scoreboard, shared, stream } = await listening();
    for (const model of [profile, scoreboard]) model.close();
    await stream.cut();
    await fixture.clock.advance(1000);
    assert.ok(await fixture.server.isIdle());
    assert.equal(shared.status.state, "gone");
  });

  test("is not asked for if all view models were closed while the page was hidden", async () => {
    const { fixture, profile, scoreboard, shared } = await listening();
    await fixture.setVisibility("hidden");
    await fixture.clock.advance(2_000);
    assert.equal(shared.status.state, "suspended");
    for (const model of [profile, scoreboard]) model.close();
    await fixture.setVisibility("visible");
    assert.ok(await fixture.server.isIdle());
    assert.equal(shared.status.state, "gone");
  });

  test("shows a view model again that the server could not show for a while", async () => {
    const { profile, scoreboard, request, stream } = await listening();
    const problems = [];
    profile.addEventListener("problem", ({ detail }) => problems.push(detail.error.code));
    const proofs = [];
    profile.addEventListener("status", ({ detail }) => proofs.push(detail.isProven));
    scoreboard.addEventListener("status", () => assert.fail("the connection is as it was"));
    await send(stream, "screen-failed,b1", { "profile/1": failed });
    assert.deepEqual([problems, profile.status.state], [["screen-failed"], "listening"]);
    // What is shown of it may be out of date.
    assert.deepEqual([profile.status.isProven, scoreboard.status.isProven], [false, true]);
    await send(stream, "screen-failed,b2", { "scoreboard/1": diff(board, board2) });
    assert.equal(profile.snapshot.revision, "r1");
    await send(stream, "r2,b2", { "profile/1": { ...second, kind: "reset", reason: "other-screen" } });
    assert.deepEqual([rowIds(profile), rowIds(scoreboard)], [["a", "b"], ["x", "y"]]);
    assert.deepEqual(proofs, [false, true]);
    assert.ok(!request.isAborted);
  });

  test("that is begun again leaves a view model unproven that the server still cannot show", async () => {
    const { fixture, profile, scoreboard, stream } = await listening();
    await send(stream, "screen-failed,b1", { "profile/1": failed });
    const told = [];
    profile.addEventListener("status", ({ detail }) => told.push(detail.isProven));
    await stream.cut();
    await fixture.clock.advance(1000);
    await (await (await fixture.server.next("/v1/events")).stream()).send("id: screen-failed,b1\n\n");
    assert.ok(scoreboard.status.isProven);
    assert.ok(told.length > 0 && !told.includes(true), "what is shown of it may be out of date");
  });

  test("loads only the diverged view model again", async () => {
    const { fixture, profile, scoreboard, stream } = await listening();
    const wrong = { ...diff(first, second), digest: "1" };
    await send(stream, "r2,b2", { "profile/1": wrong, "scoreboard/1": diff(board, board2) });
    assert.deepEqual([profile.snapshot.revision, scoreboard.snapshot.revision], ["r1", "b2"]);
    const request = await fixture.server.next("/v1/sync");
    assert.deepEqual(request.body, { screens: { "profile/1": {}, "scoreboard/1": { since: "b2" } } });
    await request.answer(200, { screens: { "profile/1": second } });
    assert.deepEqual([rowIds(profile), rowIds(scoreboard)], [["a", "b"], ["x", "y"]]);
    await fixture.server.next("/v1/events");
  });

  test("continues after a change that a command brought first, and begins again after a gap", async () => {
    const { fixture, profile, stream, request } = await listening();
    await fixture.command(profile, diff(first, second));
    await send(stream, "r2,b1", { "profile/1": diff(first, second) });
    assert.ok(!request.isAborted, "the same change is no gap");
    const third = snapshot("r3", ["b"]);
    await send(stream, "r3,b1", { "profile/1": diff(second, third) });
    assert.deepEqual(rowIds(profile), ["b"]);
    const fifth = { ...first, revision: "r5" };
    await send(stream, "r5,b1", { "profile/1": diff({ ...first, revision: "r4" }, fifth) });
    assert.deepEqual(rowIds(profile), ["b"]);
    assert.ok(request.isAborted);
  });

  test("begins again from the reply to a command if it has sent another revision", async () => {
    const { fixture, profile, stream, request } = await listening();
    await fixture.command(profile, diff(first, second));
    await send(stream, "r3,b1", { "profile/1": diff(first, snapshot("r3", ["b"])) });
    assert.deepEqual(rowIds(profile), ["a", "b"]);
    assert.ok(request.isAborted);
    assert.match((await fixture.server.next("/v1/events")).target, /screen=profile%2F1&since=r2&/);
  });

  test("that sends a wrong document each time loads the view model less and less often", async () => {
    const { fixture, shared, stream } = await listening();
    const wrong = { ...diff(first, second), digest: "1" };
    await send(stream, "r2,b1", { "profile/1": wrong });
    await (await fixture.server.next("/v1/sync")).answer(200, { screens: { "profile/1": first } });
    const again = await (await fixture.server.next("/v1/events")).stream();
    await again.comment();
    await fixture.clock.advance(10_000);
    // A position without a document does not prove that the next document fits.
    await again.send("retry: 1000\nid: r1,b1\n\n");
    await send(again, "r2,b1", { "profile/1": wrong });
    assert.equal(shared.status.state, "backingOff");
    assert.ok(await fixture.server.isIdle());
  });

  test("ends with the last view model that is closed or gone, and begins again with the next", async () => {
    const close = (each) => (opened) => opened[each].close();
    for (const leave of [close("profile"), ({ stream }) => send(stream, "gone,b1", { "profile/1": gone })]) {
      for (const leaveLast of [close("scoreboard"), ({ stream }) => send(stream, "r1,gone", { "scoreboard/1": gone })]) {
        const opened = await listening();
        const { fixture, shared, request } = opened;
        await leave(opened);
        assert.ok(!request.isAborted);
        await leaveLast(opened);
        assert.ok(request.isAborted);
        assert.equal(shared.status.state, "gone");
        shared.add("podcasts/1");
        assert.match((await fixture.server.next("/v1/events")).target, /screen=podcasts%2F1/);
      }
    }
  });

  test("begins again with a view model that is added", async () => {
    const { fixture, shared, request } = await listening();
    shared.add("podcasts/1");
    assert.ok(request.isAborted);
    const again = await fixture.server.next("/v1/events");
    assert.match(again.target, /[?&]screen=podcasts%2F1(&|$)/);
  });

  test("finds out which view model is of no screen, and begins again without it", async () => {
    const { fixture, shared, profile } = await listening();
    const unknown = shared.add("nothing/1");
    await (await fixture.server.next("/v1/events")).refuse(404, "unknown-screen");
    const poll = await fixture.server.next("/v1/sync");
    const problem = { ...gone, status: 404, code: "unknown-screen" };
    await poll.answer(200, { screens: { "nothing/1": problem } });
    const again = await fixture.server.next("/v1/events");
    assert.ok(!again.target.includes("nothing"));
    await (await again.stream()).send("retry: 1000\nid: r1,b1\n\n");
    assert.deepEqual([unknown.status.state, profile.status.state], ["gone", "listening"]);
  });

  test("leaves out the hashes that make its address too long, and is a poll if it still is", async () => {
    for (const [key, path] of [["k".repeat(20), "/v1/events"], ["k".repeat(80), "/v1/sync"]]) {
      const fixture = new Fixture();
      const many = Array.from({ length: 100 }, (_, number) => `profile/${key}${number}`);
      fixture.client.sync(many);
      const screens = Object.fromEntries(many.map((screen) => [screen, { ...first, screen }]));
      await (await fixture.server.next("/v1/sync")).answer(200, { screens });
      const request = await fixture.server.next(path);
      if (path === "/v1/sync") continue;
      await request.fail();
      await fixture.clock.advance(1000);
      const { target } = await fixture.server.next("/v1/events");
      assert.ok(target.length < 8192 && !target.includes("have="));
    }
  });

  test("becomes a poll on a server without it", async () => {
    const fixture = new Fixture();
    fixture.client.sync(names);
    const loading = await fixture.server.next("/v1/sync");
    await loading.answer(200, { screens: { "profile/1": first, "scoreboard/1": board } });
    await (await fixture.server.next("/v1/events")).answer(404);
    await fixture.server.next("/v1/sync");
  });

  test("takes one place, however many view models it has", async () => {
    const locks = new Locks();
    const { shared } = await listening({ locks, places: 1 });
    assert.equal(shared.status.transport, "events");
    assert.equal(locks.count, 1);
  });
});
