import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { describe, test } from "node:test";
import { DivergenceError, Replica, canonical, digest } from "../../Public/viewdelta.js";
import { diff, document, post, snapshot } from "./support/documents.js";
import { RandomContent, forEachSeed } from "./support/random.js";

const wire = new URL("../Fixtures/wire/", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(name, wire), "utf8"));
const chains = readdirSync(wire).filter((name) => name.startsWith("diff-"));

function replicaOf(document) {
  const replica = new Replica(document.screen);
  replica.apply(document);
  return replica;
}

/** Returns the held content as a snapshot document of the server. */
const bytesOf = (replica) => canonical({ kind: "snapshot", ...replica.snapshot });

/** Expects that a document is refused with a code and changes nothing. */
function expectRefusal(replica, document, code) {
  const before = replica.snapshot;
  assert.throws(
    () => replica.apply(document),
    (error) => error instanceof DivergenceError && error.code === code,
  );
  assert.equal(replica.snapshot, before);
}

describe("A replica", () => {
  test("finds the fixtures that the Swift tests read", () => assert.ok(chains.length >= 11));

  for (const name of chains) {
    test(`applies ${name}`, () => {
      const { before, diff, after } = read(name);
      const replica = replicaOf(before);
      const changes = replica.apply(diff);
      assert.equal(bytesOf(replica), canonical(after));
      assert.equal(changes.kind, "diff");
      assert.equal(changes.diff, diff);
      assert.equal(canonical({ kind: "snapshot", ...changes.before }), canonical(before));
      assert.equal(changes.after, replica.snapshot);
    });

    test(`refuses ${name} for another number of rows, another digest or another start`, () => {
      const { before, diff } = read(name);
      const replica = replicaOf(before);
      expectRefusal(replica, { ...diff, rowCount: diff.rowCount + 1 }, "row-count");
      expectRefusal(replica, { ...diff, digest: "1" }, "digest");
      expectRefusal(replica, { ...diff, from: "r9" }, "other-revision");
      expectRefusal(replica, { ...diff, screen: "profile/2" }, "other-screen");
    });
  }

  test("holds nothing before its first document, and gets no name until then", () => {
    const replica = new Replica("profile/1");
    replica.rename("n1");
    assert.deepEqual([replica.snapshot, replica.revision], [null, null]);
  });

  test("applies a snapshot and a reset, and reports the reason", () => {
    for (const name of ["snapshot.json", "reset.json"]) {
      const replica = new Replica("profile/1");
      const { before, reason } = replica.apply(read(name));
      assert.equal(before, null);
      assert.equal(reason, name === "reset.json" ? "epoch-changed" : null);
      assert.equal(bytesOf(replica), canonical(read("snapshot.json")));
    }
  });

  test("keeps the objects of rows and sections that a diff does not change", () => {
    const first = snapshot("r1", ["a", "b", "c"]);
    first.sections.push({ id: "other", rows: [post("x")] });
    const before = document("r1", { sections: first.sections, states: first.states });
    const replica = replicaOf(before);
    const old = replica.snapshot.sections;
    const sections = [{ id: "posts", rows: [post("c"), post("a"), post("b", { title: "new" })] }];
    const content = { sections: [...sections, before.sections[1]], states: before.states };
    replica.apply(diff(before, document("r2", content)));
    const now = replica.snapshot.sections;
    assert.equal(now[1], old[1]);
    assert.equal(now[0].rows[0], old[0].rows[2]);
    assert.equal(now[0].rows[1], old[0].rows[0]);
    assert.notEqual(now[0].rows[2], old[0].rows[1]);
    assert.equal(old[0].rows[1].title, "Title of b", "what was handed out is never changed");
  });

  test("takes a state of any name", () => {
    const before = snapshot("r1", ["a"]);
    const states = { constructor: "loaded", ...JSON.parse('{"__proto__":"loaded"}') };
    const after = document("r2", { sections: before.sections, states });
    const replica = replicaOf(before);
    replica.apply({ ...diff(before, after), states: { ...states, posts: null } });
    assert.deepEqual(Object.entries(replica.snapshot.states), Object.entries(states));
  });

  test("keeps the objects of unchanged rows and sections in a reset", () => {
    const replica = replicaOf(snapshot("r1", ["a", "b"]));
    const [a, b] = replica.snapshot.sections[0].rows;
    const rows = [post("b"), post("a", { title: "new" })];
    replica.apply({ ...snapshot("n1", rows), kind: "reset", reason: "epoch-changed" });
    assert.equal(replica.snapshot.sections[0].rows[0], b);
    assert.notEqual(replica.snapshot.sections[0].rows[1], a);
    const section = replica.snapshot.sections[0];
    replica.apply({ ...snapshot("n2", rows), kind: "reset", reason: "history-expired" });
    assert.equal(replica.snapshot.sections[0], section);
  });

  test("takes a row of a reset that has the hash of the held one, but another content", () => {
    // The two have been searched for: their 64-bit hashes are equal.
    const [held, next] = ["jodjjhlngeggcoap", "pkncgbnpidnoflgn"].map((body) => ({
      _id: 1, body, id: "notes/1", type: "element",
    }));
    assert.equal(digest({ sections: [{ id: "a", rows: [held] }], states: {} }),
      digest({ sections: [{ id: "a", rows: [next] }], states: {} }));
    const replica = replicaOf(snapshot("r1", [held]));
    replica.apply({ ...snapshot("n1", [next]), kind: "reset", reason: "epoch-changed" });
    assert.deepEqual(replica.snapshot.sections[0].rows, [next]);
  });

  test("replaces what is drawn again by other objects of the same content", () => {
    const first = snapshot("r1", ["a", "b", "c"]);
    const sections = [...first.sections, { id: "other", rows: [post("x"), post("y")] }];
    const before = document("r1", { sections, states: first.states });
    const replica = replicaOf(before);
    const [posts, other] = replica.snapshot.sections;
    const stays = (at) => ({ id: "abc"[at], from: [0, at], to: [0, at] });
    const next = { ...diff(before, { ...before, revision: "r2" }), animated: false };
    const changes = replica.apply({ ...next, rows: { reloads: [stays(0), stays(2)] } });
    assert.deepEqual(replica.snapshot.sections, sections);
    assert.equal(changes.diff.animated, false);
    const now = replica.snapshot.sections[0].rows;
    assert.deepEqual(now.map((row, at) => row === posts.rows[at]), [false, true, false]);
    assert.equal(replica.snapshot.sections[1], other);
    replica.apply({ ...next, from: "r2", sections: { reloads: [{ id: "other", from: 1, to: 1 }] } });
    assert.equal(replica.snapshot.sections[0].rows, now);
    assert.deepEqual(replica.snapshot.sections[1], other);
    assert.ok(replica.snapshot.sections[1].rows.every((row, at) => row !== other.rows[at]));
  });

  test("accepts a new name for the held revision after a restart", () => {
    const replica = replicaOf(snapshot("r1", ["a"]));
    replica.rename("n1");
    assert.equal(replica.revision, "n1");
    replica.apply(diff(snapshot("n1", ["a"]), snapshot("n2", ["a", "b"])));
    assert.equal(replica.snapshot.rowCount, 2);
  });
});

