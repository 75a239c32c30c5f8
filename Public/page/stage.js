/**
 * The screen itself: opens its view model, hands each change to the list, and says how the connection
 * is.
 */
import { Announcer } from "./announcer.js";
import { Commands } from "./commands.js";
import { setText } from "./dom.js";
import { ListView } from "./list/list-view.js";
import { titled } from "./screens.js";

/** @typedef {import("../viewdelta.js").ViewModel} ViewModel */

/** How each state of the connection feels, and what it is called. */
const moods = /** @type {{[state: string]: [mood: string, text: string]}} */ ({
  idle: ["busy", "Starting"],
  loading: ["busy", "Loading"],
  connecting: ["busy", "Connecting"],
  listening: ["live", "Live"],
  waiting: ["live", "Live, by long poll"],
  polling: ["live", "Polling"],
  resting: ["live", "Polling"],
  backingOff: ["down", "Retrying soon"],
  offline: ["down", "Offline"],
  suspended: ["busy", "Paused"],
  gone: ["down", "Gone"],
  closed: ["down", "Closed"],
});

/** The commands that a screen may have for coming into view. */
const openings = ["appear", "load"];

export class Stage {
  #server;
  #title = need("title");
  #summary = need("summary");
  #status = need("status");
  #banner = need("banner");
  #refresh = need("refresh");
  #host = need("rows");
  #announcer = new Announcer(need("announcer"));
  /** @type {ViewModel | null} */
  #viewModel = null;
  /** @type {Commands | null} */
  #commands = null;
  /** @type {ListView | null} */
  #list = null;
  /**
   * The command that fills the screen, if it has one.
   *
   * @type {string | undefined}
   */
  #opening;

  /** @param {import("../viewdelta.js").ViewDelta} server */
  constructor(server) {
    this.#server = server;
    this.#refresh.addEventListener("click", () => {
      if (this.#opening) this.#commands?.send({ type: this.#opening }, this.#refresh);
    });
  }

  /**
   * Shows another view model, unless it is the one on show.
   *
   * @param {import("./address.js").Place} place
   * @returns {{viewModel: ViewModel, commands: Commands}}
   */
  show({ screen, key, keys }) {
    const name = `${screen.name}/${key}`;
    const title = keys.find((each) => each.key === key)?.title ?? key;
    setText(this.#title, titled(screen.name));
    setText(this.#summary, screen.summary);
    document.title = `${title} · ${titled(screen.name)} · ViewDelta`;
    if (this.#viewModel?.name === name && this.#commands) {
      return { viewModel: this.#viewModel, commands: this.#commands };
    }

    const moved = this.#viewModel !== null;
    this.#viewModel?.close();
    this.#announcer.stop();
    const viewModel = this.#server.open(name);
    const commands = new Commands(viewModel);
    const list = new ListView(this.#host, { send: commands.send });
    this.#viewModel = viewModel;
    this.#commands = commands;
    this.#list = list;
    this.#banner.hidden = true;
    this.#opening = openings.find((type) => screen.commands.some((command) => command.type === type));
    this.#refresh.hidden = this.#opening === undefined;
    if (moved) this.#title.focus({ preventScroll: true });

    viewModel.addEventListener("change", ({ detail: change }) => {
      if (this.#list !== list) return;
      list.apply(change);
      this.#announcer.tell(change);
      // At first, and after a restart of the server, which has forgotten what was loaded.
      if (change.kind !== "diff") this.#open(change.after);
    });
    viewModel.addEventListener("status", ({ detail: status }) => {
      if (this.#list === list) this.#showStatus(status);
    });
    this.#showStatus(viewModel.status);
    return { viewModel, commands };
  }

  /**
   * Tells the screen that it has come into view, so that what was never loaded is.
   *
   * @param {import("../viewdelta/types.js").Snapshot} snapshot
   */
  #open({ states }) {
    const isBlank = Object.values(states).includes("notRequested");
    if (this.#opening && isBlank) this.#commands?.send({ type: this.#opening });
  }

  /** @param {ViewModel["status"]} status */
  #showStatus({ state }) {
    const [mood, text] = moods[state] ?? ["busy", titled(state)];
    this.#status.dataset.mood = mood;
    this.#status.dataset.state = state;
    setText(/** @type {HTMLElement} */ (this.#status.querySelector(".status-text")), text);
    const messages = /** @type {{[state: string]: string}} */ ({
      offline: "You are offline. What you see is the last known state; it catches up by itself.",
      backingOff: "The connection is lost. What you see is the last known state; it catches up by itself.",
      gone: "There is no such view any more. What you see is its last state.",
    });
    setText(this.#banner, messages[state]);
    this.#host.setAttribute("aria-busy", String(state === "loading" || state === "idle"));
  }
}

/** @param {string} id */
function need(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}
