/**
 * The shown view model as the fragment of the address: `#profile/1`. It makes a view linkable and
 * reloadable, and the back button work.
 *
 * @typedef {object} Place
 * @property {import("./screens.js").Screen} screen
 * @property {string | null} key `null` if the address names none and no key is known yet.
 * @property {import("./screens.js").Key[]} keys All keys of the screen that are known.
 */
import { apiPath } from "../viewdelta.js";
import { elementKey, ownKey } from "./session.js";
import { showToast } from "./toast.js";

export class Address {
  #screens;

  /** @param {import("./screens.js").Screens} screens */
  constructor(screens) {
    this.#screens = screens;
  }

  /**
   * Returns the place that the address names. If it leaves the screen or the key open, the first
   * one is used. If it names an unknown screen or is malformed, that is reported, and the address is
   * changed to the first screen.
   *
   * @returns {Place} The place according to the known keys; no request is sent.
   */
  current() {
    const [name, key] = Address.#parse(location.hash);
    const screen = this.#screens.named(name);
    // A session alone is no key.
    if (screen && (!key || isSegment(elementKey(screen, key)))) {
      const place = this.#place(screen, key);
      // With the session, so that the address can be given away.
      if (key && place.key !== key) history.replaceState(null, "", Address.of(name, place.key ?? key));
      return place;
    }
    const [first] = this.#screens.all;
    if (location.hash) {
      const missing = name && !screen ? `screen “${name}”` : `view “${location.hash.slice(1)}”`;
      showToast({ code: "unknown-screen", title: `There is no ${missing}.` });
      history.replaceState(null, "", Address.of(first.name));
    }
    return this.#place(first);
  }

  /**
   * Returns the same place after the keys were loaded.
   *
   * @param {Place} place
   * @returns {Place}
   */
  completed({ screen, key }) {
    const place = this.#place(screen, key ?? undefined);
    return { ...place, key: place.key ?? (screen.personal ? ownKey("1") : "1") };
  }

  /**
   * @param {import("./screens.js").Screen} screen
   * @param {string} [key]
   * @returns {Place}
   */
  #place(screen, key) {
    const keys = this.#screens.known(screen) ?? [];
    const own = key && screen.personal && !key.includes("@") ? ownKey(key) : key;
    return { screen, key: own || keys[0]?.key || null, keys };
  }

  /**
   * Returns the fragment of the address of a view model.
   *
   * @param {string} screen
   * @param {string} [key]
   */
  static of(screen, key) {
    return `#${encodeURIComponent(screen)}${key === undefined ? "" : `/${encodeURIComponent(key)}`}`;
  }

  /**
   * Returns the fragment of the address of a view model that a row leads to. On a personal screen the session
   * stays.
   *
   * @param {string} to Such as `settings/privacy`.
   * @param {string} screen The screen with the row.
   * @param {string} key The key of the view model with the row.
   */
  static from(to, screen, key) {
    const [name, target] = to.split("/", 2);
    const session = name === screen ? key.match(/@[^@]*$/)?.[0] ?? "" : "";
    return Address.of(name, target + session);
  }

  /**
   * Returns the parts of a fragment; an empty array if it is malformed.
   *
   * @param {string} hash
   */
  static #parse(hash) {
    try {
      const parts = hash.slice(1).split("/", 2).map(decodeURIComponent);
      return parts.every((part) => part === "" || isSegment(part)) ? parts : [""];
    } catch {
      return [""];
    }
  }
}

/**
 * Returns whether a path can have a name or key: one that would change the path of a request is refused, and no key has
 * a slash or a control character.
 *
 * @param {string} part
 */
function isSegment(part) {
  try {
    apiPath(part);
    return !/[/\p{Cc}]/u.test(part);
  } catch {
    return false;
  }
}
