import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Announcer } from "../../Public/page/announcer.js";
import { news } from "../../Public/page/news.js";

const change = { argument: "value", command: { type: "didChange", row: "name" } };
const name = { id: "name", type: "textField", label: "Name", value: "", input: { type: "text" }, change };
const phone = {
  id: "phone", type: "phoneField", label: "Phone", value: "", input: { type: "tel" },
  change: { argument: "value", command: { type: "didChange", row: "phone" } },
};

/** Returns a view model with one section. */
const shown = (revision, rows, title = "") => ({ revision, states: {}, sections: [{ id: "all", title, rows }] });

/** Returns the change that gives rows other members; others are inserted. */
function changed(before, revision, rows, title = before.sections[0].title) {
  const [section] = before.sections;
  const after = shown(revision, rows, title);
  const place = ({ id }) => section.rows.findIndex((row) => row.id === id);
  const diff = {
    kind: "diff",
    rows: {
      inserts: rows.flatMap((row, at) => (place(row) < 0 ? [{ at: [0, at], row }] : [])),
      updates: rows.flatMap((row, at) =>
        place(row) < 0 ? [] : [{ id: row.id, from: [0, place(row)], to: [0, at], set: row }]),
    },
    sections: title === section.title ? {} : {
      updates: [{ id: "all", from: 0, to: 0, ...(title ? { set: { title } } : { unset: ["title"] }) }],
    },
  };
  return { kind: "diff", before, after, diff };
}

/** Returns a command with its reply, by which the row has a value. */
const sent = (row, revision, value = "") => ({
  command: { ...row.change.command, value: `${value} ` },
  reply: { accepted: true, revision, diff: changed(shown("r1", [row]), revision, [{ ...row, value }]).diff },
});

