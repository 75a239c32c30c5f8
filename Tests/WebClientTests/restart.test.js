import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Notes } from "../../Public/page/notes.js";
import { tellOfRestarts } from "../../Public/page/restart.js";
import { settle } from "./support/clock.js";

/** An element that keeps its text and children alone. */
class Element extends EventTarget {
  textContent = "";
  /** @type {any[]} */
  children = [];
  /** @param {any} child */
  append(child) {
    this.children.push(child);
    this.textContent += child.textContent ?? child;
  }
  /** @param {...any} children */
  replaceChildren(...children) {
    this.textContent = "";
    this.children = [];
    for (const child of children) this.append(child);
  }
  getAttribute = () => null;
  setAttribute() {}
}
globalThis.document = /** @type {any} */ ({ createElement: () => new Element() });

const field = (id, value) => ({ id, type: "formText", label: id.toUpperCase(), value, change: {} });
const view = (states, ...rows) => ({ states, sections: [{ id: "fields", rows }] });

/** A view model that the test advances, on a server with one answer to each request. */
class Shown extends EventTarget {
  path = "/v1/view-models/form/1";
  status = { isProven: false, event: "received" };
  element = new Element();
  notes = new Notes();
  /** @type {string[]} */
  asked = [];

  /** @param {{answer?: any, opening?: string, opens?: string[]}} [options] */
  constructor({ answer = null, ...screen } = {}) {
    super();
    const request = async (/** @type {string} */ path) => (this.asked.push(path), answer);
    const server = /** @type {any} */ ({ request });
    const viewModel = /** @type {any} */ (this);
    tellOfRestarts({ element: /** @type {any} */ (this.element), notes: this.notes, screen, server, viewModel });
  }

  get notice() {
    return this.element.textContent;
  }

  get noted() {
    return this.notes.all.map(({ text }) => text);
  }

  async advance(detail) {
    this.dispatchEvent(new CustomEvent("advanced", { detail: { from: "r.1", ...detail } }));
    await settle();
  }

  restart(before, after) {
    return this.advance({ change: { before, after, reason: "epoch-changed" } });
  }
}

describe("A restart of the server", () => {
  const filled = view({}, field("name", "Ada"), field("city", "Jena"));
  const empty = view({}, field("name", ""));

  test("is told with the fields that have lost their values, or are gone", async () => {
    const shown = new Shown();
    await shown.restart(filled, empty);
    assert.match(shown.notice, /^The server was restarted, .* are lost: NAME, CITY\./);
    assert.deepEqual(shown.noted, ["Server restarted"]);
  });

  test("is told until the user dismisses that, and the focus goes to the rows then", async () => {
    const shown = new Shown();
    await shown.restart(filled, empty);
    const focused = [];
    document.getElementById = (id) => /** @type {any} */ ({ focus: () => focused.push(id) });
    const [banner] = shown.element.children;
    banner.children.at(-1).dispatchEvent(new Event("click"));
    assert.deepEqual([shown.notice, focused], ["", ["rows"]]);
  });

  test("names a field without a label by its id, and no row that cannot be filled in", async () => {
    const { label, ...nameless } = field("zip", "07743");
    const note = { id: "note", type: "note", value: "Hello" };
    const object = { id: "price", type: "element", value: "7", change: "-2 %" };
    const shown = new Shown();
    await shown.restart(view({}, nameless, note, object), view({}));
    assert.match(shown.notice, /are lost: zip\./);
  });

  test("that loses nothing is noted, and has no notice", async () => {
    const shown = new Shown();
    await shown.restart(filled, filled);
    await shown.restart(view({}, field("name", ""), field("hours", null)), view({}, field("name", "?")));
    assert.equal(shown.notice, "");
    assert.equal(shown.noted.length, 2);
  });

  for (const [what, reason] of [["a change", null], ["a reset of another reason", "history-expired"]]) {
    test(`is not told if fields lose their values by ${what}`, async () => {
      const shown = new Shown();
      await shown.advance({ change: { before: filled, after: empty, reason } });
      assert.equal(shown.notice, "");
      assert.deepEqual(shown.noted, []);
    });
  }

  for (const state of ["notRequested", "isLoading"]) {
    test(`is not told while a source is ${state}, because the fields may come back`, async () => {
      const shown = new Shown({ opening: "appear" });
      const blank = view({ fields: state });
      await shown.restart(filled, blank);
      assert.equal(shown.notice, "");
      await shown.advance({ change: { before: blank, after: empty, reason: null } });
      assert.match(shown.notice, /NAME, CITY/);
    });
  }

  test("is told if a source is loaded only on request", async () => {
    for (const shown of [new Shown(), new Shown({ opening: "appear", opens: ["posts"] })]) {
      await shown.restart(filled, view({ fields: "notRequested" }));
      assert.match(shown.notice, /NAME, CITY/);
    }
  });

  test("during the load after another one is compared with what was shown before both", async () => {
    const shown = new Shown({ opening: "appear" });
    const blank = view({ fields: "notRequested" });
    await shown.restart(filled, blank);
    await shown.restart(blank, empty);
    assert.match(shown.notice, /NAME, CITY/);
  });

  test("with the same content is found by its missing diff", async () => {
    const shown = new Shown({ answer: { reason: "epoch-changed" } });
    await shown.advance({ change: null });
    assert.deepEqual(shown.asked, ["/v1/view-models/form/1/diff?since=r.1"]);
    assert.deepEqual(shown.noted, ["Server restarted"]);
    assert.equal(shown.notice, "");
  });

  test("is not noted if the server has the diff from before", async () => {
    const shown = new Shown({ answer: { kind: "diff" } });
    await shown.advance({ change: null });
    assert.equal(shown.asked.length, 1);
    assert.deepEqual(shown.noted, []);
  });

  test("is not asked for after changes that cannot be seen on a proven connection", async () => {
    const shown = new Shown({ answer: { reason: "epoch-changed" } });
    shown.status = { isProven: true, event: "received" };
    await shown.advance({ change: null });
    assert.deepEqual(shown.asked, []);
    shown.status = { isProven: true, event: "streamOpened" };
    for (const from of ["r.1", "r.2"]) await shown.advance({ change: null, from });
    assert.deepEqual(shown.asked, ["/v1/view-models/form/1/diff?since=r.1"]);
  });
});

test("The notes of a view model are the last twenty, newest first, and each is told", () => {
  const notes = new Notes();
  /** @type {number[]} */
  const told = [];
  notes.onNote(() => told.push(notes.all.length));
  for (let index = 1; index <= 25; index++) notes.add("failed", `note ${index}`);
  assert.deepEqual(told.slice(-6), [20, 20, 20, 20, 20, 20]);
  assert.equal(told.length, 25);
  assert.deepEqual([notes.all[0].kind, notes.all[0].text, notes.all.at(-1)?.text], ["failed", "note 25", "note 6"]);
  assert.ok(notes.all[0].at instanceof Date);
});
