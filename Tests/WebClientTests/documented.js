/** The examples of the library's documentation, which only the type checker reads. */
import { ViewDelta, transform } from "../../Public/viewdelta.js";

const profile = new ViewDelta().open("profile/1");
const list = /** @type {HTMLElement} */ (document.querySelector("ul"));
const show = (/** @type {Element} */ item, /** @type {{title?: string}} */ row) => {
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
