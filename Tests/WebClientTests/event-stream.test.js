import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { diff, snapshot } from "./support/documents.js";
import { Fixture, rowIds } from "./support/fixture.js";
import { listening, r1, r2 } from "./support/listening.js";

describe("An event stream", () => {
  test("is read in pieces that are cut within a character", async () => {
    const { model, stream } = await listening();
    const fox = snapshot("r2", ["a", "🦊"]);
    const bytes = new TextEncoder().encode(`data: ${JSON.stringify(diff(r1, fox))}\n\n`);
    for (const byte of bytes) await stream.sendBytes(Uint8Array.of(byte));
    assert.deepEqual(rowIds(model), ["a", "🦊"]);
  });

  test("that breaks before its first block proves nothing, however late", async () => {
    const fixture = new Fixture();
    const { model, told } = await fixture.opened(r1);
    const stream = await (await fixture.server.next("/events")).stream();
    await fixture.clock.advance(4_999);
    await stream.cut();
    assert.deepEqual([model.status.state, model.status.attempt], ["backingOff", 1]);
    assert.ok(told.status.every(({ isProven }) => !isProven));
  });

  test("tells with what error it broke after its first events", async () => {
    const { fixture, model, told, stream } = await listening();
    await fixture.clock.advance(10_000);
    await stream.cut();
    assert.equal(model.status.state, "backingOff");
    assert.deepEqual(told.problem.map(({ error }) => error.message), ["network error"]);
  });

  test("changes nothing by what has arrived if the connection begins again before it is read", async () => {
    const { model, stream } = await listening();
    const sent = stream.event(diff(r1, r2));
    model.retry();
    await sent;
    assert.deepEqual(rowIds(model), ["a"]);
  });

  test("is kept, although each falls silent, if there were comments before", async () => {
    let { fixture, model, stream } = await listening();
    for (let round = 0; round < 3; round++) {
      await fixture.clock.advance(15_000);
      await stream.comment();
      await fixture.clock.advance(20_000);
      assert.equal(model.status.event, "silent");
      await fixture.clock.advance(1_000);
      stream = await (await fixture.server.next("/events")).stream();
      await stream.open();
    }
  });

  test("is kept, although each falls silent, if there was news before", async () => {
    let { fixture, model, stream } = await listening();
    const revisions = [r1, r2, snapshot("r3", ["a"]), snapshot("r4", ["b"])];
    for (let round = 0; round < 3; round++) {
      await stream.event(diff(revisions[round], revisions[round + 1]));
      await fixture.clock.advance(20_000);
      assert.equal(model.status.event, "silent");
      await fixture.clock.advance(1_000);
      stream = await (await fixture.server.next("/events")).stream();
      await stream.open();
    }
  });

  test("is kept, although each ends at once, if there was news and then a position", async () => {
    let { fixture, stream } = await listening();
    const revisions = [r1, r2, snapshot("r3", ["a"]), snapshot("r4", ["b"])];
    for (let round = 0; round < 3; round++) {
      await stream.event(diff(revisions[round], revisions[round + 1]));
      await stream.send(`id: ${revisions[round + 1].revision}\n\n`);
      await stream.end();
      stream = await (await fixture.server.next("/events")).stream();
      await stream.open();
    }
  });
});
