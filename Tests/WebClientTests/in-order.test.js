import assert from "node:assert/strict";
import { test } from "node:test";
import { inOrder } from "../../Public/page/in-order.js";

/** Three questions under way, whose answers the test gives. */
function three() {
  const [taken, open] = [[], []];
  const ask = inOrder(() => new Promise((resolve, reject) => open.push({ resolve, reject })), (it) => taken.push(it));
  const asked = [ask(), ask(), ask()];
  const answer = async (number, text) => {
    if (text === undefined) open[number].reject(new TypeError("lost"));
    else open[number].resolve(text);
    await asked[number];
  };
  return { taken, answer };
}

test("an answer that comes behind that to a later question is dropped", async () => {
  const { taken, answer } = three();
  await answer(1, "second");
  await answer(0, "first");
  await answer(2, "third");
  assert.deepEqual(taken, ["second", "third"]);
});

test("an answer is taken though a later question is under way, or has none", async () => {
  const { taken, answer } = three();
  await answer(2);
  await answer(0, "first");
  assert.deepEqual(taken, ["first"]);
  await answer(1, "second");
  assert.deepEqual(taken, ["first", "second"]);
});