describe("The news", () => {
  test("leave out what the user has entered, and tell what others change meanwhile", () => {
    const before = shown("r1", [name, phone]);
    const entered = changed(before, "r2", [{ ...name, value: "Ada" }, phone]);
    assert.equal(news([entered]), "“Name”: Ada.");
    assert.equal(news([entered], [sent(name, "r2")]), "");
    const other = changed(entered.after, "r3", [{ ...name, value: "Eve" }, phone]);
    assert.equal(news([entered, other], [sent(name, "r2")]), "“Name”: Eve.");
  });

  test("tell the first three changes, and the number of the others", () => {
    const rows = (rank) => [1, 2, 3, 4, 5].map((id) => ({ id: `player/${id}`, type: "player", name: `No. ${id}`, rank }));
    const all = changed(shown("r1", rows(1)), "r2", rows(2));
    assert.equal(news([all]), "“No. 1”: Rank: 2. “No. 2”: Rank: 2. “No. 3”: Rank: 2. 2 more changed.");
    const four = changed(shown("r1", rows(1).slice(1)), "r2", rows(2).slice(1));
    assert.ok(news([four]).endsWith("“No. 4”: Rank: 2. 1 more changed."));
  });

  test("leave out what the user has entered if a change leads past its revision", () => {
    const both = changed(shown("r1", [name, phone]), "r3", [{ ...name, value: "Ada" }, { ...phone, value: "030" }]);
    assert.equal(news([both], [sent(name, "r2", "Ada")]), "“Phone”: 030.");
    assert.equal(news([both], [sent(name, "r2", "Eve")]), "“Name”: Ada. “Phone”: 030.");
    const later = changed(both.after, "r4", [{ ...name, value: "Eve" }, { ...phone, value: "030" }]);
    assert.equal(news([later], [sent(name, "r3", "Eve")]), "“Name”: Eve.");
  });

  test("tell what others change in a field whose entry has failed, or has a reply without its value", () => {
    const row = { ...name, value: "Ada" };
    const entered = changed(shown("r1", [name]), "r3", [row]);
    const updates = [{ id: "phone", set: { value: "Ada" } }, { id: "name", unset: ["label"] }];
    for (const diff of [
      undefined, { kind: "snapshot", rows: { updates: [{ id: "name", set: { value: "Ada" } }] } },
      ...[undefined, {}, { updates }].map((rows) => ({ kind: "diff", rows })),
    ]) {
      const { command } = sent(name, "r2");
      for (const reply of [undefined, { accepted: true, revision: "r2", diff }]) {
        assert.equal(news([entered], [{ command, reply }]), "“Name”: Ada.");
        const unset = [{ id: "name", from: [0, 0], to: [0, 0], unset: ["value"] }];
        const [before, after] = [shown("r1", [row]), shown("r3", [name])];
        const cleared = { kind: "diff", before, after, diff: { rows: { updates: unset } } };
        assert.equal(news([cleared], [{ command, reply }]), "“Name” changed.");
      }
    }
  });

  test("tell what an entry changes in other rows", () => {
    const entered = changed(shown("r1", [name, phone]), "r2", [{ ...name, value: "Ada" }, { ...phone, value: "030" }]);
    assert.equal(news([entered], [sent(name, "r2")]), "“Phone”: 030.");
  });

  test("tell a choice by the title of its option", () => {
    const options = [{ id: "s", title: "Small" }, { id: "l", title: "Large" }];
    const size = { ...name, label: "Size", value: "s", input: { type: "select", options } };
    const told = (/** @type {any} */ set) => news([changed(shown("r1", [size]), "r2", [{ ...size, ...set }])]);
    assert.equal(told({ value: "l" }), "“Size”: Large.");
    assert.equal(told({ value: "xl" }), "“Size”: xl.");
    assert.equal(told({ required: true }), "“Size”: Required: yes.");
  });

  test("tell a row that is added and changed as it is at the end", () => {
    const before = shown("r1", []);
    const post = { id: "post/1", type: "post", title: "Draft" };
    const added = changed(before, "r2", [post]);
    const renamed = changed(added.after, "r3", [{ ...post, title: "Night trains" }]);
    assert.equal(news([added, renamed]), "Post “Night trains” added.");
  });

  test("tell what is removed, moved and drawn again, and nothing of what comes and goes", () => {
    const post = (id) => ({ id, type: "post", title: id.toUpperCase() });
    const step = (before, after, diff) => ({ kind: "diff", before, after, diff });
    const all = shown("r2", [post("b"), post("a"), post("c")]);
    const rest = shown("r3", [post("b")]);
    const turned = step(shown("r1", [post("a"), post("b")]), all, { rows: {
      inserts: [{ at: [0, 2], row: post("c") }],
      moves: [{ id: "a", from: [0, 0], to: [0, 1] }],
      reloads: [{ id: "b", from: [0, 1], to: [0, 0] }],
    } });
    const cut = step(all, rest, { rows: { deletes: [{ id: "a", at: [0, 1] }, { id: "c", at: [0, 2] }] } });
    const inserts = [{ at: [0, 1], row: post("a") }, { at: [0, 2], row: post("c") }];
    const back = step(rest, all, { rows: { inserts } });
    assert.equal(news([turned]), "Post “C” added. Post “A” moved. Post “B” reloaded.");
    assert.equal(news([turned, cut]), "Post “A” removed. Post “B” reloaded.");
    assert.equal(news([cut, back]), "“A” and “C” moved.");

    const none = { ...all, sections: [] };
    for (const [title, told] of [["Posts", "Section “Posts” removed."], ["", "Post “A” removed."]]) {
      const gone = step(shown("r1", [post("a")], title), none, { sections: { deletes: [{ id: "all", at: 0 }] } });
      assert.equal(news([gone]), told);
    }
  });

  test("tell nothing of rows without a name that come, go, move or are drawn again", () => {
    const line = (id) => ({ id, type: "line" });
    const before = shown("r1", ["a", "b", "c"].map(line));
    const after = shown("r2", ["c", "b", "d"].map(line));
    const diff = { rows: {
      deletes: [{ id: "a", at: [0, 0] }],
      inserts: [{ at: [0, 2], row: line("d") }],
      moves: [{ id: "b", from: [0, 1], to: [0, 1] }],
      reloads: [{ id: "c", from: [0, 2], to: [0, 0] }],
    } };
    assert.equal(news([/** @type {any} */ ({ kind: "diff", before, after, diff })]), "");
    assert.equal(news([/** @type {any} */ ({ kind: "reset", before, after, diff: null })]), "");
  });

  test("tell a failure by its texts, with the field if it is of one", () => {
    const wrong = { id: "name/error", type: "fieldError", field: "name", code: "required", text: "This is needed." };
    const failed = { id: "posts/error", type: "loadError", code: "unavailable", text: "No posts.", detail: "No source." };
    const bare = { id: "likes/error", type: "loadError", code: "unavailable", text: "No likes." };
    const change = changed(shown("r1", [name]), "r2", [name, wrong, failed, bare]);
    assert.equal(news([change]), "Name: This is needed. No posts. No source. No likes.");
  });

  test("leave out values that have not changed", () => {
    const user = { id: "user", type: "profileHeader", name: { text: "Ada", isLoading: false } };
    const before = shown("r1", [user, phone]);
    const loading = changed(before, "r2", [{ ...user, name: { text: "Ada", isLoading: true } }, phone]);
    assert.equal(news([loading]), "");
    const other = changed(loading.after, "r3", [user, { ...phone, value: "030" }]);
    const back = changed(other.after, "r4", [user, phone]);
    assert.equal(news([loading, other, back]), "");
  });

  test("do not announce a title that is cleared as a new title", () => {
    assert.equal(news([changed(shown("r1", [], "Account"), "r2", [], "")]), "");
  });

  test("tell the states of sources, and none of other state machines", () => {
    const states = { posts: "loaded", users: "failed", friends: "isLoading", form: "editing" };
    const told = "Posts loaded. Users failed. Friends loading.";
    const after = { ...shown("r2", []), states };
    assert.equal(news([{ kind: "snapshot", before: null, after, diff: null }]), told);
    const diff = { states: { ...states, form: null } };
    assert.equal(news([{ kind: "diff", before: shown("r1", []), after, diff }]), told);
    assert.equal(news([{ kind: "diff", before: after, after: { ...after, revision: "r3" }, diff: {} }]), "");
  });

  test("name the rows of a new snapshot, and forget what came before it", () => {
    const post = { id: "post/1", type: "post", title: "Night trains" };
    const added = changed(shown("r1", []), "r2", [post]);
    const after = shown("r9", [name, post]);
    const reset = { kind: "reset", before: added.after, after, diff: null };
    assert.equal(news([added, reset]), "“Name” and “Night trains”.");
  });

  test("say of a new snapshot that its list is empty, and read out no other text of it", () => {
    const board = { id: "header", type: "scoreboardHeader", title: "Darts" };
    const empty = { id: "empty", type: "playersEmpty", text: "No players yet" };
    const button = { id: "send", type: "formButton", text: "Join" };
    const opened = { kind: "snapshot", before: null, after: shown("r1", [board, empty, button]), diff: null };
    assert.equal(news([opened]), "Scoreboard header “Darts”. No players yet.");
    const titled = { id: "empty", type: "playersEmpty", title: "No players yet" };
    assert.equal(news([{ ...opened, after: shown("r1", [titled]) }]), "Players empty “No players yet”.");
  });

  test("tell sections by their titles, and the rows of those without one", () => {
    const post = { id: "post/1", type: "post", title: "Night trains" };
    const section = (id, title) => ({ id, title, rows: [{ ...post, id: `post/${id}` }] });
    const [books, maps] = [section("b", "Books"), section("c", "Maps")];
    const before = { revision: "r1", states: {}, sections: [section("a", "Old"), books, maps] };
    const sections = [section("d", ""), section("e", "Games"), books, maps, section("a", "New")];
    const diff = { sections: {
      inserts: [{ at: 0, section: sections[0] }, { at: 1, section: sections[1] }],
      moves: [{ id: "a", from: 0, to: 4 }],
      reloads: [{ id: "b", from: 1, to: 2 }],
      updates: [{ id: "a", from: 0, to: 4, set: { title: "New" } }],
    } };
    const told = "“Night trains” and “Games” added. Section “New” moved. “Old” is now “New”."
      + " Section “Books” reloaded.";
    assert.equal(news([{ kind: "diff", before, after: { revision: "r2", states: {}, sections }, diff }]), told);
  });

  test("read messages as sentences, and count those that are left out", () => {
    const line = (text, id, type = "note") => ({ id, type, text });
    const before = shown("r1", []);
    const few = [line("No posts yet", "1"), line("Done.", "2"), line("Loading", "3", "postsLoading")];
    assert.equal(news([changed(before, "r2", few)]), "No posts yet. Done.");
    const many = ["a", "b", "c", "d", "e"].map((text) => line(text, text));
    assert.equal(news([changed(before, "r2", many.slice(0, 3))]), "a. b. c.");
    assert.equal(news([changed(before, "r2", many.slice(0, 4))]), "a. b. c. 1 more line.");
    assert.equal(news([changed(before, "r2", many)]), "a. b. c. 2 more lines.");
  });

  test("name the fields of several errors, and those without a label by their ids", () => {
    const wrong = (field) => ({ id: `${field}/error`, type: "fieldError", field, code: "required", text: "Needed." });
    const change = changed(shown("r1", [name]), "r2", [name, wrong("name"), wrong("city")]);
    assert.equal(news([change]), "To be corrected: Name, city.");
  });

  test("say what has changed of a row in the words that it has for people", () => {
    const row = {
      id: "1", type: "player", title: "", name: "Ada", pictureURL: "a", isReady: false, isDone: true,
      score: 1, scoreCard: 1, note: "Late", tags: ["x"],
    };
    const told = (/** @type {any} */ set) => news([changed(shown("r1", [row]), "r2", [{ ...row, ...set }])]);
    for (const [set, words] of /** @type {[any, string][]} */ ([
      [{ pictureURL: "b", isLoading: true }, ""],
      [{ isReady: true }, "“Ada”: Is ready: yes."],
      [{ isDone: false }, "“Ada”: Is done: no."],
      [{ score: 2, note: "", pictureURL: "b" }, "“Ada”: Score: 2."],
      [{ scoreCard: 2, value: 3 }, "“Ada”: Score card: 2, Value: 3."],
      [{ scoreText: "2 points", leadText: "Ada leads" }, "“Ada”: 2 points, Ada leads."],
      [{ tags: ["x", "y"] }, "“Ada”: x, y."],
      [{ tags: null }, "“Ada”: –."],
      [{ owner: { text: "", isLoading: true } }, "“Ada” changed."],
      [{ owner: { text: "Bo", isLoading: true } }, "“Ada”: Bo."],
      [{ owner: { age: 7, ageText: "seven", isNew: true } }, "“Ada”: Age: seven · Is new: ✓."],
      [{ title: "Eve" }, "“Ada” is now “Eve”."],
    ])) assert.equal(told(set), words);

    const { tags, ...rest } = row;
    const diff = { rows: { updates: [{ id: "1", from: [0, 0], to: [0, 0], unset: ["tags"] }] } };
    const cleared = { kind: "diff", before: shown("r1", [row]), after: shown("r2", [rest]), diff };
    assert.equal(news([cleared]), "“Ada” changed.");
    const nameless = changed(shown("r1", [{ id: "1", type: "player" }]), "r2", [row]);
    assert.equal(news([nameless]), "“Ada”: Is ready: no, Is done: yes, Score: 1, Score card: 1, Late, x.");
  });

  test("name the first few rows, and none without a name or with a code", () => {
    const posts = ["A", "B", "C", "D", "E"].map((title) => ({ id: title, type: "post", title }));
    const told = (/** @type {any[]} */ rows) => news([changed(shown("r1", []), "r2", rows)]);
    assert.equal(told(posts.slice(0, 3)), "“A”, “B” and “C” added.");
    assert.equal(told(posts.slice(0, 4)), "“A”, “B”, “C” and 1 more added.");
    assert.equal(told(posts), "“A”, “B”, “C” and 2 more added.");
    const busy = { id: "busy", type: "notice", title: "Busy", code: "busy" };
    const wordless = { id: "name/error", type: "fieldError", field: "name", code: "required" };
    assert.equal(told([{ id: "line", type: "splitter" }, busy, wordless]), "");
  });

  test("take the code of an object of a collection for data", () => {
    const country = { id: "1", type: "element", code: "DE", name: "Germany" };
    assert.equal(news([changed(shown("r1", []), "r2", [country])]), "Element “Germany” added.");
    const letter = { id: "2", type: "element", code: "A", text: "Dear Ada" };
    assert.equal(news([changed(shown("r1", []), "r2", [letter])]), "Dear Ada.");
  });

  test("tell nothing of the rows of a section that goes", () => {
    const post = { id: "post/1", type: "post", title: "Draft" };
    const added = changed(shown("r1", [name, phone], "Posts"), "r2", [{ ...name, value: "Ada" }, phone, post]);
    const deletes = { sections: { deletes: [{ id: "all", at: 0 }] } };
    const gone = { kind: "diff", before: added.after, after: { ...added.after, sections: [] }, diff: deletes };
    assert.equal(news([added, gone]), "Section “Posts” removed.");
    const untitled = { ...gone, before: shown("r2", [phone]) };
    assert.equal(news([untitled]), "Phone field “Phone” removed.");
  });

  test("shorten a name between two characters", () => {
    const told = (title) => news([changed(shown("r1", []), "r2", [{ id: "post/1", type: "post", title }])]);
    assert.equal(told("🚂".repeat(100)), `Post “${"🚂".repeat(79)}…” added.`);
    assert.equal(told("🚂".repeat(80)), `Post “${"🚂".repeat(80)}” added.`);
  });
});