describe("A replica refuses", () => {
  const before = snapshot("r1", ["a", "b", "c"]);
  const good = diff(before, snapshot("r2", ["c", "b", "d"]));
  const cases = {
    "a delete of another row than is there": { deletes: [{ id: "b", at: [0, 0] }] },
    "a delete outside": { deletes: [{ id: "a", at: [0, 3] }] },
    "a delete in no section": { deletes: [{ id: "a", at: [1, 0] }] },
    "deletes that ascend": { deletes: [{ id: "a", at: [0, 0] }, { id: "b", at: [0, 1] }] },
    "two rows into one position": {
      inserts: [{ at: [0, 0], row: post("d") }],
      moves: [{ id: "c", from: [0, 2], to: [0, 0] }],
    },
    "an insert beyond the end": { inserts: [{ at: [0, 4], row: post("d") }] },
    "an insert before the start": { inserts: [{ at: [0, -1], row: post("d") }] },
    "an insert between positions": { inserts: [{ at: [0, 0.5], row: post("d") }] },
    "an insert into no section": { inserts: [{ at: [1, 0], row: post("d") }] },
    "a move of a deleted row": {
      deletes: [{ id: "a", at: [0, 0] }],
      moves: [{ id: "a", from: [0, 0], to: [0, 1] }],
    },
    "a reload of a row that goes elsewhere": { reloads: [{ id: "a", from: [0, 0], to: [0, 1] }] },
    "a reload of another row": { reloads: [{ id: "b", from: [0, 0], to: [0, 0] }] },
    "a reload from the place of another row": { reloads: [{ id: "a", from: [0, 1], to: [0, 0] }] },
    "a reload of a deleted row": {
      deletes: [{ id: "a", at: [0, 0] }],
      inserts: [{ at: [0, 0], row: post("a") }],
      reloads: [{ id: "a", from: [0, 0], to: [0, 0] }],
    },
    "reloads of one row twice": { reloads: Array(2).fill({ id: "a", from: [0, 0], to: [0, 0] }) },
    "a reload in no section": { reloads: [{ id: "a", from: [0, 0], to: [1, 0] }] },
    "reloads that descend": { reloads: [{ id: "b", from: [0, 1], to: [0, 1] }, { id: "a", from: [0, 0], to: [0, 0] }] },
    "an update that goes elsewhere": {
      updates: [{ id: "a", from: [0, 0], to: [0, 1], set: { title: "x" } }],
    },
    "an update of a deleted row": {
      deletes: [{ id: "a", at: [0, 0] }],
      updates: [{ id: "a", from: [0, 0], to: [0, 0], set: { title: "x" } }],
    },
    "an update of nothing": { updates: [{ id: "a", from: [0, 0], to: [0, 0], set: {} }] },
    "an update of the id": {
      updates: [{ id: "a", from: [0, 0], to: [0, 0], set: { id: "x" } }],
    },
    "an update of the type": {
      updates: [{ id: "a", from: [0, 0], to: [0, 0], set: { type: "x" } }],
    },
    "an update that unsets what is not there": {
      updates: [{ id: "a", from: [0, 0], to: [0, 0], unset: ["nothing"] }],
    },
    "an update that unsets the type": {
      updates: [{ id: "a", from: [0, 0], to: [0, 0], unset: ["type"] }],
    },
    "an update that unsets what it sets": {
      updates: [{ id: "a", from: [0, 0], to: [0, 0], set: { title: "x" }, unset: ["title"] }],
    },
  };
  for (const [name, rows] of Object.entries(cases)) {
    test(name, () => expectRefusal(replicaOf(before), { ...good, rows }, "inapplicable"));
  }

  test("a repeated id", () => {
    const rows = { inserts: [{ at: [0, 3], row: post("a") }] };
    expectRefusal(replicaOf(before), { ...good, rows, rowCount: 4 }, "duplicate-id");
  });

  test("rows of an inserted or deleted section", () => {
    const sections = {
      deletes: [{ id: "posts", at: 0 }],
      inserts: [{ at: 0, section: { id: "new", rows: [] } }],
    };
    const lone = { deletes: [{ id: "a", at: [0, 0] }] };
    expectRefusal(replicaOf(before), { ...good, sections, rows: lone }, "inapplicable");
    const into = { inserts: [{ at: [0, 0], row: post("x") }] };
    expectRefusal(replicaOf(before), { ...good, sections, rows: into }, "inapplicable");
  });

  const three = document("r1", { sections: ["a", "b", "c"].map((id) => ({ id, rows: [post(`${id}1`)] })), states: {} });
  const set = { title: "x" };
  const sectionCases = {
    "a delete of another section than is there": { deletes: [{ id: "b", at: 0 }] },
    "a delete of a section beyond the end": { deletes: [{ id: "a", at: 3 }] },
    "deletes of sections that ascend": { deletes: [{ id: "a", at: 0 }, { id: "b", at: 1 }] },
    "a move of another section": { moves: [{ id: "b", from: 0, to: 1 }] },
    "an update of another section": { updates: [{ id: "b", from: 0, to: 0, set }] },
    "an update of a section that goes elsewhere": { updates: [{ id: "a", from: 0, to: 1, set }] },
    "an update of a section that goes beyond the end": { updates: [{ id: "a", from: 0, to: 3, set }] },
    "an update of the id of a section": { updates: [{ id: "a", from: 0, to: 0, set: { id: "x" } }] },
    "an update of the rows of a section": { updates: [{ id: "a", from: 0, to: 0, set: { rows: [] } }] },
    "a reload of another section": { reloads: [{ id: "b", from: 0, to: 0 }] },
    "a reload of a section that goes elsewhere": { reloads: [{ id: "a", from: 0, to: 1 }] },
    "a reload of a section that goes beyond the end": { reloads: [{ id: "a", from: 0, to: 3 }] },
  };
  for (const [name, sections] of Object.entries(sectionCases)) {
    test(name, () => expectRefusal(replicaOf(three), { ...diff(three, three), sections }, "inapplicable"));
  }

  test("a reload of a row of a deleted section that is inserted elsewhere", () => {
    const sections = { deletes: [{ id: "c", at: 2 }] };
    const rows = {
      inserts: [{ at: [0, 0], row: post("c1") }],
      reloads: [{ id: "c1", from: [2, 0], to: [0, 0] }],
    };
    expectRefusal(replicaOf(three), { ...diff(three, three), sections, rows }, "inapplicable");
  });

  test("the removal of a missing state", () => {
    expectRefusal(replicaOf(before), { ...good, states: { none: null } }, "inapplicable");
  });

  test("a value that is not a document", () => {
    const replica = replicaOf(before);
    expectRefusal(replica, null, "malformed");
    expectRefusal(replica, { ...good, kind: "other" }, "malformed");
    expectRefusal(replica, { ...before, kind: "other" }, "malformed");
    expectRefusal(replica, { ...before, revision: 2 }, "malformed");
    expectRefusal(replica, { ...good, rows: { deletes: [null] } }, "malformed");
    expectRefusal(replica, { ...before, sections: null }, "malformed");
    expectRefusal(replica, { ...before, states: null }, "malformed");
    expectRefusal(new Replica("profile/1"), good, "other-revision");
  });
});

