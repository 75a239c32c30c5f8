import assert from "node:assert/strict";
import { describe, test } from "node:test";
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

/** Returns a command with its reply. */
const sent = (row, revision) => ({ command: { ...row.change.command, value: "" }, reply: { accepted: true, revision } });

describe("The news", () => {
  test("leave out what the user has entered, and tell what others change meanwhile", () => {
    const before = shown("r1", [name, phone]);
    const entered = changed(before, "r2", [{ ...name, value: "Ada" }, phone]);
    assert.equal(news([entered]), "“Name”: Ada.");
    assert.equal(news([entered], [sent(name, "r2")]), "");
    const other = changed(entered.after, "r3", [{ ...name, value: "Eve" }, phone]);
    assert.equal(news([entered, other], [sent(name, "r2")]), "“Name”: Eve.");
  });

  test("tell what an entry changes in other rows", () => {
    const entered = changed(shown("r1", [name, phone]), "r2", [{ ...name, value: "Ada" }, { ...phone, value: "030" }]);
    assert.equal(news([entered], [sent(name, "r2")]), "“Phone”: 030.");
  });

  test("tell a choice by the title of its option", () => {
    const options = [{ id: "s", title: "Small" }, { id: "l", title: "Large" }];
    const size = { ...name, label: "Size", value: "s", input: { type: "select", options } };
    assert.equal(news([changed(shown("r1", [size]), "r2", [{ ...size, value: "l" }])]), "“Size”: Large.");
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

  test("tell a failure by its texts, with the field if it is of one", () => {
    const wrong = { id: "name/error", type: "fieldError", field: "name", code: "required", text: "This is needed." };
    const failed = { id: "posts/error", type: "loadError", code: "unavailable", text: "No posts.", detail: "No source." };
    const change = changed(shown("r1", [name]), "r2", [name, wrong, failed]);
    assert.equal(news([change]), "Name: This is needed. No posts. No source.");
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

  test("shorten a name between two characters", () => {
    const post = { id: "post/1", type: "post", title: "🚂".repeat(100) };
    assert.equal(news([changed(shown("r1", []), "r2", [post])]), `Post “${"🚂".repeat(79)}…” added.`);
    const short = { ...post, title: "🚂".repeat(80) };
    assert.equal(news([changed(shown("r1", []), "r2", [short])]), `Post “${short.title}” added.`);
  });
});
