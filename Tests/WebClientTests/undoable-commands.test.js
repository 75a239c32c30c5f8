import assert from "node:assert/strict";
import { test } from "node:test";
import { page } from "./support/elements.js";
import { UndoableCommands } from "../../Public/page/editing/undoable-commands.js";

const board = { id: "board/1", type: "row", title: "Darts", screen: "board/1" };
const removal = { type: "removeBoard", board: 1 };
const snapshot = (rows) => ({ sections: [{ id: "all", rows }] });

/** Returns what is asked, sent and told if a command is sent that makes rows of others. */
async function sending({ mock }, command, { before, after = before, answer = () => {}, isAgreed = false }) {
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
  return { asked, sent, told: toasts.children.length };
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

test("a button that changes what was entered offers that again, but not what was empty or off", async (context) => {
  const field = (value, id = "a") => ({
    id, type: "textField", label: "A", input: { type: "text" }, value,
    change: { command: { type: "didChange", row: id }, argument: "value" },
  });
  for (const [value, told] of [["", 0], [null, 0], [undefined, 0], [false, 0], ["Ada", 1], [0, 1], [true, 1]]) {
    const rows = { before: [field(value), field("same", "b")], after: [field("new"), field("same", "b")] };
    assert.equal((await sending(context, { type: "didTap", row: "c" }, rows)).told, told, `${value}`);
    // What a user enters needs no way back.
    assert.equal((await sending(context, { type: "didChange", row: "a", value: "new" }, rows)).told, 0);
  }
});
