import assert from "node:assert/strict";
import { test } from "node:test";
import "./support/elements.js";
import { argumentForm } from "../../Public/page/editing/argument-form.js";

/** Returns the form of one field, and its input. */
function formOf(members, submit = (_) => {}) {
  const field = { name: "score", isRequired: true, ...members };
  const form = /** @type {any} */ (argumentForm([field], "Send", submit));
  return { form, input: form.children[0].children[1] };
}

/** Returns the argument that is sent if a text is entered into a field. */
function sent(text, members) {
  /** @type {any} */
  let sent;
  const { form, input } = formOf(members, (values) => void (sent = values.score));
  input.value = text;
  form.dispatchEvent(new Event("submit"));
  return sent;
}

const entered = (text, ...types) => sent(text, { types });

test("an entered number is sent as a number, and as a text if it would be another number", () => {
  assert.equal(entered("-12", "integer"), -12);
  assert.equal(entered("1.50", "number"), 1.5);
  assert.equal(entered("9007199254740991", "integer"), 9007199254740991);
  assert.equal(entered("9007199254740993", "integer"), "9007199254740993");
  assert.equal(entered("9".repeat(400), "integer", "null"), "9".repeat(400));
  assert.equal(entered("007", "integer", "string"), "007");
  assert.equal(entered("7", "integer", "string"), 7);
});

test("an entered true or false is sent as one, and it or a number as a text if the field takes only that", () => {
  const texts = ["true", "false", "7"];
  assert.deepEqual(texts.map((text) => entered(text, "boolean", "string")), [true, false, "7"]);
  assert.deepEqual(texts.map((text) => entered(text, "string")), texts);
});

test("a text that is cleared is sent as null only if the field takes that, and one that was empty is not sent", () => {
  assert.equal(sent("", { types: ["string"], value: "Ada" }), "");
  assert.equal(sent("", { types: ["string", "null"], value: "Ada" }), null);
  assert.equal(sent("", { types: ["string", "null"] }), undefined);
  assert.equal(sent("7", { types: ["integer", "string"], value: "7" }), "7");
});

test("a field offers the values that it takes if they are few, and takes others as texts or JSON", () => {
  for (const [members, name, values] of [
    [{ types: ["boolean"] }, "select", ["", "true", "false"]],
    [{ types: ["string", "null"], options: ["up", null] }, "select", ["", "\"up\""]],
    [{ types: ["boolean", "string"] }, "input", []],
    [{ types: ["integer"] }, "input", []],
    [{ types: ["array", "null"] }, "textarea", []],
  ]) {
    const { input } = formOf(members);
    assert.deepEqual([input.localName, input.children.map(({ value }) => value)], [name, values]);
  }
  assert.equal(sent("\"up\"", { types: ["string"], options: ["up"] }), "up");
  assert.deepEqual(sent("[1]", { types: ["array"] }), [1]);
});
