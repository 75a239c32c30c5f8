import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Replica, canonical, transform } from "../../Public/viewdelta.js";
import { diff, document, snapshot } from "./support/documents.js";
import { Fixture } from "./support/fixture.js";
import { RandomContent, forEachSeed } from "./support/random.js";

/** A list that performs single operations, after checking that they are valid at this moment. */
class CheckedList {
  elements = [];
  log = [];

  constructor(elements = []) {
    this.elements = [...elements];
  }

  insert(element, at) {
    assert.ok(at >= 0 && at <= this.elements.length, `insert at ${at}`);
    this.elements.splice(at, 0, element);
    this.log.push(`insert ${element.id} ${at}`);
  }

  delete(element, at) {
    assert.equal(this.elements[at], element);
    this.elements.splice(at, 1);
    this.log.push(`delete ${element.id} ${at}`);
  }

  update(old, at, element) {
    assert.equal(this.elements[at], old);
    assert.equal(old.id, element.id);
    this.elements[at] = element;
    this.log.push(`update ${element.id} ${at}`);
  }

  count(operation) {
    return this.log.filter((entry) => entry.startsWith(operation)).length;
  }
}

/** The same list with a move of its own. */
class MovingList extends CheckedList {
  move(element, from, to) {
    assert.equal(this.elements[from], element);
    assert.ok(to >= 0 && to < this.elements.length && to !== from, `move to ${to}`);
    this.elements.splice(to, 0, ...this.elements.splice(from, 1));
    this.log.push(`move ${element.id} ${from} ${to}`);
  }
}

/** A list that draws elements again. */
class ReloadingList extends MovingList {
  reload(old, at, element) {
    this.update(old, at, element);
    this.log[this.log.length - 1] = `reload ${element.id} ${at}`;
  }
}

/** A section with a list of its rows. */
class Screen extends MovingList {
  rows = [];

  insert(section, at) {
    super.insert(section, at);
    this.rows.splice(at, 0, new MovingList());
    transform(this.rows[at], section.rows, Object.is);
  }

  delete(section, at) {
    super.delete(section, at);
    this.rows.splice(at, 1);
  }

  update(old, at, section) {
    super.update(old, at, section);
    transform(this.rows[at], section.rows, Object.is);
  }

  move(section, from, to) {
    super.move(section, from, to);
    this.rows.splice(to, 0, ...this.rows.splice(from, 1));
  }

  /** What the lists hold, as a snapshot has it. */
  get sections() {
    return this.elements.map((section, index) => ({ ...section, rows: this.rows[index].elements }));
  }
}

const players = (text) =>
  [...text].map((letter) => ({ id: letter.toLowerCase(), isUpper: letter !== letter.toLowerCase() }));

/** The length of a longest increasing subsequence, by the textbook's recurrence. */
function longest(values) {
  const best = values.map(() => 1);
  values.forEach((value, index) => {
    for (let before = 0; before < index; before++) {
      if (values[before] < value) best[index] = Math.max(best[index], best[before] + 1);
    }
  });
  return Math.max(0, ...best);
}

