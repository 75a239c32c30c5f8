import assert from "node:assert/strict";
import { test } from "node:test";
import "./support/elements.js";
import { argumentForm } from "../../Public/page/editing/argument-form.js";

/** Returns the argument that is sent if a text is entered into a field of some types. */
function entered(text, ...types) {
  let sent;
  const field = { name: "score", types, isRequired: true };
  const form = /** @type {any} */ (argumentForm([field], "Send", (values) => void (sent = values.score)));
  form.children[0].children[1].value = text;
  form.dispatchEvent(new Event("submit"));
  return sent;
}

test("an entered number is sent as a number, and as a text if it would be another number", () => {
  assert.equal(entered("-12", "integer"), -12);
  assert.equal(entered("1.50", "number"), 1.5);
  assert.equal(entered("9007199254740991", "integer"), 9007199254740991);
  assert.equal(entered("9007199254740993", "integer"), "9007199254740993");
  assert.equal(entered("9".repeat(400), "integer", "null"), "9".repeat(400));
  assert.equal(entered("007", "integer", "string"), "007");
  assert.equal(entered("7", "integer", "string"), 7);
});
