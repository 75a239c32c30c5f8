/**
 * The screens of the server, and the keys of each.
 *
 * @typedef {object} Screen
 * @property {string} name
 * @property {string} summary One sentence that describes it.
 * @property {string} path
 * @property {string[]} sources
 * @property {string[]} [faults] The sources whose faults can be scripted.
 * @property {{collection: string, title?: string} | {only: string[]}} [keys]
 * @property {string} [language] The language of the texts that it makes.
 * @property {boolean} [personal] Whether each session has view models of its own.
 * @property {CommandDescription[]} commands
 * @property {string} [opening] The command that is sent when the screen comes into view, if it has one.
 * @property {string[]} [opens] The sources that this command loads.
 *
 * @typedef {object} CommandDescription
 * @property {string} type
 * @property {string} summary
 * @property {{properties: {[name: string]: any}, required?: string[]}} schema
 *
 * @typedef {{key: string, title: string}} Key
 */

import { inOrder } from "./in-order.js";
import { ownKey } from "./session.js";
import { plain, titled } from "./words.js";

/** The maximum number of keys that are listed for a screen. */
const mostKeys = 10_000;

export class Screens {
  /** @type {Screen[]} */
  all;
  #server;
  /** @type {Map<string, Key[]>} */
  #known = new Map();
  /**
   * The functions that load the keys of screens.
   *
   * @type {WeakMap<Screen, () => Promise<void>>}
   */
  #loads = new WeakMap();

  /**
   * @param {import("../viewdelta.js").ViewDelta} server
   * @returns {Promise<Screens>}
   */
  static async load(server) {
    return new Screens(server, await listed(server));
  }

  /**
   * @param {import("../viewdelta.js").ViewDelta} server
   * @param {Screen[]} all
   */
  constructor(server, all) {
    this.#server = server;
    this.all = all;
  }

  /**
   * Loads the list again, because another build of the server may have another one. A screen that has not changed
   * stays the same object. If the server does not answer, the known list stays.
   */
  reload = inOrder(() => listed(this.#server), (screens) => {
    const known = new Map(this.all.map((screen) => [JSON.stringify(screen), screen]));
    this.all = screens.map((screen) => known.get(JSON.stringify(screen)) ?? screen);
  });

  /**
   * @param {string} name
   * @returns {Screen | undefined}
   */
  named(name) {
    return this.all.find((screen) => screen.name === name);
  }

  /**
   * Returns the known keys of a screen; `undefined` if they were not loaded yet.
   *
   * @param {Screen} screen
   * @returns {Key[] | undefined}
   */
  known({ name, keys, personal }) {
    if (!keys) return [];
    const known = "only" in keys ? keys.only.map((key) => ({ key, title: titled(key) }))
      : this.#known.get(name);
    return personal ? known?.map(({ key, title }) => ({ key: ownKey(key), title })) : known;
  }

  /**
   * Loads the keys of a screen, because users come and go. If the server does not answer, the known ones stay.
   *
   * @param {Screen} screen
   */
  async loadKeys(screen) {
    const { name, keys } = screen;
    if (!keys || "only" in keys) return;
    const load = this.#loads.get(screen) ?? inOrder(() => this.#server.list(keys.collection, mostKeys), (elements) => {
      // An element whose id has a slash has no view model.
      const shown = elements.filter(({ id }) => !String(id).includes("/"));
      this.#known.set(name, shown.map((element) => ({
        key: String(element.id),
        // It may be a number, such as a year.
        title: keys.title && element[keys.title] ? plain(element[keys.title]) : `${titled(name)} ${element.id}`,
      })));
    });
    this.#loads.set(screen, load);
    await load();
  }
}

/**
 * @param {import("../viewdelta.js").ViewDelta} server
 * @returns {Promise<Screen[]>}
 */
async function listed(server) {
  const { screens } = await server.request("/v1/view-models");
  // A network that wants a login may answer with JSON of its own.
  if (!Array.isArray(screens) || !screens.every(isScreen)) throw new TypeError("the answer is no list of screens");
  if (screens.length === 0) throw new Error("The server has no screens.");
  return screens;
}

/** @param {any} screen */
const isScreen = (screen) => typeof screen?.name === "string" && Array.isArray(screen.commands);

/**
 * Returns the path of the resource that a view model shows; empty if its screen names no collection.
 *
 * @param {Screen} screen
 * @param {string} key
 */
export const elementPath = ({ keys }, key) =>
  keys && "collection" in keys ? `${keys.collection}/${encodeURIComponent(key)}` : "";

/**
 * Returns whether a source that the opening command of a screen loads was never loaded. Other sources are loaded on
 * request.
 *
 * @param {Pick<Screen, "opening" | "opens">} screen
 * @param {import("../viewdelta/types.js").States} states
 */
export const isBlank = ({ opening, opens }, states) =>
  opening !== undefined && (opens ?? Object.keys(states)).some((name) => states[name] === "notRequested");