describe("A list is transformed", () => {
  const cases = [
    ["", "", []],
    ["ab", "ab", []],
    ["", "ab", ["insert a 0", "insert b 1"]],
    ["ab", "", ["delete b 1", "delete a 0"]],
    ["abcd", "xaCde", ["delete b 1", "insert x 0", "insert e 4", "update c 2"]],
    ["abcd", "xdaC", ["delete b 1", "insert x 0", "move d 3 1", "update c 3"]],
    ["abc", "bcA", ["move a 0 2", "update a 2"]],
  ];
  for (const [old, next, log] of cases) {
    test(`from "${old}" to "${next}" by the fewest operations`, () => {
      const list = new ReloadingList(players(old));
      transform(list, players(next));
      assert.deepEqual(list.log, log);
      assert.deepEqual(list.elements, players(next));
    });
  }

  test("by deleting and inserting what moves, if the list cannot move", () => {
    const list = new CheckedList(players("abc"));
    transform(list, players("cAb"));
    assert.deepEqual(list.log, ["delete c 2", "insert c 0", "update a 1"]);
  });

  test("with an element for each of several with one id", () => {
    const same = Object.fromEntries(players("ab").map((player) => [player.id, player]));
    const shared = (text) => [...text].map((id) => same[id]);
    for (const [old, next] of [["aab", "ab"], ["ab", "aabb"], ["abab", "baba"], ["a", "aaa"], ["aaa", "a"]]) {
      for (const elements of [players, shared]) {
        const list = new CheckedList(elements(old));
        transform(list, elements(next));
        assert.deepEqual(list.elements, elements(next));
      }
    }
  });

  test("by an update of an element that is another one as JSON, such as by its date", () => {
    const due = (/** @type {number} */ time) => ({ id: "a", due: new Date(time), note: undefined });
    const list = new CheckedList([due(1)]);
    transform(list, [{ due: new Date(1), id: "a" }]);
    assert.deepEqual(list.log, []);
    transform(list, [due(2)]);
    assert.deepEqual(list.log, ["update a 0"]);
  });

  test("by a delete and an insert for a row whose type changes", () => {
    const list = new CheckedList([{ id: "a", type: "post" }]);
    transform(list, [{ id: "a", type: "link" }]);
    assert.deepEqual(list.log, ["delete a 0", "insert a 0"]);
  });

  test("by operations that are valid one by one, without a move too many", () => {
    forEachSeed(500, (random) => {
      const content = new RandomContent(random);
      const size = content.pick([0, 1, 5, 20, 31, 32, 33, 200]);
      // Texts that only look alike are different ids.
      const ids = ["\u00e9", "e\u0301", "K", "\u212a", 1, "1", "__proto__", ...Array(size).keys()]
        .map((id, index) => (index > 6 ? `p${id}` : id));
      const shuffled = () => {
        const rest = [...ids];
        const count = content.below(ids.length + 1);
        return Array.from({ length: count }, () => rest.splice(content.below(rest.length), 1)[0]);
      };
      const element = (id) => ({ id, value: content.below(2) });
      const old = shuffled().map(element);
      const known = new Map(old.map((each) => [each.id, each]));
      const next = shuffled().map((id) => (content.below(2) && known.get(id)) || element(id));
      const list = new MovingList(old);
      transform(list, next);
      assert.deepEqual(list.elements, next);

      const places = new Map(old.map(({ id }, index) => [id, index]));
      const kept = next.filter(({ id }) => places.has(id));
      assert.equal(list.count("delete"), old.length - kept.length);
      assert.equal(list.count("insert"), next.length - kept.length);
      const froms = kept.map(({ id }) => places.get(id));
      assert.equal(list.count("move"), kept.length - longest(froms));
      assert.equal(list.count("update"), kept.filter(({ id, value }) => known.get(id).value !== value).length);
      const plain = new CheckedList(old);
      transform(plain, next);
      assert.deepEqual(plain.elements, next);
    });
  });

  test("without a look at the elements before the first and behind the last that differ", () => {
    let looks = 0;
    const old = Array.from({ length: 1_000 }, (_, id) => ({ get id() { return (looks += 1, id); } }));
    const list = { elements: [...old], insert() {}, delete() {}, update() {} };
    transform(list, [...old.slice(0, 500), { id: "new" }, ...old.slice(501)]);
    assert.ok(looks < 10, `${looks} looks`);
  });

  test("in time if it is long and reversed", () => {
    const old = Array.from({ length: 200_000 }, (_, id) => ({ id }));
    let calls = 0;
    const count = () => (calls += 1);
    // The time-out of a test ends none that does not wait.
    const start = performance.now();
    transform({ elements: old, insert: count, delete: count, update: count, move: count }, [...old].reverse());
    const seconds = (performance.now() - start) / 1000;
    assert.ok(seconds < 10, `${seconds} s`);
    assert.equal(calls, old.length - 1);
  });
});

describe("A replica", () => {
  test("drives the sections and their rows through any documents", () => {
    forEachSeed(150, (random) => {
      const contents = new RandomContent(random);
      let content = contents.content();
      let held = document("r0", content);
      const replica = new Replica(held.screen);
      replica.apply(held);
      const [screen, rows] = [new Screen(), new MovingList()];
      const section = content.sections[0]?.id ?? "none";
      for (let step = 1; step < 6; step++) {
        const { sections } = replica.snapshot;
        transform(screen, sections, Object.is);
        assert.equal(canonical(screen.sections), canonical(sections));
        const expected = sections.find(({ id }) => id === section)?.rows ?? [];
        transform(rows, expected, Object.is);
        assert.deepEqual(rows.elements, expected);
        content = contents.changed(content);
        const next = document(`r${step}`, content);
        replica.apply(contents.below(4) ? diff(held, next)
          : { ...next, kind: "reset", reason: "history-expired" });
        held = next;
      }
    });
  });
});

