/**
 * Which view model is shown, as the fragment of the address says: `#profile/1`. So a view can be
 * linked, reloaded, and left with the back button.
 *
 * @typedef {object} Place
 * @property {import("./screens.js").Screen} screen
 * @property {string} key
 * @property {import("./screens.js").Key[]} keys All keys of the screen.
 */

export class Address {
  #screens;

  /** @param {import("./screens.js").Screens} screens */
  constructor(screens) {
    this.#screens = screens;
  }

  /**
   * The place that the address names; what it leaves open is the first on offer.
   *
   * @returns {Promise<Place>}
   */
  async current() {
    const [name, key] = Address.#parse(location.hash);
    const screen = this.#screens.named(name) ?? this.#screens.all[0];
    const keys = await this.#screens.keys(screen);
    return { screen, key: key || keys[0]?.key || "1", keys };
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

  /** @param {string} hash */
  static #parse(hash) {
    try {
      return hash.slice(1).split("/", 2).map(decodeURIComponent);
    } catch {
      return [""];
    }
  }
}
