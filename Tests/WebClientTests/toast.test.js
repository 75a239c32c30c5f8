import assert from "node:assert/strict";
import { test } from "node:test";
import { page } from "./support/elements.js";
import { offerUndo } from "../../Public/page/toast.js";

test("an offer goes after twenty seconds, but not while it has the focus", ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const toasts = page.createElement("div");
  Object.assign(page, { getElementById: () => toasts });
  offerUndo("Ada removed.", async () => {});
  offerUndo("Bea removed.", async () => {});
  page.activeElement = toasts.children[0].children.at(-1) ?? null;
  mock.timers.tick(19_999);
  assert.equal(toasts.children.length, 2);
  mock.timers.tick(1);
  assert.deepEqual(toasts.children.map((toast) => toast.contains(page.activeElement)), [true]);
  mock.timers.tick(20_000);
  assert.equal(toasts.children.length, 1);
  page.activeElement = null;
  mock.timers.tick(20_000);
  assert.equal(toasts.children.length, 0);
});
