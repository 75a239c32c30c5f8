import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { editsOf } from "../../Public/page/editing/edits.js";
import { fieldsOf, isPlain } from "../../Public/page/editing/schema.js";

const id = { $ref: "#/$defs/ID" };
const $defs = { ID: { oneOf: [{ type: "integer" }, { type: "string" }] } };
const text = { type: "string" };

/** Returns the description of a command. */
const described = (type, properties, required) => ({
  type, summary: "", schema: { $defs, type: "object", properties: { ...properties, type: { const: type } }, required },
});

const place = { before: id, after: id };
const board = editsOf(/** @type {any} */ ({
  commands: [
    described("renameBoard", { title: text }, ["type", "title"]),
    described("addPlayer", { id, score: { type: "integer" }, name: text, ...place }, ["type", "name"]),
    described("renamePlayer", { player: id, name: text }, ["type", "player", "name"]),
    described("removePlayer", { player: id }, ["type", "player"]),
    described("movePlayer", { player: id, ...place }, ["type", "player"]),
    described("seatPlayer", { player: id, before: id, seat: text }, ["type", "player", "seat"]),
    described("givePlayer", { player: id, gifts: { type: "array" } }, ["type", "player"]),
    described("pairPlayers", { player: id, other: id }, ["type", "player", "other"]),
    described("sort", { order: { enum: ["up", "down"] } }, ["type", "order"]),
    described("shuffle", { seed: { type: "integer" } }, ["type"]),
  ],
}));
const players = [7, 8, 9].map((each) => ({ id: `player/${each}`, type: "player", name: `No. ${each}` }));
const section = { id: "players", rows: [{ id: "header", type: "header" }, { id: "team/1", type: "team" }, ...players] };

/** Returns what an edit is called, and the command that it sends. */
const sent = (edits, values = {}) => edits.map((edit) => [edit.title, edit.command(values)]);

describe("The edits of a row", () => {
  test("are the commands that need its id alone, filled with what it has", () => {
    const edits = board.ofRow(players[1], section);
    assert.deepEqual(sent(edits, { name: "Ada" }).slice(0, 2), [
      ["Rename player", { type: "renamePlayer", player: "8", name: "Ada" }],
      ["Remove player", { type: "removePlayer", player: "8", name: "Ada" }],
    ]);
    assert.deepEqual(edits[0].fields.map(({ name, value }) => [name, value]), [["name", "No. 8"]]);
    assert.deepEqual(edits.map(({ title }) => title), ["Rename player", "Remove player", "Move up", "Move down", "Seat player"]);
    assert.deepEqual(board.ofRow(section.rows[0], section), []);
    assert.deepEqual(board.ofSection(section, [section]), []);
  });

  test("move it beyond its neighbours of the same kind", () => {
    const moves = (at) => sent(board.ofRow(players[at], section)).map(([, command]) => command)
      .filter(({ type }) => type === "movePlayer");
    assert.deepEqual(moves(0), [{ type: "movePlayer", player: "7", after: "8" }]);
    assert.deepEqual(moves(1).map(({ before, after }) => [before, after]), [["7", undefined], [undefined, "9"]]);
    assert.deepEqual(moves(2), [{ type: "movePlayer", player: "9", before: "8" }]);
  });

  test("leave out what its buttons do", () => {
    const action = (type) => ({ title: type, command: { type, player: 7 } });
    const row = { ...players[0], action: action("removePlayer"), moreActions: [action("renamePlayer")] };
    const titles = board.ofRow(row, { ...section, rows: [row] }).map(({ title }) => title);
    assert.deepEqual(titles, ["Seat player"]);
  });

  test("are none if it is an object with members of any names", () => {
    for (const action of ["login", 7, { command: "login" }]) {
      const row = { id: "object/1", type: "element", action, moreActions: action };
      assert.deepEqual(board.ofRow(row, { id: "all", rows: [row] }), []);
    }
  });
});

