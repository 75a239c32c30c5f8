/** A section: its title, if it has one, and the list of its rows. */
import { h, setAttribute, setText } from "../dom.js";

/** The number of rows that a browser lays out without a noticeable delay. */
const longest = 200;

export class SectionView {
  element;
  list;
  #heading;

  /** @param {string} id */
  constructor(id) {
    this.#heading = h("h3", { hidden: true });
    this.list = h("ul", { role: "list" });
    this.element = h("section.section", { "data-section": id }, this.#heading, this.list);
  }

  /** @param {number} count The number of rows. */
  resize(count) {
    this.list.classList.toggle("long", count > longest);
  }

  /** @param {import("../../viewdelta/types.js").Section} section */
  show({ title }) {
    setText(this.#heading, title);
    setAttribute(this.list, "aria-label", title || null);
  }
}
