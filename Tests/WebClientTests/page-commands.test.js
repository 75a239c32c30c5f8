import assert from "node:assert/strict";
import { test } from "node:test";
import { page } from "./support/elements.js";
import { Commands } from "../../Public/page/commands.js";

/** Commands whose replies the test gives, what they are told and how many messages are shown. */
function sending({ mock }) {
  mock.timers.enable({ apis: ["setTimeout"] });
  const toasts = page.createElement("div");
  Object.assign(page, { getElementById: () => toasts });
  Object.assign(globalThis, { addEventListener() {}, removeEventListener() {} });
  /** @type {{options: any, resolve: (reply?: any) => void, reject: (error: any) => void}[]} */
  const open = [];
  const viewModel = {
    send: (_, options) => new Promise((resolve, reject) => open.push({ options, resolve, reject })),
  };
  /** @type {[waiting: number, isSlow: boolean][]} */
  const states = [];
  const commands = new Commands(/** @type {any} */ (viewModel), () => states.push([commands.waiting, commands.isSlow]));
  return { commands, messages: () => toasts.children.length, open, states };
}

test("commands are slow once one has waited for a second, until the last one has its reply", async (context) => {
  const { commands, open, states } = sending(context);
  const pass = (milliseconds) => context.mock.timers.tick(milliseconds);
  const sent = [commands.send({ type: "a" }), commands.send({ type: "b" })];
  pass(999);
  assert.deepEqual(states, [[1, false], [2, false]]);
  pass(1);
  assert.deepEqual(states.at(-1), [2, true]);
  open[0].resolve();
  await sent[0];
  assert.deepEqual(states.at(-1), [1, true]);
  open[1].resolve();
  await sent[1];
  assert.deepEqual(states.at(-1), [0, false]);

  const quick = [commands.send({ type: "c" }), commands.send({ type: "d" })];
  for (const each of open.slice(2)) each.resolve();
  await Promise.all(quick);
  states.length = 0;
  pass(5000);
  assert.deepEqual(states, [], "none is slow");
});

test("a refusal is shown, and told as a reply is", async (context) => {
  const { commands, messages, open } = sending(context);
  const [told, late] = [[], []];
  commands.onSent((sent) => told.push(sent));
  const [refused, taken] = [{ type: "a" }, { type: "b" }];
  const sent = [commands.send(refused), commands.send(taken)];
  const error = new TypeError("lost");
  open[0].reject(error);
  assert.equal(await sent[0], false);
  open[1].resolve({ accepted: true });
  assert.equal(await sent[1], true);
  commands.onSent((sent) => late.push(sent));
  assert.deepEqual(told, [{ command: refused, error }, { command: taken, reply: { accepted: true } }]);
  assert.deepEqual(late, told.slice(-1));
  assert.equal(messages(), 1);
  assert.equal(commands.waiting, 0);
});

test("a command that is given up with its view model is neither shown nor told", async (context) => {
  const { commands, messages, open } = sending(context);
  const told = [];
  commands.onSent((sent) => told.push(sent));
  const sent = commands.send({ type: "a" });
  open[0].reject(new DOMException("closed", "AbortError"));
  assert.equal(await sent, false);
  assert.deepEqual([messages(), told, commands.waiting], [0, [], 0]);
});

test("the value of a field takes the place of one that waits, and no other command does", (context) => {
  const { commands, open } = sending(context);
  commands.send({ type: "didChange", row: "name", value: "Ada" });
  commands.send({ type: "setScore", row: "name", score: 7 });
  assert.deepEqual(open.map(({ options }) => options.slot), ["name", undefined]);
});
