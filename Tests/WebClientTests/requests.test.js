import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { ViewDelta } from "../../Public/viewdelta.js";
import { Fixture } from "./support/fixture.js";
import { listening } from "./support/listening.js";

// Collects what nothing holds any longer.
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

describe("A client", () => {
  test("forgets a view model that is closed", async () => {
    const { fixture, ...opened } = await listening();
    const closed = new WeakRef(opened.model);
    opened.model.close();
    delete opened.model;
    delete opened.stream;
    await fixture.server.isIdle();
    collectGarbage();
    assert.equal(closed.deref(), undefined);
  });

  test("refuses what is not the address of a server, instead of trying for ever to reach it", () => {
    for (const base of ["", "/api", "127.0.0.1:8080", "localhost:8080", "ftp://localhost"]) {
      assert.throws(() => new ViewDelta({ base }).close(), /is not the address of a server/, base);
    }
    const text = /** @type {any} */ ("http://127.0.0.1:8080");
    assert.throws(() => new ViewDelta(text), new TypeError('give the address as {base: "http://127.0.0.1:8080"}'));
    const client = new ViewDelta({ base: "http://127.0.0.1:8080" });
    assert.equal(client.base, "http://127.0.0.1:8080");
    client.close();
  });

  test("may have slashes at the end of the server's address", async () => {
    for (const base of ["http://host", "http://host/", "http://host//"]) {
      const fixture = new Fixture({ base });
      fixture.open();
      assert.equal((await fixture.server.next()).target, "http://host/v1/view-models/profile/1");
    }
  });
});

