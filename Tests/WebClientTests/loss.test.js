import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { lossOf } from "../../Public/page/editing/loss.js";

/** Returns a text without the characters that isolate its direction. */
const bare = (text) => text.replace(/[\u2068\u2069]/g, "");

const player = (id, more = {}) => ({ id: `player/${id}`, type: "player", name: `No. ${id}`, score: id, ...more });
const integer = { type: "integer" };
const ids = { oneOf: [integer, { type: "string" }] };
const add = {
  type: "addPlayer", summary: "",
  schema: { properties: { type: { const: "addPlayer" }, id: ids, after: ids, name: { type: "string" }, score: integer } },
};

/** Lets what does not wait for an answer go on. */
const later = () => new Promise((resolve) => setImmediate(resolve));

/** Returns the context of a view model with rows, and what is sent to restore something. */
function shown(rows, { commands = [add], answers = {}, resource } = {}) {
  const requests = [];
  const viewModel = {
    snapshot: { sections: [{ id: "all", rows }] },
    send: async (command) => {
      await later();
      requests.push(command);
    },
  };
  const server = {
    request: async (path, options) => {
      await later();
      if (options) requests.push([path, options]);
      return answers[path];
    },
  };
  const screens = { named: (name) => name === "board" ? { keys: { collection: "/v1/boards" } } : undefined };
  const load = async () => resource;
  const context = /** @type {any} */ ({ viewModel, server, screens, screen: { commands }, load });
  return { context, requests, viewModel };
}

describe("What a command removes", () => {
  test("is nothing if it removes nothing, or what is not shown", async () => {
    const { context } = shown([player(1)]);
    for (const command of [
      { type: "renamePlayer", player: 1 }, { type: "remove" }, { type: "removePlayer" },
      { type: "removePlayer", player: 2 }, { type: "removePlayer", team: 1 },
      { type: "apply", operations: "all" }, { type: "apply", operations: [null, { operation: 7 }, { operation: "undelete" }] },
    ]) assert.equal(await lossOf(command, context), undefined, JSON.stringify(command));
  });

  test("is known also if the command has another argument before its id", async () => {
    const { context } = shown([player(1)]);
    const loss = await lossOf({ type: "removePlayer", force: true, player: 1 }, context);
    assert.equal(bare(loss?.name ?? ""), "“No. 1”");
    assert.ok(loss?.restore);
  });

  test("is added again with its values and its own id behind its nearest neighbour that is left", async () => {
    const rows = [{ id: "header", type: "header" }, player(1), player(2), player(3, { type: "captain" }), player(4)];
    const { context, requests, viewModel } = shown(rows);
    const loss = await lossOf({ type: "removePlayer", player: "3" }, context);
    assert.equal(bare(loss?.name ?? ""), "“No. 3”");
    const restored = { type: "addPlayer", id: "3", name: "No. 3", score: 3 };
    for (const [left, place] of [[[1, 2, 4], { after: "2" }], [[1, 4], { after: "1" }], [[4], { before: "4" }], [[], {}]]) {
      viewModel.snapshot.sections[0].rows = rows.filter((row) => left.some((each) => row.id === `player/${each}`));
      await loss?.restore?.();
      assert.deepEqual(requests.pop(), { ...restored, ...place });
    }
  });

  test("has the id again as its buttons have it, among objects with members of any names", async () => {
    const action = { title: "Add one", command: { type: "adjustScore", player: 2 } };
    for (const more of [{ action }, { moreActions: [action] }, { action: "login", moreActions: [action] }]) {
      const { context, requests } = shown([player(2, more)]);
      await (await lossOf({ type: "removePlayer", player: "2" }, context))?.restore?.();
      assert.equal(requests[0].id, 2);
    }
  });

  test("cannot be restored if no command adds it, or more than one thing goes", async () => {
    const { context } = shown([player(1)], { commands: [] });
    const lost = async (command, among = context) => {
      const loss = await lossOf(command, among);
      return [bare(loss?.name ?? ""), loss?.restore];
    };
    assert.deepEqual(await lost({ type: "removePlayer", player: 1 }), ["“No. 1”", null]);
    const elsewhere = shown([{ id: "board/1", type: "row", title: "Darts", to: "other/1" }]).context;
    assert.deepEqual(await lost({ type: "removeBoard", board: 1 }, elsewhere), ["“Darts”", null]);
    const operation = { operation: "deleteItems", ids: ["a"] };
    for (const operations of [[operation, operation], [{ ...operation, ids: ["a", "b"] }], [{ operation: "deleteItems" }]]) {
      assert.deepEqual(await lossOf({ type: "apply", operations }, context), { name: "all of these", restore: null });
    }
  });

  test("is created again as a resource, and moved to its place, if its row leads to another view model", async () => {
    const [first, second] = [1, 2].map((id) => ({ id: `board/${id}`, type: "row", title: "T", to: `board/${id}` }));
    const body = { id: 2, players: [] };
    const { context, requests, viewModel } = shown([first, second], { answers: { "/v1/boards/2": body } });
    const loss = await lossOf({ type: "removeBoard", board: 2 }, context);
    viewModel.snapshot.sections[0].rows = [first];
    await loss?.restore?.();
    const created = ["/v1/boards", { method: "POST", body }];
    assert.deepEqual(requests, [created, { type: "moveBoard", board: 2, after: "1" }]);
    requests.length = 0;
    viewModel.snapshot.sections[0].rows = [];
    await loss?.restore?.();
    assert.deepEqual(requests, [created]);
    assert.equal(bare(loss?.name ?? ""), "“T”");
  });
});

