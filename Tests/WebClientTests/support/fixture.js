import { createHash } from "node:crypto";
import { ViewDelta } from "../../../Public/viewdelta.js";
import { Clock, settle } from "./clock.js";
import { ScriptedServer } from "./scripted-server.js";

/** The hash of the host, computed synchronously, because the test's clock does not wait for threads. */
export const subtle = {
  /** @param {string} _ @param {Uint8Array} bytes */
  digest: async (_, bytes) => new Uint8Array(createHash("sha256").update(bytes).digest()).buffer,
};

class Page extends EventTarget {
  visibilityState = "visible";
}

/** A client whose clock, server and page the test controls. */
export class Fixture {
  clock = new Clock();
  server = new ScriptedServer();
  page = new Page();
  window = new EventTarget();
  #names = 0;

  /** @param {any} [options] */
  constructor({ subtle: offered = subtle, locks = null, visibility = "visible", ...options } = {}) {
    this.page.visibilityState = visibility;
    this.client = new ViewDelta({
      ...options,
      environment: {
        fetch: this.server.fetch,
        now: this.clock.now,
        setTimeout: this.clock.setTimeout,
        clearTimeout: this.clock.clearTimeout,
        random: () => 0.5,
        uniqueName: () => `key-${++this.#names}`,
        subtle: offered,
        locks,
        document: this.page,
        window: this.window,
      },
    });
  }

  /** Opens `profile/1` and records its events. @param {any} [options] */
  open(options) {
    return this.#recorded(this.client.open("profile/1", options));
  }

  /** Opens `profile/1` up to its first snapshot. @param {any} document @param {any} [options] */
  async opened(document, options) {
    const opened = this.open(options);
    await (await this.server.next("/profile/1")).answer(200, document);
    return opened;
  }

  /** Shows or hides the page. @param {"visible" | "hidden"} state */
  async setVisibility(state) {
    this.page.visibilityState = state;
    this.page.dispatchEvent(new Event("visibilitychange"));
    await settle();
  }

  /** @param {string} type */
  async pageEvent(type) {
    this.page.dispatchEvent(new Event(type));
    await settle();
  }

  /** @param {string} type */
  async windowEvent(type) {
    this.window.dispatchEvent(new Event(type));
    await settle();
  }

  /**
   * Sends a command, and answers it with a document.
   *
   * @param {any} model
   * @param {any} document
   * @param {boolean} [accepted]
   */
  async command(model, document, accepted = true) {
    const sent = model.send({ type: "add" });
    const reply = { accepted, revision: document.revision, diff: document };
    await (await this.server.next("/commands")).answer(200, reply);
    return sent;
  }

  #recorded(model) {
    const told = { change: [], status: [], problem: [], diverged: [], advanced: [] };
    for (const [type, list] of Object.entries(told)) {
      model.addEventListener(type, ({ detail }) => list.push(detail));
    }
    return { model, told };
  }
}

/** The ids of the held rows. */
export const rowIds = (model) =>
  model.snapshot?.sections.flatMap(({ rows }) => rows.map(({ id }) => id)) ?? null;