test("A replica refuses sections and rows without an id", () => {
  const row = post("a");
  for (const section of [{ rows: [row] }, { id: "posts", rows: [{ ...row, id: undefined }] }]) {
    const sections = JSON.parse(JSON.stringify([section]));
    expectRefusal(new Replica("profile/1"), document("r1", { sections, states: {} }), "malformed");
  }
});

describe("For random view models", () => {
  test("the diff of any two converts one to the other, byte for byte", () => {
    forEachSeed(600, (random) => {
      const make = new RandomContent(random);
      let current = document("r0", make.content());
      const replica = replicaOf(structuredClone(current));
      for (let step = 1; step <= 6; step++) {
        const next = document(`r${step}`, make.changed(current));
        replica.apply(structuredClone(diff(current, next)));
        assert.equal(bytesOf(replica), canonical(next));
        current = next;
      }
    });
  });

  test("a diff with one changed number is refused or has the same result", () => {
    forEachSeed(300, (random) => {
      const make = new RandomContent(random);
      const before = document("r0", make.content());
      const after = document("r1", make.changed(before));
      const replica = replicaOf(before);
      const broken = structuredClone(diff(before, after));
      const places = positions(broken);
      if (places.length === 0) return;
      const [holder, name] = make.pick(places);
      holder[name] += make.pick([-1, 1, 2]);
      try {
        replica.apply(broken);
      } catch (error) {
        assert.ok(error instanceof DivergenceError, String(error));
        return;
      }
      assert.equal(bytesOf(replica), canonical(after));
    });
  });
});

/** Returns all positions in the operations of a diff. */
function positions(value) {
  const operations = [value.sections, value.rows].flatMap((group) =>
    Object.values(group ?? {}).flat(),
  );
  return operations.flatMap((operation) =>
    ["at", "from", "to"].flatMap((name) => {
      const place = operation[name];
      if (place === undefined) return [];
      return Array.isArray(place) ? [[place, 0], [place, 1]] : [[operation, name]];
    }),
  );
}
