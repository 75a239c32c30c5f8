/**
 * The screens on offer, and the keys of each, as the server lists them.
 *
 * @typedef {object} Screen
 * @property {string} name
 * @property {string} summary One sentence on what it shows.
 * @property {string} path
 * @property {string[]} sources
 * @property {string[]} [faults] The sources whose faults can be scripted.
 * @property {{collection: string, title?: string} | {only: string[]}} [keys]
 * @property {CommandDescription[]} commands
 *
 * @typedef {object} CommandDescription
 * @property {string} type
 * @property {string} summary
 * @property {{properties: {[name: string]: any}, required?: string[]}} schema
 *
 * @typedef {{key: string, title: string}} Key
 */

export class Screens {
  /** @type {Screen[]} */
  all;
  #server;

  /**
   * @param {import("../viewdelta.js").ViewDelta} server
   * @returns {Promise<Screens>}
   */
  static async load(server) {
    const { screens } = await server.request("/v1/view-models");
    return new Screens(server, screens);
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
   * @param {string} name
   * @returns {Screen | undefined}
   */
  named(name) {
    return this.all.find((screen) => screen.name === name);
  }

  /**
   * The keys of a screen, asked anew each time: users come and go. Empty where they cannot be found.
   *
   * @param {Screen} screen
   * @returns {Promise<Key[]>}
   */
  async keys(screen) {
    const { keys } = screen;
    if (!keys) return [];
    if ("only" in keys) return keys.only.map((key) => ({ key, title: titled(key) }));
    try {
      const elements = await this.#server.request(keys.collection);
      return elements.map((/** @type {any} */ element) => ({
        key: String(element.id),
        title: (keys.title && element[keys.title]) || `${titled(screen.name)} ${element.id}`,
      }));
    } catch {
      return [];
    }
  }
}

/**
 * A name of the API as a title: `shoppingList` is "Shopping list".
 *
 * @param {string} name
 */
export function titled(name) {
  const words = name.replace(/[-_]/g, " ").replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
