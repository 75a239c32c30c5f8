import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { diff, seen, snapshot } from "./support/documents.js";
import { Fixture, rowIds } from "./support/fixture.js";
import { first, isAt, r1, r2, second, window } from "./support/windows.js";

describe("View models with windows on one connection", () => {
  const board = { ...snapshot("b1", ["x", "y"]), screen: "scoreboard/1" };
  const send = (stream, id, screens) => stream.send(`id: ${id}\ndata: ${JSON.stringify({ screens })}\n\n`);

  /** A list with a window and a whole view model. */
  async function shared(options) {
    const fixture = new Fixture(options);
    const screens = fixture.client.sync();
    const list = screens.add("profile/1", { window });
    const whole = screens.add("scoreboard/1");
    const loading = await fixture.server.next("/v1/sync");
    assert.deepEqual(loading.body.screens, { "profile/1": { window }, "scoreboard/1": {} });
    await loading.answer(200, { screens: { "profile/1": first, "scoreboard/1": board } });
    return { fixture, list, whole };
  }

  /** The same with an open stream. */
  async function streaming() {
    const { fixture, ...models } = await shared();
    const request = await fixture.server.next("/v1/events");
    assert.equal(
      request.target, "/v1/events?screen=profile%2F1&since=r1&window=0%2C2&screen=scoreboard%2F1&since=b1");
    const stream = await request.stream();
    await stream.send("retry: 1000\nid: r1,b1\n\n");
    return { fixture, ...models, request, stream };
  }

  test("are scrolled by a new stream, which goes on from the next window", async () => {
    const { fixture, list, whole, request } = await streaming();
    list.scroll({ start: 2 });
    assert.ok(request.isAborted);
    const again = await fixture.server.next("/v1/events");
    assert.match(again.target, /screen=profile%2F1&since=r1&window=0%2C2&next=2%2C2&screen=scoreboard%2F1&since=b1$/);
    const stream = await again.stream();
    await send(stream, "r1,b1", { "profile/1": diff(first, second) });
    isAt(list, 2, ["c", "d"]);
    const board2 = { ...snapshot("b2", ["y"]), screen: "scoreboard/1" };
    await send(stream, "r2,b2", { "profile/1": diff(second, seen(r2, 2, 2)), "scoreboard/1": diff(board, board2) });
    isAt(list, 2, ["c", "d2"]);
    assert.deepEqual(rowIds(whole), ["y"]);
    await stream.send("id: r3,b2\n\n");
    assert.equal(list.snapshot.revision, "r3");
    assert.ok(await fixture.server.isIdle());
  });

  test("are scrolled by a new poll", async () => {
    const { fixture, list } = await shared({ transports: ["longPoll"] });
    const proof = await fixture.server.next("/v1/sync");
    await proof.answer(204);
    const poll = await fixture.server.next("/v1/sync");
    list.scroll({ start: 2 });
    assert.ok(poll.isAborted);
    const again = await fixture.server.next("/v1/sync");
    const next = { start: 2, count: 2 };
    assert.deepEqual(again.body.screens["profile/1"], { since: "r1", window, next });
    await again.answer(200, { screens: { "profile/1": diff(first, second) } }, { "View-Revision": "r1,b1" });
    isAt(list, 2, ["c", "d"]);
    assert.deepEqual((await fixture.server.next("/v1/sync")).body.screens["profile/1"], { since: "r1", window: next });
  });

  test("are scrolled at once between two polls", async () => {
    const { fixture, list } = await shared({ transports: ["poll"] });
    await (await fixture.server.next("/v1/sync")).answer(204);
    assert.equal(list.status.state, "resting");
    list.scroll({ start: 2 });
    await (await fixture.server.next("/v1/sync")).answer(200, { screens: { "profile/1": diff(first, second) } });
    isAt(list, 2, ["c", "d"]);
  });

  test("are loaded again through the wanted window after a document that does not fit", async () => {
    const { fixture, list, stream } = await streaming();
    await send(stream, "r2,b1", { "profile/1": diff(first, seen(r2, 2, 2)) });
    const loading = await fixture.server.next("/v1/sync");
    assert.deepEqual(loading.body.screens["profile/1"], { window });
    list.scroll({ start: 2 });
    const again = await fixture.server.next("/v1/sync");
    assert.deepEqual(again.body.screens["profile/1"], { window: { start: 2, count: 2 } });
    await again.answer(200, { screens: { "profile/1": seen(r2, 2, 2) } });
    isAt(list, 2, ["c", "d2"]);
  });

  test("have no effect on the others once they are closed", async () => {
    const { list, whole, request } = await streaming();
    list.close();
    list.scroll({ start: 2 });
    assert.ok(!request.isAborted);
    assert.deepEqual(rowIds(whole), ["x", "y"]);
  });

  test("name the window also while the server cannot show the view model", async () => {
    const { fixture, list, stream } = await streaming();
    const problem = { kind: "problem", type: "x", title: "Failed", status: 500, code: "screen-failed" };
    await send(stream, "screen-failed,b1", { "profile/1": problem });
    list.scroll({ start: 2 });
    const again = await fixture.server.next("/v1/events");
    assert.match(again.target, /screen=profile%2F1&since=screen-failed&window=2%2C2&screen/);
    const next = await again.stream();
    await send(next, "r2,b1", { "profile/1": { ...seen(r2, 2, 2), kind: "reset", reason: "other-screen" } });
    isAt(list, 2, ["c", "d2"]);
  });
});
