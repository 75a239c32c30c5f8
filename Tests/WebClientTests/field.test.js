import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { page } from "./support/elements.js";
import { field } from "../../Public/page/rows/field.js";

const row = (value) => ({
  id: "name", type: "textField", label: "Name", value, input: { type: "text" },
  change: { command: { type: "didChange", row: "name" }, argument: "value" },
});

/** Shows a field with a value in an input that has the focus. */
function shown(value) {
  const sent = [];
  const host = page.createElement("li");
  const context = /** @type {any} */ ({ send: async (command) => (sent.push(command.value), true) });
  const show = field(/** @type {any} */ (host), context);
  show(row(value));
  const input = host.children[0].follower;
  page.activeElement = input;
  const leave = () => {
    page.activeElement = null;
    input.dispatchEvent(new Event("blur"));
  };
  return { input, leave, sent, show };
}

describe("A field that is left", () => {
  test("sends what was entered", () => {
    const { input, leave, sent } = shown("Ada");
    input.value = "Ada L.";
    leave();
    assert.deepEqual(sent, ["Ada L."]);
  });

  test("shows what has come from the server while its text was changed and changed back", () => {
    const { input, leave, sent, show } = shown("Ada");
    input.value = "Ada L.";
    show(row("Bruno"));
    assert.equal(input.value, "Ada L.");
    input.value = "Ada";
    leave();
    assert.equal(input.value, "Bruno");
    assert.deepEqual(sent, []);
  });

  test("keeps a text to which the user comes back if only the page was left", () => {
    const { input, sent, show } = shown("Ada");
    input.value = "Ada L.";
    show(row("Bruno"));
    input.value = "Ada";
    input.dispatchEvent(new Event("blur"));
    assert.equal(input.value, "Ada");
    assert.deepEqual(sent, []);
  });
});
