/**
 * The stage: opens the view model of the shown screen, passes each change to the list, and shows
 * the state of the connection.
 */
import { Address } from "./address.js";
import { Announcer } from "./announcer.js";
import { Banner } from "./banner.js";
import { byId, h, isolated, setAttribute, setText } from "./dom.js";
import { Editor } from "./editing/editor.js";
import { editsOf } from "./editing/edits.js";
import { UndoableCommands } from "./editing/undoable-commands.js";
import { ListView } from "./list/list-view.js";
import { Notes } from "./notes.js";
import { tellOfRestarts } from "./restart.js";
import { linkErrors } from "./rows/field-errors.js";
import { elementPath, isBlank } from "./screens.js";
import { elementKey } from "./session.js";
import { described } from "./toast.js";
import { titled } from "./words.js";

/** @typedef {import("../viewdelta.js").ViewModel} ViewModel */

/** The style and the label of each state of the connection. */
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

/** The states in which the shown view model is current, if the transport has answered. */
const followed = new Set(["listening", "waiting", "polling", "resting"]);

/** What has happened if an event ends an attempt; for all others the connection is lost. */
const troubles = /** @type {{[event: string]: string}} */ ({
  busy: "The server is busy.",
  diverged: "The data from the server does not fit the view, so the view is loaded again.",
  offline: "You are offline.",
  serverError: "The server answered with an error.",
  silent: "The server does not answer.",
  stale: "The data from the server does not fit the view, so the view is loaded again.",
});

/** @param {number} count The number of commands without a reply. */
const wait = (count) => (count === 1 ? "1 action waits" : `${count} actions wait`);

export class Stage {
  #server;
  #screens;
  #outdate;
  #title = byId("title");
  #summary = byId("summary");
  #status = byId("status");
  #banner = new Banner(byId("banner"), () => this.#viewModel?.retry());
  #notice = byId("notice");
  #refresh = byId("refresh");
  #host = byId("rows");
  #nothing = byId("nothing");
  #announcer = new Announcer(byId("announcer"), () => (this.#commands?.waiting ?? 0) > 0);
  /** The shown view model, or only the screen while its keys are unknown; empty before the first one. */
  #shown = "";
  /** What to say if there is no such view model: by the key that users know, without the session. */
  #missing = "";
  /** @type {ViewModel | null} */
  #viewModel = null;
  /** @type {UndoableCommands | null} */
  #commands = null;
  /**
   * The commands of view models that were left before all were answered.
   *
   * @type {Map<string, UndoableCommands>}
   */
  #left = new Map();
  /** @type {Editor | null} */
  #editor = null;
  /** @type {import("./screens.js").Screen | null} */
  #screen = null;
  /** What keeps the shown view model from being current; empty if nothing does. */
  #trouble = "";

  /**
   * @param {import("../viewdelta.js").ViewDelta} server
   * @param {import("./screens.js").Screens} screens
   * @param {() => void} outdate Called if other data may have changed, too: the view model is gone,
   *   the server was restarted, or the connection was lost.
   */
  constructor(server, screens, outdate) {
    this.#server = server;
    this.#screens = screens;
    this.#outdate = outdate;
    this.#refresh.addEventListener("click", () => this.#appear(this.#refresh));
  }

