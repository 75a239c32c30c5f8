import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { diff, seen, snapshot } from "./support/documents.js";
import { Fixture, rowIds } from "./support/fixture.js";
import { first, isAt, listening, opened, r1, r2, second, third, waiting, window } from "./support/windows.js";

const command = { type: "loadPosts" };

describe("A view model with a window", () => {
  test("names it in each request, and never the hash of its content", async () => {
    const fixture = new Fixture();
    const { model } = fixture.open({ window });
    const loading = await fixture.server.next("/profile/1");
    assert.deepEqual(loading.query, { window: "0,2" });
    await loading.answer(200, first);
    isAt(model, 0, ["a", "b"]);
    const stream = await fixture.server.next("/events");
    assert.deepEqual(stream.query, { since: "r1", window: "0,2" });
    await stream.fail();
    await fixture.clock.advance(1000);
    assert.deepEqual((await fixture.server.next("/events")).query, { since: "r1", window: "0,2" });
    model.send(command);
    assert.deepEqual((await fixture.server.next("/commands")).query, { since: "r1", window: "0,2" });
  });

  test("follows the number of all rows, and keeps the new name of what it shows", async () => {
    const { model, stream } = await listening();
    await stream.send("id: r2\n\n");
    assert.equal(model.snapshot.revision, "r2");
    isAt(model, 0, ["a", "b"]);
    const longer = snapshot("r3", ["a", "b", "c", "d", "e", "f", "g"]);
    await stream.event(diff({ ...first, revision: "r2" }, seen(longer, 0, 2)));
    assert.deepEqual([rowIds(model), model.snapshot.window.total], [["a", "b"], 7]);
  });

  test("shares nothing with another one, because each can be scrolled", async () => {
    const { fixture, model } = await listening();
    const other = fixture.open({ window });
    other.model.scroll({ start: 2 });
    await (await fixture.server.next("/profile/1")).answer(200, second);
    isAt(model, 0, ["a", "b"]);
    isAt(other.model, 2, ["c", "d"]);
  });

  test("is refused if the server has no such window, and only one with a window can be scrolled", () => {
    const { client } = new Fixture();
    const starts = [-1, 0.5, 2 ** 31, "2"].map((start) => ({ start }));
    const counts = [0, 0.5, 1001, "2"].map((count) => ({ count }));
    for (const wrong of [...starts, ...counts]) {
      assert.throws(() => client.open("profile/1", { window: { ...window, ...wrong } }), RangeError);
      assert.throws(() => client.sync().add("profile/1", { window: { ...window, ...wrong } }), RangeError);
      assert.throws(() => client.open("profile/1", { window }).scroll(wrong), RangeError);
    }
    assert.throws(() => client.open("profile/1").scroll({ start: 2 }), TypeError);
  });

  test("can have any window of the server, down to its last row", async () => {
    for (const window of [{ start: 0, count: 1 }, { start: 2 ** 31 - 1, count: 1000 }]) {
      const fixture = new Fixture();
      fixture.open({ window });
      const { query } = await fixture.server.next("/profile/1");
      assert.deepEqual(query, { window: `${window.start},${window.count}` });
    }
  });

  test("drives a list with the rows that it shows", async () => {
    const { fixture, model } = await listening();
    const list = {
      elements: [],
      insert(row, at) { this.elements.splice(at, 0, row); },
      delete(_, at) { this.elements.splice(at, 1); },
      update(_, at, row) { this.elements[at] = row; },
    };
    model.drive(list, "posts");
    model.scroll({ start: 1, count: 3 });
    const stream = await (await fixture.server.next("/events")).stream();
    await stream.event(diff(first, seen(r1, 1, 3)));
    assert.deepEqual(list.elements.map(({ id }) => id), ["b", "c", "d"]);
  });
});