/** An announcer at a time that the test sets; `pass` lets some time pass, and then what waits for it. */
function announcing(mock) {
  let time = 60_000;
  let say = () => {};
  mock.method(performance, "now", () => time);
  mock.method(globalThis, "setTimeout", (/** @type {() => void} */ action) => void (say = action));
  mock.method(globalThis, "clearTimeout", () => void (say = () => {}));
  const host = /** @type {any} */ ({ textContent: "" });
  const answers = { isAwaited: false };
  const pass = (/** @type {number} */ milliseconds) => {
    time += milliseconds;
    say();
    return host.textContent;
  };
  return { announcer: new Announcer(host, () => answers.isAwaited), answers, host, pass };
}

describe("The announcer", () => {
  const ada = { ...name, value: "Ada" };
  const named = changed(shown("r1", [name, phone]), "r2", [ada, phone]);
  const phoned = changed(named.after, "r3", [ada, { ...phone, value: "030" }]);

  test("waits for the reply to a command, but not more than five seconds from the first change", ({ mock }) => {
    const { announcer, answers, pass } = announcing(mock);
    answers.isAwaited = true;
    announcer.tell(named);
    assert.equal(pass(3000), "");
    announcer.tell(phoned);
    assert.equal(pass(1999), "");
    assert.equal(pass(1), "“Name”: Ada. “Phone”: 030.");
    announcer.tell(named);
    assert.equal(pass(400), "“Name”: Ada. “Phone”: 030.");
    answers.isAwaited = false;
    assert.equal(pass(400), "“Name”: Ada.");
  });

  test("says nothing of a view model that is left, and nothing less of the next one", ({ mock }) => {
    const { announcer, host, pass } = announcing(mock);
    announcer.tell(phoned);
    announcer.note(sent(name, "r2", "Ada"));
    announcer.stop();
    assert.equal(pass(400), "");
    announcer.tell(named);
    assert.equal(pass(400), "“Name”: Ada.");
    announcer.stop();
    assert.equal(host.textContent, "");
  });

  test("leaves out what the user has entered, and nothing later because of a reply that comes late", ({ mock }) => {
    const { announcer, pass } = announcing(mock);
    announcer.tell(changed(shown("r1", [name, phone]), "r3", [{ ...name, value: "Ada" }, { ...phone, value: "030" }]));
    announcer.note(sent(name, "r2", "Ada"));
    assert.equal(pass(400), "“Phone”: 030.");
    announcer.note(sent(name, "r2", "Ada"));
    announcer.tell(changed(shown("r4", [name]), "r5", [{ ...name, value: "Ada" }]));
    assert.equal(pass(400), "“Name”: Ada.");
  });
});