describe("A request of the page", () => {
  test("times out if a server hangs", async () => {
    const { fixture, model, stream } = await listening();
    const requests = [
      () => fixture.client.request("/v1/users"),
      () => fixture.client.request("/v1/users", { signal: new AbortController().signal }),
      () => model.revisions(),
      () => model.at("r0"),
      () => model.describe(),
    ];
    for (const request of requests) {
      const failed = assert.rejects(request(), new TypeError("the server does not answer"));
      const pending = await fixture.server.next();
      await fixture.clock.advance(14_999);
      assert.ok(!pending.isAborted);
      await fixture.clock.advance(1);
      assert.ok(pending.isAborted);
      await failed;
      await stream.comment();
    }
  });

  test("fails if something else than the server answers", async () => {
    const fixture = new Fixture();
    const failed = assert.rejects(fixture.client.request("/v1/users"), TypeError);
    await (await fixture.server.next()).answerWithPage();
    await failed;
  });

  test("has no content if a program answers with none, under any status", async () => {
    const fixture = new Fixture();
    for (const status of [200, 204]) {
      const done = fixture.client.request("/v1/users", { method: "PUT", body: {} });
      await (await fixture.server.next()).answer(status);
      assert.equal(await done, null);
    }
  });

  test("has the same timeout for its body as for its head, and leaves no timer", async () => {
    const fixture = new Fixture();
    const before = fixture.clock.pending;
    const users = fixture.client.request("/v1/users");
    const request = await fixture.server.next();
    await fixture.clock.advance(14_000);
    const finish = await request.begin();
    await fixture.clock.advance(14_000);
    await finish(["a"]);
    assert.deepEqual(await users, ["a"]);
    assert.equal(fixture.clock.pending, before);
  });

  test("for a collection follows its pages up to the limit", async () => {
    const fixture = new Fixture();
    const all = fixture.client.list("/v1/users");
    const first = await fixture.server.next("/v1/users");
    assert.deepEqual(first.query, { limit: "1000" });
    assert.deepEqual(["Accept", "Content-Type"].map((name) => first.headers.get(name)), ["application/json", null]);
    const next = '</v1/users?limit=2&after=2>; rel="next"';
    await first.answer(200, [{ id: 1 }, { id: 2 }], { Link: next });
    const second = await fixture.server.next("/v1/users");
    assert.deepEqual(second.query, { limit: "2", after: "2" });
    await second.answer(200, [{ id: 3 }]);
    assert.deepEqual(await all, [{ id: 1 }, { id: 2 }, { id: 3 }]);

    const some = fixture.client.list("/v1/users", 2);
    await (await fixture.server.next("/v1/users")).answer(200, [{ id: 1 }, { id: 2 }], { Link: next });
    assert.deepEqual(await some, [{ id: 1 }, { id: 2 }]);
    assert.ok(await fixture.server.isIdle());

    const three = fixture.client.list("/v1/users", 3);
    await (await fixture.server.next("/v1/users")).answer(200, [{ id: 1 }, { id: 2 }], { Link: next });
    await (await fixture.server.next("/v1/users")).answer(200, [{ id: 3 }, { id: 4 }]);
    assert.deepEqual(await three, [{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  test("for a collection begins again if the last element of a page is deleted before the next one", async () => {
    const fixture = new Fixture();
    const all = fixture.client.list("/v1/users");
    const ask = () => fixture.server.next("/v1/users");
    const Link = '</v1/users?limit=1000&after=1>; rel="next"';
    await (await ask()).answer(200, [{ id: 0 }, { id: 1 }], { Link });
    await (await ask()).refuse(410, "after-gone");
    const again = await ask();
    assert.deepEqual(again.query, { limit: "1000" });
    await again.answer(200, [{ id: 0 }]);
    assert.deepEqual(await all, [{ id: 0 }]);
  });

  test("for a collection is given up if that happens each time", async () => {
    const fixture = new Fixture();
    const refused = assert.rejects(fixture.client.list("/v1/users"), { code: "after-gone" });
    for (let attempt = 0; attempt < 4; attempt++) {
      const Link = '</v1/users?limit=1000&after=1>; rel="next"';
      await (await fixture.server.next("/v1/users")).answer(200, [{ id: 1 }], { Link });
      await (await fixture.server.next("/v1/users")).refuse(410, "after-gone");
    }
    await refused;
    assert.ok(await fixture.server.isIdle());
  });

  test("for a collection is given up if the page of each answer is the same, as without the query", async () => {
    const fixture = new Fixture();
    const refused = assert.rejects(fixture.client.list("/v1/users"), TypeError);
    for (let page = 0; page < 2; page++) {
      const Link = '</v1/users?limit=1000&after=1>; rel="next"';
      await (await fixture.server.next("/v1/users")).answer(200, [{ id: 1 }], { Link });
    }
    assert.ok(await fixture.server.isIdle());
    await refused;
  });

  test("for a collection is not begun again after any other refusal", async () => {
    const fixture = new Fixture();
    const refused = assert.rejects(fixture.client.list("/v1/users"), { code: "unknown-collection" });
    await (await fixture.server.next("/v1/users")).refuse(404, "unknown-collection");
    assert.ok(await fixture.server.isIdle());
    await refused;
  });

  test("for revisions says how many it wants, and before which one", async () => {
    const { fixture, model } = await listening();
    for (const query of [{ limit: "2" }, { before: "r1" }, { limit: "9", before: "r1" }]) {
      const revisions = model.revisions(query);
      const request = await fixture.server.next("/profile/1/revisions");
      assert.deepEqual(request.query, query);
      await request.answer(200, { revisions: [{ revision: "r0" }] });
      assert.deepEqual(await revisions, [{ revision: "r0" }]);
    }
  });

  test("for a former revision names it, and for the commands of a view model its screen", async () => {
    const { fixture, model } = await listening();
    for (const [ask, path, query] of [
      [() => model.at("r0"), "/v1/view-models/profile/1", { at: "r0" }],
      [() => model.describe(), "/v1/view-models/profile", {}],
    ]) {
      const asked = ask();
      const request = await fixture.server.next();
      assert.deepEqual([request.path, request.query], [path, query]);
      await request.answer(200, { name: path });
      assert.deepEqual(await asked, { name: path });
    }
  });

  test("is abandoned by its signal, before and after its start", async () => {
    const fixture = new Fixture();
    const controller = new AbortController();
    const ask = () => fixture.client.request("/v1/users", { signal: controller.signal });
    const failed = assert.rejects(ask(), { name: "AbortError" });
    const request = await fixture.server.next();
    controller.abort();
    assert.ok(request.isAborted);
    await failed;
    await assert.rejects(ask(), { name: "AbortError" });
    assert.ok(await fixture.server.isIdle());
  });

  test("leaves nothing behind at a signal that lasts", async () => {
    const fixture = new Fixture();
    const { signal } = new AbortController();
    const asked = fixture.client.request("/v1/users", { signal });
    await (await fixture.server.next()).answer(200, []);
    await asked;
    assert.deepEqual(getEventListeners(signal, "abort"), []);
  });
});
