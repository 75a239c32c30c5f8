/**
 * Finds one of many links by its title: an editable combobox with a list, as the ARIA Authoring Practices
 * describe it. The focus stays in the input, so that the list takes one stop of the Tab key.
 */
import { h, isComposing, setAttribute, setText, uniqueId } from "./dom.js";

/** @typedef {{href: string, title: string}} Link */

/** The number of links that are listed at once. */
const mostListed = 50;

export class Picker {
  element;
  #input;
  #list;
  /** The number of matches, for all to see and hear. */
  #status = h("p.soft", { role: "status" });
  #popup;
  /** The shown links, as JSON. */
  #shown = "";
  /** @type {{link: Link, words: string}[]} */
  #all = [];
  /**
   * The listed links.
   *
   * @type {Link[]}
   */
  #listed = [];
  /** The position of the active option; -1 if none is active. */
  #active = -1;

  constructor() {
    const id = uniqueId("options");
    this.#list = h("ul", { role: "listbox", id });
    this.#input = /** @type {HTMLInputElement} */ (h("input", {
      type: "text", role: "combobox", "aria-expanded": "false", "aria-controls": id,
      "aria-autocomplete": "list", autocomplete: "off", spellcheck: "false", dir: "auto",
      input: () => this.#open(),
      click: () => this.#open(),
      blur: () => this.#close(),
      keydown: (/** @type {KeyboardEvent} */ event) => this.#press(event),
    }));
    // The input keeps the focus while an option is pressed.
    this.#popup = h("div.popup", { hidden: true, pointerdown: (/** @type {Event} */ event) => event.preventDefault() },
      this.#list, this.#status);
    this.element = h("div.picker", {}, this.#input, this.#popup);
  }

  /**
   * @param {string} label The name of the input and the list.
   * @param {Link[]} links
   */
  show(label, links) {
    const shown = JSON.stringify(links);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#all = links.map((link) => ({ link, words: folded(link.title) }));
    setAttribute(this.#input, "aria-label", label);
    setAttribute(this.#list, "aria-label", label);
    setAttribute(this.#input, "placeholder", `Find one of ${number(links.length)}`);
    if (!this.#popup.hidden) this.#open();
  }

  /** Lists the links whose titles contain what is entered, those first that begin with it. */
  #open() {
    const entered = folded(this.#input.value.trim());
    const matches = this.#all.filter(({ words }) => words.includes(entered));
    const first = matches.filter(({ words }) => words.startsWith(entered));
    const others = matches.filter(({ words }) => !words.startsWith(entered));
    this.#listed = [...first, ...others].slice(0, mostListed).map(({ link }) => link);
    this.#list.replaceChildren(...this.#listed.map((link) => h("li", {
      role: "option", id: uniqueId("option"), "aria-selected": "false", dir: "auto",
      click: () => this.#choose(link),
    }, link.title)));
    const rest = matches.length - this.#listed.length;
    const found = `${number(matches.length)} of ${number(this.#all.length)}`;
    setText(this.#status, matches.length === 0 ? "No match" : rest > 0 ? `${found}: keep typing` : found);
    this.#popup.hidden = false;
    setAttribute(this.#input, "aria-expanded", "true");
    this.#activate(-1);
  }

  #close() {
    this.#popup.hidden = true;
    setAttribute(this.#input, "aria-expanded", "false");
    this.#activate(-1);
  }

  /** @param {number} position */
  #activate(position) {
    this.#active = position;
    for (const [index, option] of [...this.#list.children].entries()) {
      option.setAttribute("aria-selected", String(index === position));
    }
    const option = this.#list.children[position];
    setAttribute(this.#input, "aria-activedescendant", option?.id);
    option?.scrollIntoView({ block: "nearest" });
  }

  /** @param {Link} link */
  #choose({ href }) {
    this.#input.value = "";
    this.#close();
    location.hash = href;
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (isComposing(event) || !this.#handles(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Does what a key means in a combobox.
   *
   * @param {KeyboardEvent} event
   * @returns {boolean} Whether it means anything.
   */
  #handles({ key, altKey }) {
    const isOpen = !this.#popup.hidden;
    if (key === "ArrowDown" || key === "ArrowUp") {
      if (altKey && key === "ArrowUp") this.#close();
      else if (!isOpen) this.#open();
      if (!altKey) this.#step(key === "ArrowDown" ? 1 : -1);
      return true;
    }
    if (key === "Enter") {
      const chosen = this.#active >= 0 ? this.#listed[this.#active] : this.#match;
      if (isOpen && chosen) this.#choose(chosen);
      return true;
    }
    if (key === "Escape" && (isOpen || this.#input.value !== "")) {
      if (!isOpen) this.#input.value = "";
      this.#close();
      return true;
    }
    return false;
  }

  /** The link that Enter opens if none is chosen: the only one, or the one whose title is entered in full. */
  get #match() {
    const entered = folded(this.#input.value.trim());
    const complete = this.#listed.filter(({ title }) => folded(title) === entered);
    return [this.#listed, complete].find(({ length }) => length === 1)?.[0];
  }

  /**
   * Activates the next or the previous option, from the last to the first.
   *
   * @param {1 | -1} by
   */
  #step(by) {
    const count = this.#listed.length;
    if (count === 0) return;
    const from = this.#active < 0 && by < 0 ? 0 : this.#active;
    this.#activate((from + by + count) % count);
  }
}

/** @param {number} count */
const number = (count) => count.toLocaleString("en");

/**
 * Returns a text without the differences that a search ignores: case and accents.
 *
 * @param {string} text
 */
const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
