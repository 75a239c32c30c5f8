import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { settle } from "./support/clock.js";
import { Fixture } from "./support/fixture.js";
import { Locks } from "./support/locks.js";
import { r1 } from "./support/listening.js";

/** Opens pages of one browser, each with `profile/1`, up to the request after the snapshot. */
async function pages(count, locks, options = {}) {
  const opened = [];
  for (let number = 0; number < count; number++) {
    const fixture = new Fixture({ locks, ...options });
    const { model, told } = await fixture.opened(r1);
    opened.push({ fixture, model, told, request: await fixture.server.next() });
  }
  return opened;
}

const ends = (requests) => requests.map(({ request }) => request.path.split("/").at(-1));

describe("The pages of a browser", () => {
  test("hold three connections open, and poll beyond that", async () => {
    const opened = await pages(5, new Locks());
    assert.deepEqual(ends(opened), ["events", "events", "events", "diff", "diff"]);
    assert.equal(opened[3].model.status.transport, "poll");
    await opened[3].request.answer(204);
    assert.deepEqual([opened[3].model.status.state, opened[3].model.status.isProven], ["resting", true]);
    await opened[3].fixture.clock.advance(3_000);
    await opened[3].fixture.server.next("/diff");
  });

  test("open streams once there is a place, also for view models that are opened after polls were needed", async () => {
    const [first, second, , last] = await pages(4, new Locks());
    await last.request.answer(204);
    first.model.close();
    second.model.close();
    await last.fixture.server.next("/events");
    last.fixture.client.open("podcasts/1");
    await (await last.fixture.server.next("/podcasts/1")).answer(200, { ...r1, screen: "podcasts/1" });
    await last.fixture.server.next("/podcasts/1/events");
  });

  for (const [what, leave] of Object.entries({
    "is closed": ({ model }) => model.close(),
    "is gone": ({ request }) => request.refuse(410, "key-deleted"),
    "is hidden": async ({ fixture }) => {
      await fixture.setVisibility("hidden");
      await fixture.clock.advance(2_000);
    },
  })) {
    test(`give the place of one that ${what} to one that polls`, async () => {
      const locks = new Locks();
      const opened = await pages(5, locks);
      for (const { request } of opened.slice(3)) await request.answer(204);
      await leave(opened[1]);
      await settle();
      await opened[3].fixture.server.next("/events");
      assert.equal(opened[4].model.status.state, "resting");
      assert.equal(locks.count, 3);
    });
  }

  test("take a place again when they are shown, or poll if there is none", async () => {
    const opened = await pages(4, new Locks());
    const [first, , , last] = opened;
    await last.request.answer(204);
    await first.fixture.setVisibility("hidden");
    await first.fixture.clock.advance(2_000);
    await last.fixture.server.next("/events");
    await first.fixture.setVisibility("visible");
    const stream = await first.fixture.server.next("/events");
    assert.ok(stream.isAborted, "before it was known that there is no place");
    await first.fixture.server.next("/diff");
    last.model.close();
    await settle();
    await first.fixture.server.next("/events");
  });

  test("take a place that has become free while they were hidden", async () => {
    const [first, , , last] = await pages(4, new Locks());
    await last.request.answer(204);
    await last.fixture.windowEvent("pagehide");
    first.model.close();
    await settle();
    await last.fixture.windowEvent("pageshow");
    await last.fixture.server.next("/events");
  });

  test("poll on without a place after they were offline", async () => {
    const [, , , last] = await pages(4, new Locks());
    await last.request.answer(204);
    await last.fixture.windowEvent("offline");
    await last.fixture.windowEvent("online");
    await last.fixture.server.next("/diff");
  });

  test("have places of their own for each server", async () => {
    const locks = new Locks();
    for (const base of ["http://a", "http://b"]) {
      assert.deepEqual(ends(await pages(1, locks, { places: 1, base })), ["events"]);
    }
    assert.equal(locks.count, 2);
  });

  test("take no place if they only poll, and one for any other transport", async () => {
    for (const [transports, end, count] of [[["poll"], "diff", 0], [["poll", "events"], "events", 1]]) {
      const locks = new Locks();
      assert.deepEqual(ends(await pages(1, locks, { transports })), [end]);
      assert.equal(locks.count, count);
    }
  });

  test("give up a place that they seek before they know that there is none", async () => {
    const locks = new Locks();
    const [first] = await pages(1, locks, { places: 1 });
    const fixture = new Fixture({ locks, places: 1 });
    const { model } = fixture.open();
    await null;
    await Promise.all([fixture.windowEvent("pagehide"), fixture.windowEvent("pageshow")]);
    for (const shown of [first.model, model]) {
      shown.close();
      await settle();
    }
    assert.equal(locks.count, 0);
  });

  test("take a place again after a view model that was gone is there again", async () => {
    const [first, second] = await pages(2, new Locks(), { places: 1 });
    await second.request.refuse(410, "key-deleted");
    assert.equal(second.model.status.state, "gone");
    first.model.close();
    await settle();
    second.model.retry();
    await settle();
    await second.fixture.server.next("/events");
  });

  test("take no more than one place each, even if two get free at once", async () => {
    for (const pause of [settle, () => {}]) {
      const locks = new Locks();
      const [first, second, ...others] = await pages(4, locks, { places: 2 });
      for (const { request } of others) await request.answer(204);
      for (const { model } of [first, second]) {
        model.close();
        await pause();
      }
      await settle();
      for (const { fixture } of others) await fixture.server.next("/events");
      assert.deepEqual([locks.count, locks.waiting], [2, 0]);
    }
  });

  test("seek no place for a view model that is opened while its page is hidden", async () => {
    const locks = new Locks();
    const fixture = new Fixture({ locks });
    await fixture.windowEvent("pagehide");
    const { model } = fixture.open();
    await settle();
    assert.deepEqual([model.status.state, locks.count], ["suspended", 0]);
  });

  test("leave no request for a place behind if they no longer seek one", async () => {
    const locks = new Locks();
    const opened = await pages(5, locks);
    assert.ok(locks.waiting > 0);
    for (const { model } of opened.slice(3)) model.close();
    await settle();
    assert.deepEqual([locks.count, locks.waiting], [3, 0]);
  });

  test("give up all places and requests for one when they are closed", async () => {
    const locks = new Locks();
    const opened = await pages(5, locks);
    for (const { model } of opened) model.close();
    await settle();
    assert.equal(locks.count, 0);
  });

  test("hold as many as they are told to, and any number if they may not use locks", async () => {
    const one = await pages(2, new Locks(), { places: 1 });
    assert.deepEqual(ends(one), ["events", "diff"]);
    const refused = { request: () => Promise.reject(new DOMException("denied", "SecurityError")) };
    assert.deepEqual(ends(await pages(4, refused)), ["events", "events", "events", "events"]);
    assert.deepEqual(ends(await pages(4, new Locks(), { places: Infinity })).slice(3), ["events"]);
  });
});
