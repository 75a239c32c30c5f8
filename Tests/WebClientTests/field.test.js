import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { settle } from "./support/clock.js";
import { page } from "./support/elements.js";
import { field } from "../../Public/page/rows/field.js";

const row = (value, type = "text") => ({
  id: "name", type: "textField", label: "Name", value, input: { type },
  change: { command: { type: "didChange", row: "name" }, argument: "value" },
});

/** Shows a field with a value in an input that has the focus; `isTaken` says whether the server takes another one. */
function shown(value, { type = "text", isTaken = true } = {}) {
  const sent = [];
  const host = page.createElement("li");
  const context = /** @type {any} */ ({ send: async (command) => (sent.push(command.value), isTaken) });
  const show = field(/** @type {any} */ (host), context);
  show(row(value, type));
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

  test("sends no date of which a part is missing", () => {
    const { input, leave, sent } = shown("2026-03-03");
    Object.assign(input, { value: "", validity: { badInput: true } });
    leave();
    assert.deepEqual(sent, []);
  });

  test("keeps a text as it was typed if only the page was left, until Enter is pressed", async () => {
    const { input, sent, show } = shown("Ada");
    input.value = "Ada L. ";
    input.dispatchEvent(new Event("blur"));
    await settle();
    show(row("Ada L."));
    assert.equal(input.value, "Ada L. ");
    input.dispatchEvent(Object.assign(new Event("keydown"), { key: "Enter" }));
    assert.equal(input.value, "Ada L.");
    assert.deepEqual(sent, ["Ada L. "]);
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

test("a field whose value was refused shows what comes later once Escape has given back the former value", async () => {
  const { input, leave, show } = shown("Ada", { isTaken: false });
  input.value = "Ada L.";
  leave();
  await settle();
  show(row("Bruno"));
  assert.equal(input.value, "Ada L.");
  input.dispatchEvent(Object.assign(new Event("keydown"), { key: "Escape" }));
  assert.equal(input.value, "Bruno");
  show(row("Chiyo"));
  assert.equal(input.value, "Chiyo");
});

test("a date that is picked is sent at once, although one was being typed before", () => {
  const { input, sent } = shown("2026-03-03", { type: "date" });
  const change = (value) => {
    input.value = value;
    input.dispatchEvent(new Event("change"));
  };
  input.dispatchEvent(Object.assign(new Event("keydown"), { key: "1" }));
  change("2026-03-01");
  assert.deepEqual(sent, []);
  input.dispatchEvent(new Event("pointerdown"));
  change("2026-03-12");
  assert.deepEqual(sent, ["2026-03-12"]);
});
