/** The navigation: all screens, and the keys of the shown one. */
import { Address } from "./address.js";
import { h, setAttribute } from "./dom.js";
import { reveal } from "./reveal.js";
import { titled } from "./screens.js";

export class Switcher {
  #host;
  #screens;
  /** The shown links, as JSON. */
  #shown = "";

  /**
   * @param {HTMLElement} host
   * @param {import("./screens.js").Screens} screens
   * @param {() => void} turnTo Called when the user turns to the navigation.
   */
  constructor(host, screens, turnTo) {
    this.#host = host;
    this.#screens = screens;
    host.addEventListener("pointerenter", turnTo);
    host.addEventListener("focusin", ({ relatedTarget }) => {
      if (!host.contains(/** @type {Node | null} */ (relatedTarget))) turnTo();
    });
  }

  /** @param {import("./address.js").Place} place */
  show({ screen, key, keys }) {
    const screens = this.#screens.all.map(({ name }) => ({ href: Address.of(name), title: titled(name) }));
    const views = keys.map((view) => ({ href: Address.of(screen.name, view.key), title: view.title }));
    this.#write(titled(screen.name), screens, views);
    const current = [Address.of(screen.name), key === null ? "" : Address.of(screen.name, key)];
    for (const link of this.#host.querySelectorAll("a")) {
      const isCurrent = current.includes(link.getAttribute("href") ?? "");
      if (isCurrent && !link.hasAttribute("aria-current")) reveal(link);
      setAttribute(link, "aria-current", isCurrent && "page");
    }
  }

  /**
   * Replaces the links if they have changed: a link that is being pressed must not be replaced.
   *
   * @typedef {{href: string, title: string}} Link
   *
   * @param {string} title
   * @param {Link[]} screens
   * @param {Link[]} views
   */
  #write(title, screens, views) {
    const wanted = JSON.stringify([title, screens, views]);
    if (wanted === this.#shown) return;
    this.#shown = wanted;
    const focused = document.activeElement?.getAttribute("href");
    this.#host.replaceChildren(
      h("h2", {}, "Screens"), h("ul", {}, ...screens.map(Switcher.#item)),
      h("h2", {}, title), h("ul.keys", {}, ...views.map(Switcher.#item)));
    for (const link of this.#host.querySelectorAll("a")) {
      if (link.getAttribute("href") === focused) link.focus({ preventScroll: true });
    }
  }

  /**
   * Creates an entry; its full title is a tooltip if it is truncated.
   *
   * @param {Link} link
   */
  static #item({ href, title }) {
    return h("li", {}, h("a", { href, title, dir: "auto" }, title));
  }
}