describe("A view model drives", () => {
  test("a list of sections", async () => {
    const fixture = new Fixture();
    const { model } = await fixture.opened(snapshot("r1", ["a", "b"]));
    const stream = await (await fixture.server.next("/events")).stream();
    const screen = new Screen();
    model.drive(screen);
    await stream.event(diff(snapshot("r1", ["a", "b"]), snapshot("r2", ["b", "c"])));
    assert.deepEqual(screen.log, ["insert posts 0", "update posts 0"]);
    assert.equal(canonical(screen.sections), canonical(model.snapshot.sections));
    fixture.client.close();
  });

  test("a list that draws rows again, and one that updates them instead", async () => {
    const fixture = new Fixture();
    const before = snapshot("r1", ["a", "b"]);
    const { model } = await fixture.opened(before);
    const stream = await (await fixture.server.next("/events")).stream();
    const [reloading, updating] = [new ReloadingList(), new MovingList()];
    for (const list of [reloading, updating]) {
      model.drive(list, "posts");
      list.log = [];
    }
    const moved = snapshot("r2", ["b", { ...before.sections[0].rows[0], title: "New" }]);
    const rows = { reloads: [{ id: "b", from: [0, 1], to: [0, 0] }] };
    const change = diff(before, moved);
    await stream.event({ ...change, rows: { ...change.rows, ...rows } });
    assert.deepEqual(reloading.log.slice(1), ["reload b 0", "update a 1"]);
    assert.deepEqual(updating.log.slice(1), ["update b 0", "update a 1"]);
    reloading.log = [];
    await stream.event({
      ...diff(moved, { ...moved, revision: "r3" }),
      sections: { reloads: [{ id: "posts", from: 0, to: 0 }] },
    });
    assert.deepEqual(reloading.log, ["reload b 0", "reload a 1"]);
    fixture.client.close();
  });

  test("a list of the rows of one section among others", async () => {
    const fixture = new Fixture();
    const sections = ["users", "posts"].map((id) => ({ id, rows: [{ id: `${id}-row`, type: "row" }] }));
    const before = document("r1", { sections, states: {} });
    const { model } = await fixture.opened(before);
    const stream = await (await fixture.server.next("/events")).stream();
    const list = new ReloadingList();
    model.drive(list, "posts");
    const reloads = [{ id: "posts", from: 1, to: 1 }];
    await stream.event({ ...diff(before, { ...before, revision: "r2" }), sections: { reloads } });
    assert.deepEqual(list.log, ["insert posts-row 0", "reload posts-row 0"]);
    fixture.client.close();
  });

  test("a list of sections that draws them again", async () => {
    const fixture = new Fixture();
    const before = snapshot("r1", ["a"]);
    const { model } = await fixture.opened(before);
    const stream = await (await fixture.server.next("/events")).stream();
    const list = new ReloadingList();
    model.drive(list);
    list.log = [];
    const sections = { reloads: [{ id: "posts", from: 0, to: 0 }] };
    await stream.event({ ...diff(before, { ...before, revision: "r2" }), sections });
    await stream.event(diff({ ...before, revision: "r2" }, snapshot("r3", ["b"])));
    assert.deepEqual(list.log, ["reload posts 0", "update posts 0"]);
    fixture.client.close();
  });

  test("a list from the first snapshot on, until it is ended", async () => {
    const fixture = new Fixture();
    const { model } = fixture.open();
    const list = new MovingList();
    const end = model.drive(list, "posts");
    assert.deepEqual(list.elements, []);
    await (await fixture.server.next("/profile/1")).answer(200, snapshot("r1", ["a", "b"]));
    const stream = await (await fixture.server.next("/events")).stream();
    list.log = [];
    await stream.event(diff(snapshot("r1", ["a", "b"]), snapshot("r2", ["b", "a", "c"])));
    assert.deepEqual(list.log, ["move b 1 0", "insert c 2"]);
    end();
    await stream.event(diff(snapshot("r2", ["b", "a", "c"]), snapshot("r3", [])));
    assert.deepEqual(list.elements.map(({ id }) => id), ["b", "a", "c"]);
    fixture.client.close();
  });
});
