/**
 * Which view model is shown, as the fragment of the address says: `#profile/1`. So a view can be
 * linked, reloaded, and left with the back button.
 *
 * @typedef {object} Place
 * @property {import("./screens.js").Screen} screen
 * @property {string | null} key `null` where the address leaves it open and no key is known yet.
 * @property {import("./screens.js").Key[]} keys All keys of the screen that are known.
 */
import { apiPath } from "../viewdelta.js";
import { showToast } from "./toast.js";

export class Address {
  #screens;

  /** @param {import("./screens.js").Screens} screens */
  constructor(screens) {
    this.#screens = screens;
  }

  /**
   * The place that the address names; what it leaves open is the first on offer. A screen that is not
   * on offer is said to be missing, and the address becomes that of the first.
   *
   * @returns {Place} By what is known already: nothing is asked for.
   */
  current() {
    const [name, key] = Address.#parse(location.hash);
    const screen = this.#screens.named(name);
    if (screen) return this.#place(screen, key);
    const [first] = this.#screens.all;
    if (name) {
      showToast({ code: "unknown-screen", title: `There is no screen “${name}”.` });
      history.replaceState(null, "", Address.of(first.name));
    }
    return this.#place(first);
  }

  /**
   * The same place, now that it was tried to find out which keys there are.
   *
   * @param {Place} place
   * @returns {Place}
   */
  completed({ screen, key }) {
    const place = this.#place(screen, key ?? undefined);
    return { ...place, key: place.key ?? "1" };
  }

  /**
   * @param {import("./screens.js").Screen} screen
   * @param {string} [key]
   * @returns {Place}
   */
  #place(screen, key) {
    const keys = this.#screens.known(screen) ?? [];
    return { screen, key: key || keys[0]?.key || null, keys };
  }

  /**
   * The fragment that leads to a view model.
   *
   * @param {string} screen
   * @param {string} [key]
   */
  static of(screen, key) {
    return `#${encodeURIComponent(screen)}${key === undefined ? "" : `/${encodeURIComponent(key)}`}`;
  }

  /**
   * The parts of a fragment; one that can name nothing has none.
   *
   * @param {string} hash
   */
  static #parse(hash) {
    try {
      const parts = hash.slice(1).split("/", 2).map(decodeURIComponent);
      // Refuses what would lead elsewhere as a part of a path.
      apiPath(...parts.filter((part) => part !== ""));
      return parts;
    } catch {
      return [""];
    }
  }
}
