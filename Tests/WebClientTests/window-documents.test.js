import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Replica, canonical } from "../../Public/viewdelta.js";
import { diff, document, seen, snapshot } from "./support/documents.js";
import { Fixture } from "./support/fixture.js";
import { RandomContent, forEachSeed } from "./support/random.js";
import { first, isAt, listening, r1, r2, second, window } from "./support/windows.js";

describe("A document through a window", () => {
  const cases = {
    "for another window": [diff(first, second), "other-window"],
    "for all rows": [diff(first, { ...r2, revision: "r2" }), "other-window"],
    "for another number of rows": [diff(first, seen(r1, 0, 3)), "other-window"],
    "with fewer rows than the window has": [
      diff(first, { ...seen(snapshot("r2", ["a"]), 0, 2), window: { ...window, total: 6 } }), "row-count"],
    "with more rows than are left": [
      diff(first, { ...seen(r2, 0, 2), window: { ...window, total: 1 } }), "row-count"],
    "with another digest": [{ ...diff(first, seen(r2, 0, 2)), digest: "1" }, "digest"],
    "without a total": [diff(first, { ...seen(r2, 0, 2), window }), "malformed"],
    "with a total that is no number": [
      diff(first, { ...seen(r2, 0, 2), window: { ...window, total: "6" } }), "malformed"],
    "with a negative total": [
      diff(first, { ...document("r2", { sections: [], states: {} }), window: { ...window, total: -1 } }), "malformed"],
  };
  for (const [name, [wrong, code]] of Object.entries(cases)) {
    test(`${name} is refused, and the window loaded again`, async () => {
      const { fixture, model, told, stream } = await listening();
      await stream.event(wrong);
      assert.deepEqual(told.diverged.map(({ error }) => error.code), [code]);
      isAt(model, 0, ["a", "b"]);
      assert.deepEqual((await fixture.server.next("/profile/1")).query, { window: "0,2" });
    });
  }

  test("is refused by a view model of all rows", async () => {
    const fixture = new Fixture();
    const { model, told } = await fixture.opened(r1);
    const stream = await (await fixture.server.next("/events")).stream();
    await stream.event(diff(r1, seen(r2, 0, 2)));
    assert.deepEqual(told.diverged.map(({ error }) => error.code), ["other-window"]);
    assert.equal(model.snapshot.rowCount, 6);
    await fixture.server.next("/profile/1");
  });

  test("is taken by a replica that was told no window, and by another one is not", () => {
    const replica = new Replica("profile/1");
    replica.apply(first);
    assert.equal(canonical({ kind: "snapshot", ...replica.snapshot }), canonical(first));
    assert.throws(() => replica.apply(diff(first, second), null), { code: "other-window" });
    replica.apply(diff(first, second));
    assert.equal(canonical({ kind: "snapshot", ...replica.snapshot }), canonical(second));
  });

  test("leads from any window of a random view model to any one of the next, byte for byte", () => {
    forEachSeed(200, (random) => {
      const make = new RandomContent(random);
      const replica = new Replica("profile/1");
      let content = make.content();
      /** @type {any} */
      let held = null;
      for (let step = 0; step < 8; step++) {
        if (make.below(2)) content = make.changed(content);
        const window = { start: make.below(12), count: 1 + make.below(12) };
        const next = seen(document(`r${step}`, content), window.start, window.count);
        replica.apply(structuredClone(held === null ? next : diff(held, next)), window);
        assert.equal(canonical({ kind: "snapshot", ...replica.snapshot }), canonical(next));
        held = next;
      }
    });
  });
});
