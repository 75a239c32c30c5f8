/** The navigation: all screens, and the keys of the one that is shown. */
import { Address } from "./address.js";
import { h } from "./dom.js";
import { reveal } from "./reveal.js";
import { titled } from "./screens.js";

export class Switcher {
  #host;
  #screens;

  /**
   * @param {HTMLElement} host
   * @param {import("./screens.js").Screens} screens
   */
  constructor(host, screens) {
    this.#host = host;
    this.#screens = screens;
  }

  /** @param {import("./address.js").Place} place */
  show({ screen, key, keys }) {
    const focused = document.activeElement?.getAttribute("href");
    const screens = this.#screens.all.map(({ name }) =>
      Switcher.#link(Address.of(name), titled(name), name === screen.name));
    const views = keys.map((view) =>
      Switcher.#link(Address.of(screen.name, view.key), view.title, view.key === key));
    this.#host.replaceChildren(
      h("h2", {}, "Screens"), h("ul", {}, ...screens),
      h("h2", {}, titled(screen.name)), h("ul.keys", {}, ...views));
    for (const link of this.#host.querySelectorAll("a")) {
      if (link.getAttribute("href") === focused) link.focus({ preventScroll: true });
      if (link.hasAttribute("aria-current")) reveal(link);
    }
  }

  /**
   * @param {string} href
   * @param {string} title
   * @param {boolean} isCurrent
   */
  static #link(href, title, isCurrent) {
    return h("li", {}, h("a", { href, "aria-current": isCurrent && "page" }, title));
  }
}