test("the edits of a screen are the commands that name no row and need a value that is not chosen from a few", () => {
  assert.deepEqual(sent(board.ofScreen(), { name: "Ada" }), [
    ["Rename board", { type: "renameBoard", name: "Ada" }],
    ["Add player", { type: "addPlayer", name: "Ada" }],
  ]);
  assert.deepEqual(board.ofScreen()[1].fields.map(({ name, isRequired }) => [name, isRequired]),
    [["name", true], ["score", false]]);
});

test("a field has the types of the schema that it refers to, and one that takes lists or objects is not plain", () => {
  const root = { $defs: { ...$defs, "Two": { enum: ["a", null], type: ["string", "null"] } } };
  const properties = { both: id, two: { $ref: "#/$defs/Two" }, none: { $ref: "#/$defs/None" }, is: { type: "boolean" },
    any: { oneOf: [{ $ref: "#/$defs/Two" }, { type: "array" }] } };
  const fields = fieldsOf({ properties, required: ["is"] }, root);
  assert.deepEqual(fields.map(({ name, types, options }) => [name, types, options]), [
    ["is", ["boolean"], undefined],
    ["both", ["integer", "string"], undefined],
    ["two", ["string", "null"], ["a", null]],
    ["none", [], undefined],
    ["any", ["string", "null", "array"], undefined],
  ]);
  assert.deepEqual(fields.map(isPlain), [true, true, true, false, true]);
  assert.deepEqual(fieldsOf({}, {}), []);
  assert.equal(isPlain({ name: "size", types: [], options: ["small"], isRequired: false }), true);
  assert.equal(isPlain({ name: "weight", types: ["number"], isRequired: false }), true);
  assert.equal(isPlain({ name: "list", types: ["array"], isRequired: false }), false);
});

test("a command of another screen that is called as that of an outline edits none", () => {
  for (const properties of [{ coupon: text }, { operations: text }, { operations: list({}, []) }]) {
    const edits = editsOf(/** @type {any} */ ({ commands: [described("apply", properties, ["type"])] }));
    assert.deepEqual(edits.ofSection(section, [section]), []);
  }
  const bare = editsOf(/** @type {any} */ ({ commands: [{ type: "apply", summary: "", schema: {} }] }));
  assert.deepEqual(bare.ofScreen(), []);
});

/** Returns an operation of an outline. */
const operation = (name, properties) => ({ properties: { operation: { const: name }, ...properties } });
const list = (properties, required) => ({ type: "array", items: { properties, required } });
const item = { id, children: { type: "array" }, isExpanded: { type: "boolean" }, badge: text, title: text };
const outlineCommand = (...operations) => ({
  type: "apply", summary: "", schema: { $defs, properties: { operations: { items: { oneOf: operations } } } },
});
const outline = editsOf(/** @type {any} */ ({
  commands: [outlineCommand(
    operation("appendSections", { sections: list({ id, title: text, items: { type: "array" } }, []) }),
    operation("appendItems", { items: list({ type: { enum: ["large"] }, ...item }, ["title"]) }),
    operation("reconfigureItems", { items: list({ type: text, id, title: text }, []) }),
  )],
}));
const tree = {
  id: "books", title: "Books", rows: [
    { id: "a", type: "item", title: "A" },
    { id: "a1", type: "item", title: "A1", level: 1 },
    { id: "a11", type: "item", title: "A11", level: 2 },
    { id: "a2", type: "item", title: "A2", level: 1 },
    { id: "b", type: "item", title: "B" },
    { id: "b1", type: "item", title: "B1", level: 1 },
    { id: "c", type: "item", title: "C" },
  ],
};
const other = { id: "maps", rows: [] };

/** Returns the operations of edits, with a fixed id in place of each new one. */
const operations = (edits, values) => sent(edits, values).map(([title, command]) => {
  assert.equal(command.type, "apply");
  const [{ operation, ...rest }] = command.operations;
  for (const each of rest.items ?? rest.sections ?? []) if (/^\w{18,}$/.test(each.id)) each.id = "new";
  return [title, operation, rest];
});

