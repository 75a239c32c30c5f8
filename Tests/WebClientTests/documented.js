/** The examples of the library's documentation, and its types, which only the type checker reads. */
import { ProblemError, Replica, ViewDelta, transform } from "../../Public/viewdelta.js";

/** @typedef {import("../../Public/viewdelta.js").Row} Row */
/** @typedef {import("../../Public/viewdelta.js").Snapshot} Snapshot */

const profile = new ViewDelta().open("profile/1");
const list = /** @type {HTMLElement} */ (document.querySelector("ul"));
const show = (/** @type {Element} */ item, /** @type {Row} */ row) => {
  item.textContent = row.title ?? "";
  return item;
};

profile.drive({
  elements: [],
  insert(row, at) {
    this.elements.splice(at, 0, row);
    list.insertBefore(show(document.createElement("li"), row), list.children[at] ?? null);
  },
  delete(row, at) {
    this.elements.splice(at, 1);
    list.children[at].remove();
  },
  update(old, at, row) {
    this.elements[at] = row;
    show(list.children[at], row);
  },
}, "posts");

transform({
  elements: /** @type {{id: number, name: string}[]} */ ([]),
  insert(player, at) { this.elements.splice(at, 0, player); },
  delete(player, at) { this.elements.splice(at, 1); },
  update(old, at, player) { this.elements[at] = player; },
}, [{ id: 1, name: "Ada" }, { id: 2, name: "Bruno" }]);

const server = new ViewDelta();
const form = server.open("form/1@hT7c-0VqRk2mZ5xEo9sYwA");
const board = server.open("scoreboard/1");
await server.request("/v1/users/4", { method: "PATCH", body: { website: "dana.example.net" } });
export const users = await server.list("/v1/users");
await form.send({ type: "didChange", row: "name", value: "Ada" }, { slot: "name" });
const [oldest] = await profile.revisions({ limit: 10 });
export const former = await profile.at(oldest.revision);

const replica = new Replica("profile/1");
replica.apply(await server.request("/v1/view-models/profile/1"));
const change = await server.request(`/v1/view-models/profile/1/diff?since=${replica.revision}`);
if (change !== null) console.log(replica.apply(change).diff?.rows);

try {
  await board.send({ type: "renamePlayer", player: 7, name: "" });
} catch (error) {
  if (!(error instanceof ProblemError)) throw error;
  console.log(error.code, error.pointer, error.message);
}

/** @type {import("../../Public/viewdelta.js").ViewDeltaOptions} */
const options = { transports: ["poll"], timing: { pollInterval: 1_000 } };
/** @type {import("../../Public/viewdelta.js").TransformableList<Row>} */
const rows = { elements: [], insert() {}, delete() {}, update() {} };
new ViewDelta(options).open("profile/1").drive(rows, "posts");

profile.drive({
  elements: [],
  // It is a row, although the empty array does not say so.
  insert(row) { row.type.toUpperCase(); },
  delete() {},
  update() {},
});

const long = new ViewDelta().open("catalog/1", { window: { start: 0, count: 100 } });
long.addEventListener("change", ({ detail: { after } }) => console.log(after.rowCount, after.window?.total));
long.scroll({ start: 200 });
new ViewDelta().sync().add("catalog/1", { window: { start: 0, count: 100 } }).scroll({ start: 0, count: 50 });
// @ts-expect-error A window begins with a row.
long.scroll({ from: 200 });
// @ts-expect-error And has a number of rows.
new ViewDelta().open("catalog/1", { window: { start: 0 } });

profile.addEventListener("change", { handleEvent: ({ detail }) => detail.after.revision });
// @ts-expect-error There is no such event.
profile.addEventListener("changed", () => {});
/** @type {EventTarget} */
export const target = profile;

const [section] = /** @type {Snapshot} */ (profile.snapshot).sections;
// @ts-expect-error A section is never changed.
section.title = "Posts";
// @ts-expect-error Nor is a row.
section.rows[0].title = "Post";
// @ts-expect-error The size of a revision may be unknown.
profile.revisions().then(([{ bytes }]) => bytes.toFixed());
