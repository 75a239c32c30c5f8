import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "node:test";
import { ViewDelta } from "../../Public/viewdelta.js";
import { Fixture } from "./support/fixture.js";
import { listening, r1 } from "./support/listening.js";

describe("A page", () => {
  test("that is hidden has no connection until it is visible", async () => {
    const { fixture, model } = await listening();
    await fixture.setVisibility("hidden");
    await fixture.clock.advance(1_999);
    assert.equal(model.status.state, "listening");
    await fixture.clock.advance(1);
    assert.equal(model.status.state, "suspended");
    await fixture.clock.advance(3_600_000);
    assert.ok(await fixture.server.isIdle());
    await fixture.setVisibility("visible");
    assert.equal((await fixture.server.next("/events")).query.since, "r1");
  });

  test("that is shown after the clock was set back waits no longer than a busy server asks for", async () => {
    const fixture = new Fixture();
    const { model } = fixture.open();
    await (await fixture.server.next()).refuse(503, "away", { "Retry-After": "60" });
    await fixture.setVisibility("hidden");
    await fixture.clock.advance(3_000);
    fixture.clock.setBack(7_200_000);
    await fixture.setVisibility("visible");
    assert.equal(model.status.retryAt, fixture.clock.now() + 60_250);
    await fixture.clock.advance(60_250);
    await fixture.server.next();
  });

  test("that is hidden for a moment keeps its connection", async () => {
    const { fixture, model, stream } = await listening();
    await fixture.setVisibility("hidden");
    await fixture.clock.advance(1_000);
    await fixture.setVisibility("visible");
    for (let quarter = 0; quarter < 4; quarter++) {
      await stream.comment();
      await fixture.clock.advance(15_000);
    }
    assert.equal(model.status.state, "listening");
    assert.ok(await fixture.server.isIdle());
  });

  test("in the back-forward cache has no connection", async () => {
    const { fixture, model } = await listening();
    await fixture.windowEvent("pagehide");
    assert.equal(model.status.state, "suspended");
    await fixture.windowEvent("pageshow");
    await fixture.server.next("/events");
  });

  test("that is loaded in the background has no connection until it is visible", async () => {
    const { fixture, model } = await listening();
    await fixture.setVisibility("hidden");
    await fixture.clock.advance(2_000);
    await fixture.windowEvent("pageshow");
    assert.equal(model.status.state, "suspended");
    // Nor does a view model that is opened then.
    await fixture.windowEvent("online");
    const { model: other } = fixture.open({ transports: ["poll"] });
    assert.ok(await fixture.server.isIdle());
    assert.equal(other.status.state, "suspended");
    await fixture.setVisibility("visible");
    const paths = [(await fixture.server.next()).path, (await fixture.server.next()).path];
    assert.deepEqual(paths.map((path) => path.split("/").at(-1)).sort(), ["1", "events"]);
    // From now on it is like any other page.
    fixture.open({ transports: ["poll"] });
    assert.equal(other.status.state, "loading");
  });

  test("that is hidden has no connection for a view model that was gone and is opened again", async () => {
    const { fixture, model } = await listening();
    await fixture.setVisibility("hidden");
    await fixture.clock.advance(2_000);
    model.retry();
    await (await fixture.server.next("/events")).refuse(410, "key-deleted");
    assert.equal(model.status.state, "gone");
    fixture.open();
    assert.ok(await fixture.server.isIdle());
    assert.equal(model.status.state, "suspended");
  });

  test("that is hidden from its start has no connection after a moment", async () => {
    const fixture = new Fixture({ visibility: "hidden" });
    const { model } = await fixture.opened(r1);
    await (await fixture.server.next("/events")).stream();
    await fixture.clock.advance(2_000);
    assert.equal(model.status.state, "suspended");
  });

  test("whose client is closed is observed no longer", async () => {
    const { fixture } = await listening();
    await fixture.setVisibility("hidden");
    fixture.client.close();
    for (const type of ["visibilitychange", "freeze", "resume", "pagehide", "pageshow", "offline", "online"]) {
      const targets = [fixture.page, fixture.window];
      assert.deepEqual(targets.flatMap((target) => getEventListeners(target, type)), [], type);
    }
    assert.equal(fixture.clock.pending, 0);
  });

  test("that is frozen has no connection until it is resumed and visible", async () => {
    const { fixture, model } = await listening();
    await fixture.pageEvent("freeze");
    assert.equal(model.status.state, "suspended");
    fixture.page.visibilityState = "hidden";
    await fixture.pageEvent("resume");
    assert.equal(model.status.state, "suspended");
    await fixture.setVisibility("visible");
    await fixture.server.next("/events");
    await fixture.pageEvent("freeze");
    await fixture.pageEvent("resume");
    await fixture.server.next("/events");
  });

  test("that is offline retries now and then, and at once when it is online", async () => {
    const { fixture, model } = await listening();
    await fixture.windowEvent("offline");
    assert.deepEqual([model.status.state, model.status.retryAt], ["offline", fixture.clock.now() + 15_000]);
    await fixture.clock.advance(14_999);
    assert.ok(await fixture.server.isIdle());
    await fixture.clock.advance(1);
    await (await fixture.server.next("/events")).fail();
    assert.equal(model.status.state, "backingOff");
    await fixture.windowEvent("online");
    await fixture.server.next("/events");
  });

  test("that is loaded offline says so once an attempt has failed, and retries at once when it is online", async () => {
    const fixture = new Fixture();
    const navigator = { onLine: false };
    Object.assign(fixture.window, { navigator });
    const { model, told } = fixture.open();
    await (await fixture.server.next("/profile/1")).fail();
    assert.equal(model.status.state, "offline");
    await fixture.clock.advance(15_000);
    await (await fixture.server.next("/profile/1")).fail();
    assert.equal(model.status.state, "offline");
    assert.ok(told.status.every(({ state }) => state !== "backingOff"));
    navigator.onLine = true;
    await fixture.windowEvent("online");
    await (await fixture.server.next("/profile/1")).fail();
    assert.equal(model.status.state, "backingOff");
  });

  test("that is offline, but whose server refuses it, tells the refusal", async () => {
    const fixture = new Fixture();
    Object.assign(fixture.window, { navigator: { onLine: false } });
    const { model } = fixture.open();
    await (await fixture.server.next("/profile/1")).refuse(403, "cross-site");
    assert.equal(model.status.state, "backingOff");
  });

  test("that is offline follows a server on the same machine", async () => {
    const fixture = new Fixture();
    Object.assign(fixture.window, { navigator: { onLine: false } });
    const { model } = await fixture.opened(r1);
    assert.equal(model.status.state, "connecting");
  });

  test("that becomes visible during a back-off retries at once", async () => {
    const { fixture, model, stream } = await listening();
    await stream.cut();
    assert.equal(model.status.state, "backingOff");
    await fixture.setVisibility("visible");
    await fixture.server.next("/events");
  });

  test("of a machine that has slept reconnects, because its stream may be dead", async () => {
    const { fixture, model } = await listening();
    for (let night = 0; night < 2; night++) {
      fixture.clock.jump(30_000);
      await fixture.clock.advance(1000);
      assert.deepEqual([model.status.state, model.status.event], ["connecting", "woke"]);
      const request = await fixture.server.next("/events");
      assert.equal(request.query.since, "r1");
      await (await request.stream()).open();
    }
  });

  test("whose timers were slow while it was hidden has not slept", async () => {
    const { fixture, model, stream } = await listening();
    await fixture.setVisibility("hidden");
    fixture.clock.jump(30_000);
    await stream.comment();
    await fixture.setVisibility("visible");
    await fixture.clock.advance(5_000);
    assert.equal(model.status.state, "listening");
  });

  test("whose timers are slow while it is hidden keeps the connection that its owner has asked for then", async () => {
    const { fixture, model } = await listening();
    await fixture.setVisibility("hidden");
    await fixture.clock.advance(2_000);
    assert.equal(model.status.state, "suspended");
    model.retry();
    const stream = await (await fixture.server.next("/events")).stream();
    await stream.open();
    fixture.clock.jump(30_000);
    await stream.comment();
    await fixture.clock.advance(5_000);
    assert.equal(model.status.state, "listening");
  });

  test("whose clock has not jumped has not slept", async () => {
    const { fixture, model } = await listening();
    await fixture.clock.advance(19_000);
    assert.equal(model.status.state, "listening");
  });
});

test("A client with nothing open does not keep a program in Node.js running", () => {
  /** @type {NodeJS.Timeout[]} */
  const timers = [];
  const client = new ViewDelta({
    base: "http://server",
    environment: {
      setTimeout: (action, milliseconds) => {
        timers.push(setTimeout(action, milliseconds));
        return timers.at(-1);
      },
    },
  });
  const areHolding = timers.map((timer) => timer.hasRef());
  client.close();
  assert.deepEqual(areHolding, [false]);
});
