import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { settle } from "./support/clock.js";
import { diff, snapshot } from "./support/documents.js";
import { Fixture, rowIds } from "./support/fixture.js";
import { listening, r1, r2, r3 } from "./support/listening.js";

describe("A connection", () => {
  test("loads the view model, then listens from its revision", async () => {
    const fixture = new Fixture();
    const { model, told } = fixture.open();
    assert.equal(model.snapshot, null);
    await (await fixture.server.next("/profile/1")).answer(200, r1);
    assert.deepEqual(rowIds(model), ["a"]);
    const request = await fixture.server.next("/events");
    assert.deepEqual(request.query, { since: "r1" });
    assert.equal(request.headers.get("Accept"), "text/event-stream");
    assert.equal(request.headers.get("Prefer"), "return=diff");
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
    const sizes = [r1, diff(r1, r2)].map((document) => JSON.stringify(document).length);
    assert.deepEqual(told.change.map(({ bytes }) => bytes), sizes);
    assert.equal(told.change[1].before, told.change[0].after);
    assert.deepEqual(
      told.status.map(({ state }) => state),
      ["loading", "connecting", "listening"],
    );
    assert.deepEqual(told.problem, []);
  });

  test("is idle until the end of the task that opens it", async () => {
    const { model, told } = new Fixture().open();
    assert.deepEqual(model.status, {
      state: "idle", previous: "idle", event: null, transport: "events", isProven: false, attempt: 0, retryAt: null,
    });
    await settle();
    assert.deepEqual([told.status[0].state, told.status[0].previous], ["loading", "idle"]);
  });

  test("refuses a transport that there is not", async () => {
    const fixture = new Fixture();
    const refusal = new TypeError('"sse" is none of events, longPoll, poll');
    const transports = /** @type {any} */ (["events", "sse"]);
    assert.throws(() => fixture.open({ transports }), refusal);
    assert.throws(() => fixture.client.sync(["profile/1"], { transports }), refusal);
    assert.throws(() => new Fixture({ transports }).open(), refusal);
    assert.ok(await fixture.server.isIdle());
    await fixture.opened(r1);
  });

  test("keeps its status if an event has no effect", async () => {
    const { fixture, model } = await listening();
    const { status } = model;
    await fixture.windowEvent("online");
    assert.equal(model.status, status);
  });

  test("gets no stale answer from the browser's cache, and no snapshot in place of a diff", async () => {
    const fixture = new Fixture();
    fixture.open();
    const loading = await fixture.server.next("/profile/1");
    assert.equal(loading.cache, "no-cache");
    await loading.answer(200, r1);
    for (const path of ["/events", "/diff", "/diff"]) {
      const request = await fixture.server.next(path);
      assert.deepEqual([request.cache, request.headers.get("Prefer")], ["no-store", "return=diff"]);
      await request.answer(501);
    }
  });

  test("tells by which transport a change came, and its size", async () => {
    const document = diff(r1, snapshot("r2", ["🦊"]));
    for (const via of ["longPoll", "poll"]) {
      const fixture = new Fixture({ transports: [via] });
      const { told } = await fixture.opened(r1);
      await (await fixture.server.next("/diff")).answer(200, document);
      const { via: last, bytes } = told.change.at(-1);
      assert.deepEqual([last, bytes], [via, Buffer.byteLength(JSON.stringify(document))]);
    }
  });

  test("reads a stream that begins with a byte order mark", async () => {
    const fixture = new Fixture();
    const { model } = await fixture.opened(r1);
    const stream = await (await fixture.server.next("/events")).stream();
    await stream.send(`\uFEFFdata: ${JSON.stringify(diff(r1, r2))}\n\n`);
    assert.deepEqual(rowIds(model), ["a", "b"]);
  });

  test("lets the page react while changes come faster than they are shown", async () => {
    const { fixture, model, stream } = await listening();
    model.addEventListener("change", () => fixture.clock.jump(60), { once: true });
    const [r4, r5] = ["r4", "r5"].map((revision) => snapshot(revision, [revision]));
    for (const [before, after] of [[r1, r2], [r2, r3]]) await stream.event(diff(before, after));
    assert.equal(model.snapshot.revision, "r2");
    await fixture.clock.advance(0);
    // After the pause it works on until the next one is due.
    for (const [before, after] of [[r3, r4], [r4, r5]]) await stream.event(diff(before, after));
    assert.equal(model.snapshot.revision, "r5");
  });

  test("reconnects from the held revision when a stream ends regularly", async () => {
    const { fixture, model, told, stream } = await listening();
    await stream.event(diff(r1, r2));
    await fixture.clock.advance(15_000);
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

  test("begins with a short back-off again after an answer, and tells that it has no failure", async () => {
    const { fixture, model, told, stream } = await listening();
    await stream.cut();
    await fixture.clock.advance(500);
    await (await fixture.server.next("/events")).fail();
    assert.equal(model.status.retryAt, fixture.clock.now() + 1000);
    await fixture.clock.advance(1000);
    const next = await (await fixture.server.next("/events")).stream();
    await next.event(diff(r1, r2));
    assert.equal(told.status.at(-1).attempt, 0);
    await next.cut();
    assert.equal(model.status.retryAt, fixture.clock.now() + 500);
  });

  test("waits as long as a busy server asks for, even if the clock is set back meanwhile", async () => {
    for (const [status, back] of [[429, 0], [503, 0], [503, 3_600_000]]) {
      const fixture = new Fixture();
      const { model } = await fixture.opened(r1);
      const request = await fixture.server.next("/events");
      await request.refuse(status, "too-many-waiting", { "Retry-After": "7" });
      assert.equal(model.status.state, "backingOff");
      fixture.clock.setBack(back);
      await fixture.clock.advance(6999);
      assert.ok(await fixture.server.isIdle());
      await fixture.clock.advance(251);
      await fixture.server.next("/events");
    }
  });

  test("waits as long as a busy server asks for, whatever the page and its machine do", async () => {
    const fixture = new Fixture();
    const poll = fixture.client.sync(["profile/1"]);
    await (await fixture.server.next("/sync")).refuse(503, "away", { "Retry-After": "60" });
    const end = fixture.clock.now() + 60_000;
    const events = [
      async () => void poll.add("profile/2"),
      async () => {
        await fixture.setVisibility("hidden");
        await fixture.clock.advance(3_000);
        assert.equal(poll.status.state, "suspended");
        await fixture.setVisibility("visible");
      },
      async () => {
        await fixture.windowEvent("offline");
        await fixture.clock.advance(16_000);
        await fixture.windowEvent("online");
      },
      async () => {
        fixture.clock.jump(30_000);
        await fixture.clock.advance(5_000);
      },
    ];
    for (const event of events) {
      await event();
      assert.ok(await fixture.server.isIdle());
      assert.equal(poll.status.state, "backingOff");
      assert.equal(poll.status.retryAt, end + 250);
    }
    await fixture.clock.advance(end - fixture.clock.now() + 250);
    await (await fixture.server.next("/sync")).refuse(503, "away", { "Retry-After": "60" });
    // The user may ask for an attempt now.
    poll.viewModels.get("profile/1")?.retry();
    await (await fixture.server.next("/sync")).answer(200, { screens: { "profile/1": r1 } });
    await fixture.server.next("/events");
  });

  test("waits for an hour if a busy server asks for longer than a timer can last", async () => {
    const fixture = new Fixture();
    const { model } = fixture.open();
    await (await fixture.server.next()).refuse(503, "away", { "Retry-After": "2592000" });
    assert.equal(model.status.retryAt, fixture.clock.now() + 3_600_250);
  });

  test("waits until the time that a busy server asks for, by the clock of the server if it tells its time", async () => {
    const fixture = new Fixture();
    const { model } = fixture.open();
    const date = (seconds) => new Date(fixture.clock.now() + seconds * 1000).toUTCString();
    await (await fixture.server.next()).refuse(503, "away", { "Date": date(-1800), "Retry-After": date(-1793) });
    assert.equal(model.status.retryAt, fixture.clock.now() + 7_250);
    await fixture.clock.advance(8_000);
    await (await fixture.server.next()).refuse(503, "away", { "Retry-After": date(7) });
    assert.equal(model.status.retryAt, fixture.clock.now() + 7_250);
  });

  test("uses the back-off that the stream asks for, and one also if it asks for none", async () => {
    for (const [retry, delay] of [[4000, 2000], [0, 250]]) {
      const { fixture, model, stream } = await listening();
      await stream.send(`retry: ${retry}\n\n`);
      await stream.cut();
      assert.equal(model.status.retryAt, fixture.clock.now() + delay);
    }
  });

  test("keeps the last snapshot when the view model is deleted", async () => {
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

  test("is gone if there is no such screen or key", async () => {
    for (const code of ["unknown-screen", "unknown-key"]) {
      const fixture = new Fixture();
      const { model } = fixture.open();
      await (await fixture.server.next()).refuse(404, code);
      assert.equal(model.status.state, "gone");
      // The same holds if the server was restarted without the view model.
      const { fixture: other, model: shown } = await listening();
      shown.drop();
      await other.clock.advance(1000);
      await (await other.server.next("/events")).refuse(404, code);
      assert.equal(shown.status.state, "gone");
    }
  });

  test("tries again if a proxy without a server answers with a 404 or 410 of its own", async () => {
    for (const status of [404, 410]) {
      const fixture = new Fixture();
      const { model } = fixture.open();
      await (await fixture.server.next("/profile/1")).answer(status);
      assert.equal(model.status.state, "backingOff");
      await fixture.clock.advance(250);
      await (await fixture.server.next("/profile/1")).answer(200, r1);
      assert.deepEqual(rowIds(model), ["a"]);
      await (await fixture.server.next("/events")).answer(status);
      await (await fixture.server.next("/diff")).answer(204);
      assert.ok(model.status.isProven);
    }
  });

  test("takes the status of an answer from its head, and a code that is no text for none", async () => {
    for (const foreign of [{ status: "503", code: 17 }, { status: 404, code: null }, null]) {
      const { fixture, model, told, stream } = await listening();
      await stream.cut();
      await fixture.clock.advance(500);
      await (await fixture.server.next("/events")).answer(503, foreign, { "Retry-After": "7" });
      assert.deepEqual([model.status.state, model.status.event], ["backingOff", "busy"]);
      const { status, code } = told.problem.at(-1).error;
      assert.deepEqual([status, code], [503, "http-503"]);
    }
  });

  test("takes an empty page in place of an answer for none, and a 204 without the current revision", async () => {
    for (const transport of ["longPoll", "poll"]) {
      for (const status of [200, 204]) {
        const fixture = new Fixture({ transports: [transport] });
        const { model } = await fixture.opened(r1);
        await (await fixture.server.next("/diff")).answer(status, undefined, {});
        assert.equal(model.status.isProven, false);
        assert.equal(model.status.state, "backingOff");
      }
    }
  });

  test("sends no request and has no timer after it is closed", async () => {
    const { fixture, model } = await listening();
    model.close();
    fixture.client.close();
    await settle();
    assert.equal(model.status.state, "closed");
    assert.ok(await fixture.server.isIdle());
    assert.equal(fixture.clock.pending, 0);
  });

  test("tells from which state it was closed, and no next attempt", async () => {
    for (const [previous, act] of Object.entries({ listening() {}, backingOff: (stream) => stream.cut() })) {
      const { fixture, model, told, stream } = await listening();
      await stream.event(diff(r1, r2));
      await act(stream);
      const { attempt } = model.status;
      model.close();
      const closed = {
        state: "closed", previous, event: "close", transport: "events", isProven: false, attempt, retryAt: null,
      };
      assert.deepEqual([told.status.at(-1), model.status], [closed, closed]);
      fixture.client.close();
    }
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

  test("begins again in a listener that asks for it, and takes no more from the former stream", async () => {
    const { fixture, model, stream } = await listening();
    model.addEventListener("change", () => model.retry(), { once: true });
    const events = [diff(r1, r2), diff(r2, r3)].map((document) => `data: ${JSON.stringify(document)}\n\n`);
    await stream.send(events.join(""));
    assert.deepEqual([model.status.state, model.status.isProven], ["connecting", false]);
    assert.equal(model.snapshot.revision, "r2");
    assert.equal((await fixture.server.next("/events")).query.since, "r2");
  });

  test("can be cut by its owner, and is restored", async () => {
    const { fixture, model, told } = await listening();
    model.drop();
    assert.equal(model.status.state, "backingOff");
    assert.match(String(told.problem.at(-1).error), /was cut/);
    await fixture.clock.advance(1000);
    await fixture.server.next("/events");
  });
});
