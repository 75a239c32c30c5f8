import assert from "node:assert/strict";
import { test } from "node:test";
import { settle } from "./support/clock.js";
import { page } from "./support/elements.js";
import { UndoableCommands } from "../../Public/page/editing/undoable-commands.js";

const board = { id: "board/1", type: "row", title: "Darts", to: "board/1" };
const removal = { type: "removeBoard", board: 1 };
const snapshot = (rows) => ({ sections: [{ id: "all", rows }] });

/**
 * Returns what is asked, sent and told if a command is sent that makes rows of others, and what is sent if that is
 * undone on a server that makes rows of these commands by `take`.
 */
async function sending({ mock }, command, { before, after = before, answer = () => {}, isAgreed = false, take }) {
  const [asked, sent] = [[], []];
  const toasts = page.createElement("div");
  const viewModel = {
    snapshot: snapshot(before),
    send: async (command) => {
      sent.push(command);
      viewModel.snapshot = snapshot(after);
    },
  };
  const server = { request: async () => answer() };
  const screens = { named: () => ({ keys: { collection: "/v1/boards" } }) };
  Object.assign(page, { getElementById: () => toasts });
  Object.assign(globalThis, {
    addEventListener() {}, removeEventListener() {}, confirm: (text) => (asked.push(text), isAgreed),
  });
  mock.method(globalThis, "setTimeout", () => {});
  const context = /** @type {any} */ ({ viewModel, server, screens, screen: { commands: [] } });
  const isTaken = await new UndoableCommands(context, () => {}).send(command);
  assert.equal(isTaken, sent.length > 0);
  const told = { asked, sent, told: toasts.children.length };
  if (!take) return told;
  const undone = [];
  viewModel.send = async (command) => {
    if (undone.push(command) > 10) throw new Error("without an end");
    viewModel.snapshot = snapshot(take(command, viewModel.snapshot.sections[0].rows));
  };
  toasts.children[0].children.at(-1).dispatchEvent(new Event("click"));
  await settle();
  return { ...told, undone };
}

/** Removes a board that the server is asked for first. */
const removed = (context, answer, isAgreed) => sending(context, removal, { before: [board], answer, isAgreed });

/** Refuses a request. */
const refusing = (status) => () => {
  throw Object.assign(new Error("refused"), { status });
};

test("what can be brought back is removed without a question, and that is offered", async (context) => {
  assert.deepEqual(await removed(context, () => ({ id: 1 }), false), { asked: [], sent: [removal], told: 1 });
});

test("what the server refuses to describe is not removed, and the refusal is told", async (context) => {
  assert.deepEqual(await removed(context, refusing(404), true), { asked: [], sent: [], told: 1 });
});

test("what the server cannot describe is removed only if the user agrees that it cannot be undone", async (context) => {
  const asked = ["Remove it while the server is away? This cannot be undone."];
  for (const status of [500, 503, undefined]) {
    assert.deepEqual(await removed(context, refusing(status), false), { asked, sent: [], told: 0 });
    assert.deepEqual(await removed(context, refusing(status), true), { asked, sent: [removal], told: 0 });
  }
});

const field = (value, id = "a") => ({
  id, type: "textField", label: "A", input: { type: "text" }, value,
  change: { command: { type: "didChange", row: id }, argument: "value" },
});

test("what was entered is entered again once, each value when its field is shown", async (context) => {
  const tap = { type: "didTap", row: "c" };
  const [name, licence, group] = [field("Ada", "name"), field("K47", "licence"), field(true, "group")];
  const rows = { before: [licence, name, group], after: [field("", "name"), field(false, "group")] };
  // The licence is shown if the group is on. The server takes no name.
  const take = ({ row, value }, all) => (row !== "group" ? all : [field("", "licence"), all[0], field(value, "group")]);
  const { undone } = await sending(context, tap, { ...rows, take });
  assert.deepEqual(undone.map(({ row, value }) => [row, value]), [["name", "Ada"], ["group", true], ["licence", "K47"]]);
});

test("a button that changes what was entered offers that again, but not what was empty or off", async (context) => {
  for (const [value, told] of [["", 0], [null, 0], [undefined, 0], [false, 0], ["Ada", 1], [0, 1], [true, 1]]) {
    const rows = { before: [field(value), field("same", "b")], after: [field("new"), field("same", "b")] };
    assert.equal((await sending(context, { type: "didTap", row: "c" }, rows)).told, told, `${value}`);
    // What a user enters needs no way back.
    assert.equal((await sending(context, { type: "didChange", row: "a", value: "new" }, rows)).told, 0);
  }
});