describe("Scrolling", () => {
  test("begins the stream again, which leads to the next window and goes on from there", async () => {
    const { fixture, model, told, request } = await listening();
    model.scroll({ start: 2 });
    assert.ok(request.isAborted);
    isAt(model, 0, ["a", "b"]);
    const again = await fixture.server.next("/events");
    assert.deepEqual(again.query, { since: "r1", window: "0,2", next: "2,2" });
    const stream = await again.stream();
    await stream.event(diff(first, second));
    isAt(model, 2, ["c", "d"]);
    await stream.event(diff(second, seen(r2, 2, 2)));
    isAt(model, 2, ["c", "d2"]);
    await fixture.clock.advance(15_000);
    await stream.end();
    assert.deepEqual((await fixture.server.next("/events")).query, { since: "r2", window: "2,2" });
    assert.deepEqual(told.change.map(({ diff }) => diff?.window.start), [undefined, 2, 2]);
    assert.deepEqual(told.advanced.map(({ to }) => to), ["r1", "r2"]);
  });

  test("asks again at once by polls, also between two of them", async () => {
    const waits = await waiting();
    waits.model.scroll({ start: 2 });
    assert.ok(waits.poll.isAborted);
    const poll = await waits.fixture.server.next("/diff");
    assert.deepEqual(poll.query, { since: "r1", window: "0,2", next: "2,2", wait: "20" });
    await poll.answer(200, diff(first, second));
    isAt(waits.model, 2, ["c", "d"]);
    assert.deepEqual((await waits.fixture.server.next("/diff")).query, { since: "r1", window: "2,2", wait: "20" });

    const polls = await opened({ transports: ["poll"] });
    await (await polls.fixture.server.next("/diff")).answer(204);
    assert.equal(polls.model.status.state, "resting");
    polls.model.scroll({ start: 4 });
    await (await polls.fixture.server.next("/diff")).answer(200, diff(first, third));
    isAt(polls.model, 4, ["e", "f"]);
  });

  test("twice before an answer leads to the last window only", async () => {
    const { fixture, model, told } = await waiting();
    model.scroll({ start: 2 });
    const former = await fixture.server.next("/diff");
    model.scroll({ start: 4 });
    assert.ok(former.isAborted);
    const poll = await fixture.server.next("/diff");
    assert.deepEqual(poll.query, { since: "r1", window: "0,2", next: "4,2", wait: "20" });
    await poll.answer(200, diff(first, third));
    isAt(model, 4, ["e", "f"]);
    assert.deepEqual(told.change.map(({ after }) => after.window.start), [0, 4]);
  });

  test("there and back asks for no other window, and to the same place for nothing", async () => {
    const { fixture, model, poll } = await waiting();
    model.scroll({ start: 0 });
    model.scroll({});
    assert.ok(!poll.isAborted);
    model.scroll({ start: 2 });
    await fixture.server.next("/diff");
    model.scroll({ start: 0 });
    assert.deepEqual((await fixture.server.next("/diff")).query, { since: "r1", window: "0,2", wait: "20" });
    isAt(model, 0, ["a", "b"]);
  });

  test("before the first answer loads the other window", async () => {
    const fixture = new Fixture();
    const { model } = fixture.open({ window });
    const former = await fixture.server.next("/profile/1");
    model.scroll({ start: 2 });
    assert.ok(former.isAborted);
    const loading = await fixture.server.next("/profile/1");
    assert.deepEqual(loading.query, { window: "2,2" });
    await loading.answer(200, second);
    isAt(model, 2, ["c", "d"]);
  });

  test("in a listener of the first document leads on from it", async () => {
    const fixture = new Fixture();
    const { model, told } = fixture.open({ window });
    const list = fixture.client.sync().add("profile/1", { window });
    for (const each of [model, list]) {
      each.addEventListener("change", () => each.scroll({ start: 2 }), { once: true });
    }
    const requests = [await fixture.server.next(), await fixture.server.next()];
    await requests.find(({ path }) => path === "/v1/sync").answer(200, { screens: { "profile/1": first } });
    const shared = await fixture.server.next("/v1/events");
    assert.match(shared.target, /&since=r1&window=0%2C2&next=2%2C2$/);
    await requests.find(({ path }) => path !== "/v1/sync").answer(200, first);
    const request = await fixture.server.next("/events");
    assert.deepEqual(request.query, { since: "r1", window: "0,2", next: "2,2" });
    const stream = await request.stream();
    await stream.event(diff(first, second));
    assert.deepEqual(told.change.map(({ kind, after }) => [kind, after.window.start]), [["snapshot", 0], ["diff", 2]]);
    assert.ok(!shared.isAborted);
  });

  test("takes a reset through the window that is wanted", async () => {
    const { fixture, model } = await listening();
    model.scroll({ start: 4 });
    const stream = await (await fixture.server.next("/events")).stream();
    const shorter = seen(snapshot("n1", ["a", "b", "c", "d", "x"]), 4, 2);
    await stream.event({ ...shorter, kind: "reset", reason: "epoch-changed" });
    assert.deepEqual([rowIds(model), model.snapshot.window], [["x"], { start: 4, count: 2, total: 5 }]);
    await stream.cut();
    await fixture.clock.advance(1000);
    assert.deepEqual((await fixture.server.next("/events")).query, { since: "n1", window: "4,2" });
  });

  test("waits for the next attempt while the connection is lost or the view model is gone", async () => {
    const { fixture, model, stream } = await listening();
    await stream.cut();
    model.scroll({ start: 2 });
    assert.ok(await fixture.server.isIdle());
    await fixture.clock.advance(1000);
    const again = await fixture.server.next("/events");
    assert.deepEqual(again.query, { since: "r1", window: "0,2", next: "2,2" });
    await again.refuse(410, "key-deleted");
    model.scroll({ start: 4 });
    assert.ok(await fixture.server.isIdle());
    model.retry();
    assert.deepEqual((await fixture.server.next("/events")).query, { since: "r1", window: "0,2", next: "4,2" });
  });
});

