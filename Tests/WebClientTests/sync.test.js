import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { contentHash } from "../../Public/viewdelta/content-hash.js";
import { diff, snapshot } from "./support/documents.js";
import { Fixture, rowIds, subtle } from "./support/fixture.js";

const first = snapshot("r1", ["a"]);
const second = snapshot("r2", ["a", "b"]);
const board = { ...snapshot("b1", ["x"]), screen: "scoreboard/1" };
const names = ["profile/1", "scoreboard/1"];
const gone = { kind: "problem", type: "x", title: "Gone", status: 410, code: "key-deleted" };
const failed = { ...gone, status: 500, code: "screen-failed" };

async function waiting() {
  const fixture = new Fixture({ transports: ["longPoll"] });
  const poll = fixture.client.sync(names);
  const [profile, scoreboard] = names.map((name) => poll.viewModels.get(name));
  const request = await fixture.server.next("/v1/sync");
  assert.deepEqual(request.body, { screens: { "profile/1": {}, "scoreboard/1": {} } });
  await request.answer(200, { screens: { "profile/1": first, "scoreboard/1": board } });
  // The first poll does not wait, and proves that the server is there.
  const proof = await fixture.server.next("/v1/sync");
  assert.equal(proof.body.wait, undefined);
  await proof.answer(204);
  return { fixture, poll, profile, scoreboard };
}

