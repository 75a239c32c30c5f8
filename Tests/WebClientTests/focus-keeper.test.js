import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FocusKeeper } from "../../Public/page/list/focus-keeper.js";

/** An element that knows its row and the controls in it. */
class Element {
  isShown = true;
  tabIndex = 0;
  /** @type {Element[]} */
  controls = [];

  /** @param {string} name @param {Element} [row] */
  constructor(name, row) {
    this.name = name;
    this.row = row;
  }

  focus = () => void (page.activeElement = this);
  getClientRects = () => (this.isShown ? [{}] : []);
  closest = () => this.row ?? this;
  getAttribute = () => this.name;
  querySelectorAll = () => this.controls;
}
const page = { activeElement: /** @type {Element | null} */ (null) };
Object.assign(globalThis, { document: page });

const snapshot = (sections) => /** @type {any} */ ({
  sections: Object.entries(sections).map(([id, rows]) => ({ id, rows: rows.map((row) => ({ id: row })) })),
});

/**
 * A list with the focus in one of its rows. `change` shows other sections, and returns what has the focus then.
 *
 * @param {{[section: string]: string[]}} sections
 */
function list(sections, focused) {
  const views = new Map(Object.values(sections).flat().map((id) => {
    const element = new Element(id);
    element.controls = [new Element(`first of ${id}`, element), new Element(`last of ${id}`, element)];
    return [id, { id, element }];
  }));
  const host = Object.assign(new Element("list"), { contains: (it) => it.row !== undefined || it === host });
  const { element } = views.get(focused);
  page.activeElement = element.controls[1];
  const keeper = new FocusKeeper(/** @type {any} */ (host), snapshot(sections), /** @type {any} */ (views));
  const change = (after) => {
    const left = new Set(Object.values(after).flat());
    for (const [id, view] of views) {
      if (left.has(id)) continue;
      for (const control of view.element.controls) control.isShown = false;
      views.delete(id);
    }
    keeper.restore(snapshot(after), /** @type {any} */ (views));
    return page.activeElement?.name;
  };
  return { change, controls: element.controls, views };
}

describe("The focus in a list", () => {
  test("goes to the row at the place of one that goes, or to the last one, and not to what can be pressed there", () => {
    for (const [gone, heir] of [["a", "b"], ["b", "c"], ["c", "b"]]) {
      const sections = { other: ["x", "y", "z"], all: ["a", "b", "c"] };
      const { change, views } = list(sections, gone);
      assert.equal(change({ ...sections, all: sections.all.filter((id) => id !== gone) }), heir);
      assert.equal(views.get(heir)?.element.tabIndex, -1);
    }
  });

  test("goes to the list if the section is empty or gone", () => {
    for (const after of [{ all: [], other: ["x"] }, { other: ["x"] }]) {
      assert.equal(list({ all: ["a"], other: ["x"] }, "a").change(after), "list");
    }
  });

  test("goes to what can be pressed in a row that stays without the control that had it", () => {
    const { change, controls } = list({ all: ["a", "b"] }, "a");
    controls[1].isShown = false;
    assert.equal(change({ all: ["a", "b"] }), "first of a");
  });

  test("comes back to a control that has lost it on the way, and is not given once more to one that has it", () => {
    const { change, controls } = list({ all: ["a", "b"] }, "a");
    page.activeElement = null;
    assert.equal(change({ all: ["b", "a"] }), "last of a");
    controls[1].focus = () => assert.fail("it has the focus");
    assert.equal(change({ all: ["a", "b"] }), "last of a");
  });
});
