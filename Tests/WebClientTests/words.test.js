import { isEntry, isField, nameOf, plain, titled, wordsOf } from "../../Public/page/words.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const field = { id: "a", input: { type: "text" }, change: { command: { type: "didChange", row: "a" }, argument: "value" } };

test("a row is a field if it has an input and a command for it, whatever else an object calls so", () => {
  assert.equal(isField(field), true);
  for (const other of ["typed", 7, null, undefined, {}, { command: null }, { command: { type: 7 } }]) {
    assert.equal(isField({ ...field, input: other }), false, JSON.stringify(other));
    assert.equal(isField({ ...field, change: other }), false, JSON.stringify(other));
  }
  for (const value of ["", null, 7, true]) assert.equal(isField({ ...field, value }), true, JSON.stringify(value));
  for (const value of [{ text: "Ada" }, []]) assert.equal(isField({ ...field, value }), false, JSON.stringify(value));
});

test("a command enters a value in a field if it has all that the field sends", () => {
  assert.equal(isEntry(field, { type: "didChange", row: "a", value: 1 }), true);
  assert.equal(isEntry(field, { type: "didChange", row: "b", value: 1 }), false);
  assert.equal(isEntry({ ...field, input: "typed" }, { type: "didChange", row: "a" }), false);
});

test("values are texts for people", () => {
  const values = [null, undefined, true, false, 0, "", [1, [true]], { text: "", isLoading: true }, { text: "", isLoading: false },
    { text: "Ada", isLoading: true }, { text: 5 }, { dateText: "3 March", date: "2026", inStock: [] }, {}];
  assert.deepEqual(values.map(plain), ["–", "–", "✓", "✗", "0", "", "1, ✓", "…", "", "Ada", "Text: 5", "Date: 3 March · In stock: ", ""]);
});

test("a row is named by its first telling member, and tells of its others", () => {
  assert.deepEqual([undefined, { id: "a" }, { id: "a", title: "", text: "T" }, { id: "a", name: "N", title: "T" },
    { id: "a", title: null }, { id: "a", title: null, name: "N" }].map(nameOf), ["", "", "T", "T", "", "N"]);
  const row = { id: "a", rank: 1, rankText: "Rank 1", isDone: true, isOpen: false, count: 3, iconURL: "/a", level: null };
  assert.deepEqual(wordsOf(row, Object.keys(row)), ["Rank 1", "Is done: yes", "Is open: no", "Count: 3", "–"]);
  const choice = { ...field, value: "b", input: { type: "select", options: [{ id: "b", title: "Both" }] } };
  assert.deepEqual([wordsOf(choice, ["value"]), wordsOf({ ...choice, change: null }, ["value"])], [["Both"], ["b"]]);
});

test("a name of the interface is a title for people", () => {
  assert.deepEqual(["shoppingList", "shopping-list", "shopping_list", "imageURL", "isABTest", "a", ""].map(titled),
    ["Shopping list", "Shopping list", "Shopping list", "Image URL", "Is ABTest", "A", ""]);
});