describe("A command and scrolling", () => {
  test("of which the scrolling came first have one answer, which is no news by the stream", async () => {
    const { fixture, model } = await listening();
    model.scroll({ start: 2 });
    const stream = await (await fixture.server.next("/events")).stream();
    await stream.open();
    const sent = model.send(command);
    const request = await fixture.server.next("/commands");
    assert.deepEqual(request.query, { since: "r1", window: "0,2", next: "2,2" });
    const after = seen(r2, 2, 2);
    await request.answer(202, { accepted: true, revision: "r2", diff: diff(first, after) });
    await sent;
    isAt(model, 2, ["c", "d2"]);
    await stream.event(diff(first, after));
    assert.equal(model.status.state, "listening");
    const r3 = seen(snapshot("r3", ["a", "b", "c", "d3", "e", "f"]), 2, 2);
    await stream.event(diff(after, r3));
    isAt(model, 2, ["c", "d3"]);
    assert.ok(await fixture.server.isIdle());
  });

  test("whose reply leads to the former window show only the wanted one", async () => {
    const { fixture, model, told } = await listening();
    const sent = model.send(command);
    const request = await fixture.server.next("/commands");
    model.scroll({ start: 2 });
    const stream = await (await fixture.server.next("/events")).stream();
    await stream.open();
    await request.answer(202, { accepted: true, revision: "r2", diff: diff(first, seen(r2, 0, 2)) });
    isAt(model, 0, ["a", "b"]);
    const catchUp = await fixture.server.next("/diff");
    assert.deepEqual(catchUp.query, { since: "r1", window: "0,2", next: "2,2" });
    await catchUp.answer(200, diff(first, seen(r2, 2, 2)));
    await sent;
    isAt(model, 2, ["c", "d2"]);
    await stream.event(diff(first, seen(r2, 2, 2)));
    assert.deepEqual(told.change.map(({ after }) => after.window.start), [0, 2]);
    assert.deepEqual([told.diverged, model.status.state], [[], "listening"]);
  });

  test("begin the poll again if the reply has led to another window of the same revision", async () => {
    const { fixture, model } = await waiting();
    model.scroll({ start: 2 });
    const poll = await fixture.server.next("/diff");
    const sent = model.send(command);
    const request = await fixture.server.next("/commands");
    await request.answer(200, { accepted: false, revision: "r1", diff: diff(first, second) });
    await sent;
    isAt(model, 2, ["c", "d"]);
    assert.ok(poll.isAborted);
    assert.deepEqual((await fixture.server.next("/diff")).query, { since: "r1", window: "2,2", wait: "20" });
  });

  test("whose reply comes after the next window are not mixed, although the revision is the same", async () => {
    const { fixture, model, told } = await listening();
    const sent = model.send(command);
    const request = await fixture.server.next("/commands");
    model.scroll({ start: 2 });
    const stream = await (await fixture.server.next("/events")).stream();
    await stream.event(diff(first, second));
    await request.answer(202, { accepted: true, revision: "r2", diff: diff(first, seen(r2, 0, 2)) });
    isAt(model, 2, ["c", "d"]);
    const catchUp = await fixture.server.next("/diff");
    assert.deepEqual(catchUp.query, { since: "r1", window: "2,2" });
    await catchUp.answer(200, diff(second, seen(r2, 2, 2)));
    await sent;
    isAt(model, 2, ["c", "d2"]);
    assert.deepEqual(told.diverged, []);
  });

  test("keep the stream that leads to the window through an older revision than the reply", async () => {
    const { fixture, model } = await listening();
    model.scroll({ start: 2 });
    const stream = await (await fixture.server.next("/events")).stream();
    await stream.open();
    const sent = model.send(command);
    const after = seen(r2, 2, 2);
    await (await fixture.server.next("/commands")).answer(
      202, { accepted: true, revision: "r2", diff: diff(first, after) });
    await sent;
    await stream.event(diff(first, second));
    await stream.event(diff(second, after));
    await stream.event(diff(after, { ...second, revision: "r3" }));
    isAt(model, 2, ["c", "d"]);
    assert.ok(await fixture.server.isIdle());
  });
});