  /**
   * Shows a view model unless it is already shown.
   *
   * @param {import("./address.js").Place} place
   * @returns {import("./late-inspector.js").Shown | null} `null` if the view model is shown already, and while the key
   *   is unknown; the title and the summary of the screen are shown all the same.
   */
  show({ screen, key, keys }) {
    const element = key && elementKey(screen, key);
    const title = keys.find((each) => elementKey(screen, each.key) === element)?.title ?? element;
    setText(this.#title, titled(screen.name));
    setText(this.#summary, screen.summary);
    document.title = [title && isolated(title), titled(screen.name), "ViewDelta"].filter(Boolean).join(" · ");
    const name = key === null ? screen.name : `${screen.name}/${key}`;
    // Another build of the server may have another screen under the same name.
    if (this.#shown !== name || this.#screen !== screen) this.#leave(screen);
    this.#shown = name;
    const hint = screen.keys ? "" : ` Add another key to the address: #${screen.name}/KEY.`;
    this.#missing = `There is no “${screen.name}/${element}”.${hint}`;
    if (key === null || this.#viewModel) return null;

    const viewModel = this.#open(name, screen);
    const commands = this.#commandsOf(name, screen, key);
    const editor = new Editor(viewModel, editsOf(screen), commands.send);
    const notes = new Notes();
    const notice = h("div");
    this.#notice.replaceChildren(notice);
    tellOfRestarts({ element: notice, notes, screen, server: this.#server, viewModel });
    const list = new ListView(this.#host, {
      send: commands.send, canEdit: editor.canEdit, edit: editor.edit,
      hrefOf: (to) => Address.from(to, screen.name, key), title: titled(screen.name),
    }, (row, error) => {
      console.error(`The row ${row.id} of the type ${row.type} cannot be shown:`, error);
      notes.add("failed", `Row ${row.id} cannot be shown as ${row.type}: ${error}`);
    });
    this.#editor = editor;
    this.#viewModel = viewModel;
    this.#commands = commands;
    viewModel.addEventListener("change", ({ detail: change }) => {
      list.apply(change);
      this.#showNothing(screen, change.after);
      linkErrors(this.#host, change);
      this.#announcer.tell(change);
      if (change.kind === "reset") this.#outdate();
      // The library opens a view model that was never loaded.
      if (!change.before && !isBlank(screen, change.after.states)) this.#appear();
    });
    viewModel.addEventListener("status", ({ detail: status }) => this.#showStatus(status));
    viewModel.addEventListener("problem", ({ detail: { error } }) => this.#showRefusal(error, viewModel.status));
    this.#showStatus(viewModel.status);
    return { viewModel, commands, notes, screen, key };
  }

  /**
   * @param {string} name
   * @param {import("./screens.js").Screen} screen
   */
  #open(name, { opening, opens }) {
    return this.#server.open(name, { opening: opening ? { type: opening, opens } : false });
  }

  /**
   * Returns the commands of a view model: those that wait since it was left, so that what is entered now
   * is sent behind them. They have a view model of their own, which is open until all are answered.
   *
   * @param {string} name
   * @param {import("./screens.js").Screen} screen
   * @param {string} key
   */
  #commandsOf(name, screen, key) {
    const left = this.#left.get(name);
    this.#left.delete(name);
    if (left) return Object.assign(left, { isLeft: false });
    const viewModel = this.#open(name, screen);
    const load = () => this.#server.request(elementPath(screen, key));
    /** @type {UndoableCommands} */
    const commands = new UndoableCommands(
      { viewModel, screen, screens: this.#screens, server: this.#server, load }, () => {
        if (this.#viewModel && this.#commands === commands) return this.#showWait(this.#viewModel.status);
        if (commands.waiting > 0) return;
        this.#left.delete(name);
        commands.close();
      });
    commands.onSent((sent) => this.#announcer.note(sent));
    return commands;
  }

  /**
   * Clears the stage for a view model of a screen.
   *
   * @param {import("./screens.js").Screen} screen
   */
  #leave(screen) {
    if (this.#viewModel) this.#title.focus({ preventScroll: true });
    // What was entered last is sent before the commands are closed.
    if (this.#commands) {
      this.#commands.isLeft = true;
      if (this.#commands.waiting === 0) this.#commands.close();
      else this.#left.set(this.#shown, this.#commands);
    }
    this.#viewModel?.close();
    this.#viewModel = null;
    this.#commands = null;
    this.#editor?.close();
    this.#editor = null;
    this.#trouble = "";
    this.#announcer.stop();
    this.#host.replaceChildren();
    this.#nothing.replaceChildren();
    this.#screen = screen;
    setAttribute(this.#host, "lang", screen.language);
    this.#showMood({ state: "loading", isProven: false });
    this.#banner.show("");
    this.#notice.replaceChildren();
  }

  /**
   * Says that a view without a section title and without a row is empty, unless rows may still come.
   *
   * @param {import("./screens.js").Screen} screen
   * @param {import("../viewdelta.js").Snapshot} snapshot
   */
  #showNothing(screen, { sections, states }) {
    const isEmpty = sections.every(({ title, rows }) => !title && rows.length === 0);
    const isComing = Object.values(states).includes("isLoading") || isBlank(screen, states);
    const text = isEmpty && !isComing ? "There is nothing to show." : "";
    if (this.#nothing.textContent !== text) this.#nothing.replaceChildren(text && h("p.row.empty", {}, text));
  }

  /**
   * Sends the opening command of the screen, as when it comes into view.
   *
   * @param {HTMLElement} [control] The pressed control.
   */
  #appear(control) {
    const { opening } = this.#screen ?? {};
    if (opening) this.#commands?.send({ type: opening }, control);
  }

  /** @param {ViewModel["status"]} status */
  #showStatus(status) {
    const { state, event, isProven } = status;
    const hasReturned = isProven && followed.has(state);
    const wasLost = this.#trouble !== "";
    if (state === "offline") this.#trouble = troubles.offline;
    else if (state === "backingOff") this.#trouble = troubles[event ?? ""] ?? "The connection is lost.";
    // From the first failure until the connection is restored: attempts in between change nothing.
    else if (hasReturned || state === "suspended" || state === "closed") this.#trouble = "";
    this.#showWait(status);
    if (state === "gone" || (wasLost && hasReturned)) this.#outdate();
  }

  /**
   * Shows the state of the connection and the actions that wait.
   *
   * @param {ViewModel["status"]} status
   */
  #showWait(status) {
    this.#showMood(status);
    this.#showBanner(status);
  }

  /**
   * Says why an attempt has failed if the server has refused it, such as after the end of a sign-in.
   *
   * @param {any} error
   * @param {ViewModel["status"]} status
   */
  #showRefusal(error, status) {
    const isRefusal = error.status >= 400 && error.status < 500;
    if (status.state !== "backingOff" || !isRefusal || Object.hasOwn(troubles, status.event ?? "")) return;
    const { title, text } = described(error);
    this.#trouble = [title.replace(/\.?$/, "."), text].filter(Boolean).join(" ");
    this.#showBanner(status);
  }

  /** @param {ViewModel["status"]} status */
  #showBanner({ state, retryAt }) {
    // It may come back, as if somebody undoes its removal, and nothing else asks the server again.
    const canReturn = state === "gone" && this.#viewModel?.snapshot != null;
    const attempts = state === "gone" ? { canRetry: canReturn } : { retryAt, canRetry: this.#trouble !== "" };
    this.#banner.show(this.#message(state), attempts);
  }

  /** @param {string} state */
  #message(state) {
    const isMissing = this.#viewModel?.snapshot == null;
    if (state === "gone") {
      return isMissing ? this.#missing : "This view no longer exists. Its last state is shown.";
    }
    if (this.#trouble === "") return "";
    const { waiting } = this.#commands ?? { waiting: 0 };
    const rest = isMissing ? "The view will be shown when the server answers." : "The last known state is shown.";
    return [this.#trouble, rest, ...(waiting > 0 ? [`${wait(waiting)} to be done.`] : [])].join(" ");
  }

  /**
   * Shows the state of the connection or, if actions wait for long on a good connection, their number. A banner would
   * push the rows down.
   *
   * @param {Pick<ViewModel["status"], "state" | "isProven">} status
   */
  #showMood({ state, isProven }) {
    const { waiting, isSlow } = this.#commands ?? { waiting: 0, isSlow: false };
    const shown = followed.has(state) && !isProven ? "connecting" : state;
    const isWaiting = isSlow && this.#trouble === "" && state !== "gone";
    const [mood, name] = isWaiting ? ["busy", wait(waiting)] : moods[shown] ?? ["busy", titled(state)];
    const isMissing = state === "gone" && this.#viewModel?.snapshot == null;
    const text = isMissing ? "Not found" : name;
    this.#status.dataset.mood = mood;
    this.#status.dataset.state = state;
    setText(/** @type {HTMLElement} */ (this.#status.querySelector(".status-text")), text);
    const canRefresh = this.#screen?.opening !== undefined && state !== "gone";
    // A button that goes would take the focus with it.
    if (!canRefresh && document.activeElement === this.#refresh) this.#host.focus({ preventScroll: true });
    this.#refresh.hidden = !canRefresh;
    this.#host.setAttribute("aria-busy", String(state === "loading" || state === "idle"));
  }
}
