import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { canonical, Replica } from "../../Public/viewdelta.js";
import { compare } from "../../Public/page/list/compare.js";
import { document } from "./support/documents.js";
import { RandomContent, forEachSeed } from "./support/random.js";

/** Adds the changed fields to updates; the page itself reads them from the new snapshot. */
function complete({ updates = [] }, before, after) {
  for (const update of updates) {
    const [old, now] = [before(update.from), after(update.to)];
    const own = ([name]) => !["id", "type", "rows"].includes(name);
    update.set = Object.fromEntries(Object.entries(now).filter(own));
    update.unset = Object.keys(old).filter((name) => own([name]) && !Object.hasOwn(now, name));
  }
}

describe("A comparison of two view models", () => {
  test("finds operations that convert one to the other by the rules of a diff", () => {
    forEachSeed(400, (random) => {
      const contents = new RandomContent(random);
      const content = contents.content();
      const before = document("R.0", content);
      const after = document("R.1", contents.changed(content));
      const { sections, rows } = compare(before, after);
      complete(sections, (at) => before.sections[at], (at) => after.sections[at]);
      const row = ({ sections }) => ([section, index]) => sections[section].rows[index];
      complete(rows, row(before), row(after));
      const states = { ...after.states };
      for (const name of Object.keys(before.states)) if (!(name in states)) states[name] = null;

      const replica = new Replica(before.screen);
      replica.apply(before);
      const { screen, rowCount, digest } = after;
      replica.apply({ kind: "diff", screen, from: "R.0", revision: "R.1", rowCount, digest, states, sections, rows });
      assert.equal(canonical(replica.snapshot.sections), canonical(after.sections));
    });
  });

  test("finds nothing between equal ones, and only inserts in the first", () => {
    forEachSeed(50, (random) => {
      const snapshot = document("R.0", new RandomContent(random).content());
      assert.deepEqual(compare(snapshot, structuredClone(snapshot)), { sections: {}, rows: {} });
      const { sections, rows } = compare(null, snapshot);
      assert.equal(sections.inserts?.length ?? 0, snapshot.sections.length);
      assert.deepEqual(rows, {});
    });
  });
});
