/** A section: its title, where it has one, and the list of its rows. */
import { h, setText } from "../dom.js";

/** How many rows a browser lays out without anybody noticing. */
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

  /** @param {number} count How many rows there are. */
  resize(count) {
    this.list.classList.toggle("long", count > longest);
  }

  /** @param {import("../../viewdelta/types.js").Section} section */
  show({ title }) {
    setText(this.#heading, title);
    if (title) this.list.setAttribute("aria-label", title);
    else this.list.removeAttribute("aria-label");
  }
}
