import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { settle } from "./support/clock.js";
import { diff, document, snapshot } from "./support/documents.js";
import { Fixture, rowIds } from "./support/fixture.js";
import { listening, r1, r2 } from "./support/listening.js";

describe("Two view models of one name", () => {
  test("share one connection, which ends with the last of them", async () => {
    const { fixture, model, stream } = await listening();
    const other = fixture.open();
    await settle();
    assert.ok(await fixture.server.isIdle());
    await stream.event(diff(r1, r2));
    assert.deepEqual([rowIds(model), rowIds(other.model)], [["a", "b"], ["a", "b"]]);
    model.close();
    assert.deepEqual([model.status.state, other.model.status.state], ["closed", "listening"]);
    const r3 = snapshot("r3", ["b"]);
    await stream.event(diff(r2, r3));
    assert.deepEqual([rowIds(model), rowIds(other.model)], [["a", "b"], ["b"]]);
    other.model.close();
    fixture.client.close();
    assert.equal(fixture.clock.pending, 0);
  });

  test("have all events from the start, also the one that joins later", async () => {
    const { fixture, model, stream } = await listening();
    const { told } = fixture.open();
    const after = model.snapshot;
    await settle();
    assert.deepEqual(told.status.map(({ state }) => state), ["listening"]);
    assert.deepEqual(told.change, [
      { kind: "snapshot", before: null, after, diff: null, reason: null, bytes: 0, via: "snapshot" },
    ]);
    await stream.event(diff(r1, r2));
    assert.deepEqual(
      told.change.map(({ kind, before, after }) => [kind, before?.revision ?? null, after.revision]),
      [["snapshot", null, "r1"], ["diff", "r1", "r2"]],
    );
    assert.deepEqual(told.advanced.map(({ from, to }) => [from, to]), [[null, "r1"], ["r1", "r2"]]);
    assert.deepEqual(told.advanced.map(({ change }) => change), told.change);
  });

  test("have the same events if they are opened in one task, or before the first answer", async () => {
    const fixture = new Fixture();
    const [first, second] = [fixture.open(), fixture.open()];
    const request = await fixture.server.next("/profile/1");
    const third = fixture.open();
    await settle();
    await request.answer(200, r1);
    assert.deepEqual(first.told.status.map(({ state }) => state), ["loading", "connecting"]);
    for (const { told } of [second, third]) {
      assert.deepEqual(told.status, first.told.status);
      assert.deepEqual(told.change.map(({ kind, after }) => [kind, after.revision]), [["snapshot", "r1"]]);
    }
  });

  test("have no event after they are closed, even in the task that opens them", async () => {
    const { fixture } = await listening();
    const { model, told } = fixture.open();
    model.close();
    await settle();
    assert.deepEqual([told.status.map(({ state }) => state), told.change], [["closed"], []]);
  });

  test("have no event after a listener has closed them", async () => {
    const { fixture, model, told, stream } = await listening();
    const late = fixture.open();
    for (const each of [model, late.model]) {
      each.addEventListener("change", ({ detail }) => detail.after.revision === "r2" && each.close());
    }
    await stream.event(diff(r1, r2));
    for (const { change, advanced } of [told, late.told]) {
      assert.deepEqual([change.at(-1).after.revision, advanced.at(-1).to], ["r2", "r1"]);
    }
  });

  test("are told a change only after the snapshot from which it starts", async () => {
    const { fixture, model } = await listening();
    const sent = model.send({ type: "add" });
    const request = await fixture.server.next("/commands");
    const told = [];
    model.addEventListener("change", () => {
      // It joins while the change is told to the first one.
      const late = fixture.client.open("profile/1");
      late.addEventListener("change", ({ detail }) => told.push([detail.kind, detail.after.revision]));
    }, { once: true });
    await request.answer(202, { accepted: true, revision: "r2", diff: diff(r1, r2) });
    await sent;
    assert.deepEqual(told, [["snapshot", "r2"]]);
  });

  test("send commands of their own, which end with each alone", async () => {
    const { fixture, model } = await listening();
    const { model: other } = fixture.open();
    const abandoned = assert.rejects(model.send({ type: "a" }), { name: "AbortError" });
    const sent = other.send({ type: "b" });
    model.close();
    await abandoned;
    const first = await fixture.server.next("/commands");
    const request = first.isAborted ? await fixture.server.next("/commands") : first;
    await request.answer(202, { accepted: true, revision: "r2", diff: diff(r1, r2) });
    await sent;
    assert.deepEqual(rowIds(other), ["a", "b"]);
  });

  test("are opened by one command", async () => {
    const fixture = new Fixture();
    fixture.open({ opening: "appear" });
    fixture.open({ opening: "appear" });
    const content = { sections: [], states: { posts: "notRequested" } };
    await (await fixture.server.next("/profile/1")).answer(200, document("r1", content));
    const paths = [(await fixture.server.next()).path, (await fixture.server.next()).path];
    assert.deepEqual(paths.map((path) => path.split("/").at(-1)).sort(), ["commands", "events"]);
    assert.ok(await fixture.server.isIdle());
  });

  test("with other options have connections of their own", async () => {
    const { fixture } = await listening();
    fixture.open({ transports: ["poll"] });
    await fixture.server.next("/profile/1");
  });
});

describe("A name whose view model was closed", () => {
  test("can be opened again, and the closed one stays closed", async () => {
    const { fixture, model, told } = await listening();
    model.close();
    const statuses = told.status.length;
    const { model: again } = await fixture.opened(r2);
    assert.deepEqual([rowIds(model), rowIds(again)], [["a"], ["a", "b"]]);
    await (await fixture.server.next("/events")).stream();
    model.close();
    model.retry();
    model.drop();
    assert.equal(again.status.state, "connecting");
    assert.equal(told.status.length, statuses);
  });

  test("is requested again if the server did not have it", async () => {
    const fixture = new Fixture();
    const { model } = fixture.open();
    await (await fixture.server.next()).refuse(404, "unknown-key");
    assert.equal(model.status.state, "gone");
    const { told } = await fixture.opened(r1);
    assert.deepEqual([rowIds(model), told.change.length], [["a"], 1]);
  });
});

describe("Each revision", () => {
  test("is told with the operations that were applied", async () => {
    const { told, stream } = await listening();
    const r2 = snapshot("r2", ["b", { id: "a", type: "post", title: "New" }]);
    await stream.event(diff(r1, r2));
    const [first, { from, to, change }] = told.advanced;
    assert.deepEqual([first.from, first.to, first.change.kind], [null, "r1", "snapshot"]);
    assert.deepEqual([from, to], ["r1", "r2"]);
    const { inserts, updates } = change.diff.rows;
    assert.deepEqual(inserts.map(({ row, at }) => [row.id, at]), [["b", [0, 0]]]);
    assert.deepEqual(updates.map(({ id, set }) => [id, set]), [["a", { title: "New" }]]);
    assert.equal(change, told.change[1]);
  });
});