describe("A sync poll", () => {
  test("updates all its view models by one request at a time", async () => {
    const { fixture, poll, profile, scoreboard } = await waiting();
    assert.deepEqual([rowIds(profile), rowIds(scoreboard)], [["a"], ["x"]]);
    const request = await fixture.server.next("/v1/sync");
    assert.deepEqual(request.body, { screens: { "profile/1": { since: "r1" }, "scoreboard/1": { since: "b1" } }, wait: 20 });
    assert.deepEqual([request.method, request.headers.get("Prefer")], ["POST", "return=diff"]);
    assert.equal(poll.status.state, "waiting");
    assert.equal(profile.status.state, "waiting");
    await request.answer(200, { screens: { "profile/1": diff(first, second) } });
    assert.deepEqual(rowIds(profile), ["a", "b"]);
    assert.equal((await fixture.server.next()).body.screens["profile/1"].since, "r2");
    assert.ok(await fixture.server.isIdle());
  });

  test("keeps the new name of a content that it has, and of no other", async () => {
    const { fixture, profile, scoreboard } = await waiting();
    await (await fixture.server.next()).answer(204, undefined, { "View-Revision": "r2,b1" });
    assert.equal(profile.snapshot.revision, "r2");
    const request = await fixture.server.next();
    assert.deepEqual(request.body.screens, { "profile/1": { since: "r2" }, "scoreboard/1": { since: "b1" } });
    const third = snapshot("r3", ["a", "b"]);
    const changed = { ...diff(first, third), from: "r2" };
    await request.answer(
      200,
      { screens: { "profile/1": changed } },
      // A proxy may add a space.
      { "View-Revision": "r3, b2" },
    );
    assert.deepEqual(rowIds(profile), ["a", "b"]);
    assert.equal(scoreboard.snapshot.revision, "b2");
  });

  test("keeps no name that is no revision, such as two that a proxy has joined", async () => {
    const { fixture, profile, scoreboard } = await waiting();
    await (await fixture.server.next()).answer(204, undefined, { "View-Revision": "r2 r2,b2" });
    assert.deepEqual([profile.snapshot.revision, scoreboard.snapshot.revision], ["r1", "b2"]);
  });

  test("continues for the others if one does not exist", async () => {
    const { fixture, profile, scoreboard, poll } = await waiting();
    const problems = [];
    profile.addEventListener("problem", ({ detail }) => problems.push(detail.error));
    const told = [];
    for (const model of [profile, scoreboard]) {
      model.addEventListener("status", ({ detail }) => told.push(`${model.name} ${detail.state}`));
    }
    await (await fixture.server.next()).answer(200, { screens: { "profile/1": gone } });
    assert.equal(problems[0].code, "key-deleted");
    assert.deepEqual(told, ["profile/1 gone"]);
    assert.deepEqual(profile.status, { ...scoreboard.status, state: "gone", isProven: false });
    assert.equal(scoreboard.status.state, "waiting");
    const rest = await fixture.server.next();
    assert.deepEqual(Object.keys(rest.body.screens), ["scoreboard/1"]);
    await rest.fail();
    assert.deepEqual(told, ["profile/1 gone", "scoreboard/1 backingOff"]);
    for (const again of [() => poll.add("profile/1"), () => profile.retry()]) {
      again();
      const request = await fixture.server.next();
      assert.deepEqual(Object.keys(request.body.screens), names);
      assert.equal(request.body.screens["profile/1"].since, "r1");
      await request.answer(200, { screens: { "profile/1": gone } });
      await fixture.server.next();
    }
  });

  test("leaves out a view model that is gone until its owner asks for it, even if the connection is cut", async () => {
    const { fixture, profile } = await waiting();
    await (await fixture.server.next()).answer(200, { screens: { "profile/1": gone } });
    await fixture.server.next();
    profile.drop();
    await fixture.clock.advance(1000);
    assert.deepEqual(Object.keys((await fixture.server.next()).body.screens), ["scoreboard/1"]);
  });

  test("reads the revisions of an answer in the order of the names, however it was opened", async () => {
    const fixture = new Fixture({ transports: ["longPoll"] });
    const poll = fixture.client.sync([...names].reverse());
    const loading = await fixture.server.next("/v1/sync");
    await loading.answer(200, { screens: { "profile/1": first, "scoreboard/1": board } });
    await (await fixture.server.next("/v1/sync")).answer(204, undefined, { "View-Revision": "r2,b2" });
    assert.deepEqual(names.map((name) => poll.viewModels.get(name).snapshot.revision), ["r2", "b2"]);
  });

  test("shows a view model again that the server could not show for a while", async () => {
    const { fixture, profile } = await waiting();
    const problems = [];
    profile.addEventListener("problem", ({ detail }) => problems.push(detail.error.code));
    await (await fixture.server.next()).answer(200, { screens: { "profile/1": failed } });
    assert.equal(profile.status.state, "waiting");
    const request = await fixture.server.next();
    // The server has the code in place of a revision, and does not repeat the problem.
    assert.deepEqual(request.body.screens, {
      "profile/1": { since: "screen-failed" },
      "scoreboard/1": { since: "b1" },
    });
    await fixture.clock.advance(20_000);
    await request.answer(204, undefined, { "View-Revision": "screen-failed,b1" });
    assert.equal(profile.snapshot.revision, "r1");
    const reset = { ...second, kind: "reset", reason: "other-screen" };
    await (await fixture.server.next()).answer(200, { screens: { "profile/1": reset } });
    assert.deepEqual(rowIds(profile), ["a", "b"]);
    assert.deepEqual((await fixture.server.next()).body.screens["profile/1"], { since: "r2" });
    assert.deepEqual(problems, ["screen-failed"]);
  });

  test("goes on at once behind a view model that the server could not show, and shows again as it was", async () => {
    const { fixture, profile } = await waiting();
    await (await fixture.server.next()).answer(200, { screens: { "profile/1": failed } });
    const reset = { ...first, kind: "reset", reason: "other-screen" };
    await (await fixture.server.next()).answer(200, { screens: { "profile/1": reset } });
    assert.deepEqual([profile.status.state, profile.status.isProven], ["waiting", true]);
    assert.deepEqual((await fixture.server.next()).body.screens["profile/1"], { since: "r1" });
  });

  test("reports the size of each document in bytes, as a command does", async () => {
    const { fixture, profile } = await waiting();
    const sizes = [];
    profile.addEventListener("change", ({ detail }) => sizes.push([detail.via, detail.bytes]));
    const fox = snapshot("r2", ["a", "🦊"]);
    const document = diff(first, fox);
    await (await fixture.server.next()).answer(200, { screens: { "profile/1": document } });
    const back = { ...diff(fox, second), revision: "r3" };
    const sent = profile.send({ type: "add" });
    await fixture.server.next("/v1/sync");
    const request = await fixture.server.next("/commands");
    await request.answer(202, { accepted: true, revision: "r3", diff: back });
    await sent;
    const size = (value) => Buffer.byteLength(JSON.stringify(value));
    assert.deepEqual(sizes, [["sync", size(document)], ["command", size(back)]]);
    assert.ok(size(document) > JSON.stringify(document).length);
  });

  test("loads only the diverged view model again", async () => {
    const { fixture, profile } = await waiting();
    const wrong = { ...diff(first, second), digest: "1" };
    await (await fixture.server.next()).answer(200, { screens: { "profile/1": wrong } });
    const request = await fixture.server.next();
    assert.deepEqual(request.body, { screens: { "profile/1": {}, "scoreboard/1": { since: "b1" } } });
    await request.answer(200, { screens: { "profile/1": second } });
    assert.deepEqual(rowIds(profile), ["a", "b"]);
    assert.equal((await fixture.server.next()).body.wait, 20);
  });

  test("loads a view model again whose change by a command diverges", async () => {
    const { fixture, profile } = await waiting();
    await fixture.server.next("/v1/sync");
    const sent = profile.send({ type: "add" });
    const wrong = { ...diff(first, second), digest: "1" };
    await (await fixture.server.next("/commands")).answer(202, { accepted: true, revision: "r2", diff: wrong });
    await sent;
    const request = await fixture.server.next("/v1/sync");
    assert.deepEqual(request.body.screens["profile/1"], {});
  });

  test("sends the hash of each content after a request without an answer", async () => {
    const { fixture } = await waiting();
    await (await fixture.server.next()).fail();
    await fixture.clock.advance(1000);
    const { screens } = (await fixture.server.next()).body;
    assert.deepEqual(screens, {
      "profile/1": { since: "r1", have: await contentHash(first, subtle) },
      "scoreboard/1": { since: "b1", have: await contentHash(board, subtle) },
    });
  });

  test("is sent again if a view model is added, removed, or changed by a command", async () => {
    const { fixture, poll, profile } = await waiting();
    const request = await fixture.server.next();
    poll.add("podcasts/1");
    assert.ok(request.isAborted);
    const joined = await fixture.server.next();
    assert.deepEqual(joined.body.screens["podcasts/1"], {});
    await fixture.command(profile, diff(first, second));
    assert.ok(joined.isAborted);
    const moved = await fixture.server.next();
    assert.equal(moved.body.screens["profile/1"].since, "r2");
    poll.viewModels.get("podcasts/1").close();
    assert.ok(!poll.viewModels.has("podcasts/1"));
    await moved.answer(200, { screens: { "podcasts/1": { ...board, screen: "podcasts/1" } } });
    assert.deepEqual(Object.keys((await fixture.server.next()).body.screens), names);
  });

  test("takes a view model that is added while the page is hidden once it is visible", async () => {
    for (const first of [["profile/1"], []]) {
      const fixture = new Fixture();
      const poll = fixture.client.sync(first);
      if (first.length > 0) await fixture.server.next("/sync");
      await fixture.setVisibility("hidden");
      await fixture.clock.advance(2_000);
      poll.add("scoreboard/1");
      assert.ok(await fixture.server.isIdle());
      assert.equal(poll.status.state, "suspended");
      await fixture.setVisibility("visible");
      let request = await fixture.server.next("/sync");
      while (request.isAborted) request = await fixture.server.next("/sync");
      assert.deepEqual(Object.keys(request.body.screens), [...first, "scoreboard/1"]);
    }
  });

  test("rests after an answer that comes within half of the wait, so that it does not loop", async () => {
    for (const [elapsed, state] of [[0, "resting"], [9_999, "resting"], [10_000, "waiting"]]) {
      const { fixture, poll } = await waiting();
      const request = await fixture.server.next();
      await fixture.clock.advance(elapsed);
      await request.answer(204);
      assert.equal(poll.status.state, state);
      assert.equal(await fixture.server.isIdle(), state === "resting");
    }
  });

  test("backs off if an answer is cut or is of something else, and gives no content its revision", async () => {
    for (const answer of [undefined, 1, { login: "required" }, { screens: 5 }]) {
      const { fixture, poll, profile } = await waiting();
      await (await fixture.server.next("/v1/sync")).answer(200, answer, { "View-Revision": "r2,b1" });
      assert.deepEqual([poll.status.state, poll.status.isProven], ["backingOff", false]);
      assert.equal(profile.snapshot.revision, "r1");
      assert.ok(await fixture.server.isIdle());
      await fixture.clock.advance(250);
      assert.equal((await fixture.server.next("/v1/sync")).body.screens["profile/1"].since, "r1");
    }
  });

  test("accepts a hundred view models and no more", async () => {
    const fixture = new Fixture();
    const poll = fixture.client.sync(Array.from({ length: 100 }, (_, key) => `profile/${key}`));
    await fixture.server.next("/v1/sync");
    assert.throws(() => poll.add("profile/x"), RangeError);
    assert.equal(poll.add("profile/99"), poll.viewModels.get("profile/99"));
  });

  test("continues without a view model that was closed", async () => {
    for (const close of [({ profile }) => profile.close(), ({ poll }) => poll.remove("profile/1")]) {
      const opened = await waiting();
      const { fixture, poll, profile, scoreboard } = opened;
      const request = await fixture.server.next();
      const states = [];
      profile.addEventListener("status", ({ detail }) => states.push(detail.state));
      close(opened);
      assert.deepEqual(states, ["closed"]);
      assert.equal(profile.status.state, "closed");
      assert.equal(profile.status.previous, "waiting");
      for (const act of [() => profile.retry(), () => profile.drop(), () => profile.close()]) {
        act();
        assert.ok(!request.isAborted);
        assert.equal(scoreboard.status.state, "waiting");
      }
      const again = poll.add("profile/1");
      assert.notEqual(again, profile);
      profile.close();
      assert.equal(poll.viewModels.get("profile/1"), again);
      assert.deepEqual(rowIds(profile), ["a"], "what is shown stays");
      assert.deepEqual(states, ["closed"]);
    }
  });

  test("closes its view models when it is closed", async () => {
    for (const close of [({ poll }) => poll.close(), ({ fixture }) => fixture.client.close()]) {
      const opened = await waiting();
      const { poll, profile, scoreboard } = opened;
      const refused = assert.rejects(profile.send({ type: "add" }), { name: "AbortError" });
      const told = [];
      poll.addEventListener("status", ({ detail }) => told.push(detail.state));
      close(opened);
      await refused;
      assert.deepEqual(told, ["closed"], "none is gone");
      const states = [poll, profile, scoreboard].map(({ status }) => status.state);
      assert.deepEqual(states, ["closed", "closed", "closed"]);
    }
  });

  test("opens nothing if it is refused", async () => {
    const fixture = new Fixture();
    const before = fixture.clock.pending;
    const many = Array.from({ length: 101 }, (_, key) => `profile/${key}`);
    assert.throws(() => fixture.client.sync(many), RangeError);
    assert.throws(() => fixture.client.sync(["profile/1", "profile"]), TypeError);
    assert.ok(await fixture.server.isIdle());
    assert.deepEqual(fixture.server.paths, []);
    assert.equal(fixture.clock.pending, before);
  });

  test("accepts a repeated name once", async () => {
    const fixture = new Fixture();
    const poll = fixture.client.sync(["profile/1", "profile/1"]);
    assert.deepEqual([...poll.viewModels.keys()], ["profile/1"]);
    const request = await fixture.server.next("/v1/sync");
    poll.add("profile/1");
    assert.ok(!request.isAborted);
  });

  test("asks for a former revision of one of its view models", async () => {
    const { fixture, profile } = await waiting();
    await fixture.server.next("/v1/sync");
    const asked = profile.at("r0");
    const request = await fixture.server.next("/profile/1");
    assert.deepEqual(request.query, { at: "r0" });
    await request.answer(200, first);
    assert.deepEqual(await asked, first);
  });

  test("can begin without view models, and has none to close then", async () => {
    const fixture = new Fixture();
    const poll = fixture.client.sync();
    poll.remove("profile/1");
    assert.ok(await fixture.server.isIdle());
    poll.add("profile/1");
    await fixture.server.next("/v1/sync");
    assert.equal(poll.status.state, "loading");
    poll.close();
    assert.ok(await fixture.server.isIdle());
  });
});