describe("What an operation on an outline removes", () => {
  const leaf = (id) => ({ id, title: id.toUpperCase() });
  const a = { ...leaf("a"), children: [{ ...leaf("a1"), children: [leaf("a11")] }, leaf("a2")] };
  const resource = () => structuredClone({
    sections: [
      { id: "books", title: "Books", items: [a, leaf("b")] },
      { id: "maps", items: [leaf("c")] },
    ],
  });
  const rows = [
    { id: "a", type: "item" }, { id: "a1", type: "item", level: 1 },
    { id: "a11", type: "item", level: 2 }, { id: "a2", type: "item", level: 1 },
    { id: "b", type: "item" },
  ];
  const sections = [{ id: "maps", rows: [{ id: "c", type: "item" }] }, { id: "books", rows }];
  const removal = (operation, id) => ({ type: "apply", operations: [{ operation, ids: [id] }] });

  /** Returns how an item is restored after what is left has changed. */
  async function restored(id, change) {
    const held = resource();
    const { context, requests } = shown(rows, { resource: held });
    context.viewModel.snapshot.sections = sections;
    const loss = await lossOf(removal("deleteItems", id), context);
    assert.equal(bare(loss?.name ?? ""), `“${id.toUpperCase()}”`);
    change(held.sections);
    await loss?.restore?.();
    assert.deepEqual(requests.map(({ type }) => type), ["apply"]);
    return requests[0].operations;
  }

  test("is an item that is inserted again with all below it beside what is left of its neighbours", async () => {
    assert.deepEqual(await restored("a", ([books]) => books.items.shift()),
      [{ operation: "insertItems", items: [a], before: "b" }]);
    assert.deepEqual(await restored("a2", ([books]) => books.items[0].children?.pop()),
      [{ operation: "insertItems", items: [leaf("a2")], after: "a1" }]);
  });

  test("is an item that is appended where it was if none of its neighbours is left", async () => {
    assert.deepEqual(await restored("a", ([books]) => books.items.splice(0)),
      [{ operation: "appendItems", items: [a], section: "books" }]);
    assert.deepEqual(await restored("a2", ([books]) => books.items[0].children?.splice(0)),
      [{ operation: "appendItems", items: [leaf("a2")], to: "a" }, { operation: "expandItems", ids: ["a"] }]);
  });

  test("has no way back if it is hidden, and is nothing if there is no such item", async () => {
    const { context } = shown(rows.slice(0, 1), { resource: resource() });
    const loss = await lossOf(removal("deleteItems", "a2"), context);
    assert.deepEqual([bare(loss?.name ?? ""), loss?.restore], ["“A2”", null]);
    assert.equal(await lossOf(removal("deleteItems", "d"), context), undefined);
    assert.equal(await lossOf(removal("deleteSections", "d"), context), undefined);
  });

  test("is a section with its items, which is inserted at its place or at the end", async () => {
    const { context, requests, viewModel } = shown(rows, { resource: resource() });
    const shownSections = ["books", "maps"].map((id) => ({ id, rows: [] }));
    viewModel.snapshot.sections = shownSections;
    const loss = await lossOf(removal("deleteSections", "maps"), context);
    assert.equal(bare(loss?.name ?? ""), "Section “maps”");
    const [, maps] = resource().sections;
    viewModel.snapshot.sections = shownSections.slice(0, 1);
    await loss?.restore?.();
    viewModel.snapshot.sections = [];
    await loss?.restore?.();
    assert.deepEqual(requests.flatMap(({ operations }) => operations), [
      { operation: "insertSections", sections: [maps], after: "books" },
      { operation: "appendSections", sections: [maps] },
    ]);
    viewModel.snapshot.sections = shownSections;
    assert.equal(bare((await lossOf(removal("deleteSections", "books"), context))?.name ?? ""), "Section “Books”");
  });
});
