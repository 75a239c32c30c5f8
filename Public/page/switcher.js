/** The navigation: all screens, and the keys of the shown one. If these are many, one is found by its title. */
import { Address } from "./address.js";
import { h, setAttribute } from "./dom.js";
import { Picker } from "./picker.js";
import { markEdges, reveal } from "./reveal.js";
import { titled } from "./words.js";

/** @typedef {import("./picker.js").Link} Link */

/** The time after which a pointer that comes back loads the keys again, in milliseconds. */
const pause = 10_000;

/** The number of keys up to which each one is a link. */
const mostLinks = 12;

export class Switcher {
  #screens;
  #picker = new Picker();
  #title = h("p");
  #screenList = new LinkList();
  #keyList = new LinkList("keys");

  /**
   * @param {HTMLElement} host
   * @param {import("./screens.js").Screens} screens
   * @param {() => void} turnTo Called when the user turns to the navigation.
   */
  constructor(host, screens, turnTo) {
    this.#screens = screens;
    host.replaceChildren(
      h("p", {}, "Screens"), this.#screenList.element,
      this.#title, this.#picker.element, this.#keyList.element);
    let last = -Infinity;
    host.addEventListener("pointerenter", ({ timeStamp }) => {
      if (timeStamp - last < pause) return;
      last = timeStamp;
      turnTo();
    });
    host.addEventListener("focusin", ({ relatedTarget }) => {
      if (!host.contains(/** @type {Node | null} */ (relatedTarget))) turnTo();
    });
  }

  /** @param {import("./address.js").Place} place */
  show({ screen, key, keys }) {
    const title = titled(screen.name);
    const isLong = keys.length > mostLinks;
    const views = keys.map((view) => ({ href: Address.of(screen.name, view.key), title: view.title }));
    const shown = key === null ? "" : Address.of(screen.name, key);
    this.#title.textContent = title;
    this.#picker.element.hidden = !isLong;
    if (isLong) this.#picker.show(title, views);
    this.#screenList.show("", this.#screens.all.map(({ name }) =>
      ({ href: Address.of(name), title: titled(name) })), Address.of(screen.name));
    this.#keyList.show(title, isLong ? views.filter(({ href }) => href === shown) : views, shown);
  }
}

/** A list of links, one of which is current. On a phone it is one line that is scrolled. */
class LinkList {
  element;
  #mark;
  /** The shown links, as JSON. */
  #shown = "";

  /** @param {string} [style] */
  constructor(style) {
    this.element = h("ul", { class: style });
    this.#mark = markEdges(this.element);
  }

  /**
   * Replaces the links if they have changed: a link that is being pressed must not be replaced.
   *
   * @param {string} label
   * @param {Link[]} links
   * @param {string} current The address of the current one.
   */
  show(label, links, current) {
    const wanted = JSON.stringify(links);
    if (wanted !== this.#shown) this.#write(links);
    this.#shown = wanted;
    setAttribute(this.element, "aria-label", label || null);
    for (const link of this.element.querySelectorAll("a")) {
      const isCurrent = current === link.getAttribute("href");
      if (isCurrent && !link.hasAttribute("aria-current")) reveal(link);
      setAttribute(link, "aria-current", isCurrent && "page");
    }
    this.#mark();
  }

  /**
   * If the link with the focus is gone, that at its position gets the focus.
   *
   * @param {Link[]} links
   */
  #write(links) {
    const former = [...this.element.querySelectorAll("a")];
    const at = former.findIndex((link) => link === document.activeElement);
    // The full title is a tooltip if it is truncated.
    const written = links.map(({ href, title }) => h("a", { href, title, dir: "auto" }, title));
    this.element.replaceChildren(...written.map((link) => h("li", {}, link)));
    if (at < 0) return;
    const href = former[at].getAttribute("href");
    const heir = written.find((link) => link.getAttribute("href") === href) ?? written[at] ?? written.at(-1);
    heir?.focus({ preventScroll: true });
  }
}