describe("The edits of an outline", () => {
  test("change, move, add and remove an item among those below the same one", () => {
    assert.deepEqual(operations(outline.ofRow(tree.rows[1], tree), { title: "Other" }), [
      ["Change", "reconfigureItems", { items: [{ id: "a1", title: "Other" }] }],
      ["Move down", "moveItem", { id: "a1", after: "a2" }],
      ["Add an item after this one", "insertItems", { items: [{ id: "new", title: "Other" }], after: "a1" }],
      ["Add an item below this one", "appendItems", { items: [{ id: "new", title: "Other" }], to: "a1" }],
      ["Remove", "deleteItems", { ids: ["a1"] }],
    ]);
    const neighbours = (at) => operations(outline.ofRow(tree.rows[at], tree)).filter(([title]) => /Move/.test(title))
      .map(([, , { before, after }]) => before ?? after);
    assert.deepEqual([0, 2, 3, 4, 5].map(neighbours), [["b"], [], ["a1"], ["a", "c"], []]);
  });

  test("send only what differs from the row, which has its values in the fields that can be changed", () => {
    const [change] = outline.ofRow(tree.rows[0], tree);
    assert.deepEqual(operations([change], { title: "A" }), [["Change", "reconfigureItems", { items: [{ id: "a" }] }]]);
    assert.deepEqual(change.fields.map(({ name, value }) => [name, value]), [["title", "A"]]);
  });

  test("ask for all that a new item may have, and for nothing where there is nothing to enter", () => {
    const all = [...outline.ofRow(tree.rows[0], tree), ...outline.ofSection(tree, [tree])];
    for (const { title, fields } of all) {
      if (/^Add an item/.test(title)) assert.deepEqual(fields.map(({ name }) => name), ["title", "type", "badge"]);
      else if (/^(Move|Remove)/.test(title)) assert.deepEqual(fields, [], title);
    }
  });

  test("do not remove what a button of the row removes", () => {
    const command = { type: "apply", operations: [{ operation: "deleteItems", ids: ["b1"] }] };
    const row = { ...tree.rows[5], action: { title: "Remove", command } };
    const titles = outline.ofRow(row, { ...tree, rows: [...tree.rows.slice(0, 5), row] }).map(({ title }) => title);
    assert.ok(!titles.includes("Remove"));
  });

  test("rename, move and remove a section, and add an item or a section", () => {
    assert.deepEqual(operations(outline.ofSection(tree, [tree, other]), { title: "X" }), [
      ["Add an item", "appendItems", { items: [{ id: "new", title: "X" }], section: "books" }],
      ["Rename section", "renameSection", { section: "books", title: "X" }],
      ["Move down", "moveSection", { id: "books", after: "maps" }],
      ["Remove section", "deleteSections", { ids: ["books"] }],
    ]);
    const last = operations(outline.ofSection(other, [tree, other]));
    assert.deepEqual(last[2], ["Move up", "moveSection", { id: "maps", before: "books" }]);
    const [, rename] = outline.ofSection(tree, [tree]);
    assert.deepEqual(rename.fields.map(({ name, isRequired, value }) => [name, isRequired, value]),
      [["title", true, "Books"]]);
    assert.deepEqual(operations(outline.ofScreen(), { title: "X" }),
      [["Add section", "appendSections", { sections: [{ id: "new", title: "X" }] }]]);
    assert.deepEqual(outline.ofScreen()[0].fields.map(({ isRequired }) => isRequired), [true]);
  });

  test("are none if a screen applies other operations, or none", () => {
    for (const commands of [[], [outlineCommand(operation("swap", {}))]]) {
      const edits = editsOf(/** @type {any} */ ({ commands }));
      const all = [edits.ofRow(tree.rows[0], tree), edits.ofSection(tree, [tree]), edits.ofScreen()];
      assert.deepEqual(all, [[], [], []]);
    }
  });
});
