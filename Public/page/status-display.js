/** Shows the state of the connection by a mood and a word, and by a banner if it keeps the view from being current. */
import { Banner } from "./banner.js";
import { byId, setText } from "./dom.js";
import { described } from "./toast.js";
import { titled } from "./words.js";

/** @typedef {import("../viewdelta.js").ViewModel} ViewModel */
/** @typedef {import("./screens.js").Screen} Screen */
/** @typedef {Pick<import("./commands.js").Commands, "waiting" | "isSlow">} Commands */

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

export class StatusDisplay {
  #outdate;
  #status = byId("status");
  #banner = new Banner(byId("banner"), () => this.#viewModel?.retry());
  #refresh = byId("refresh");
  #rows = byId("rows");
  /** @type {Screen | null} */
  #screen = null;
  /** @type {ViewModel | null} */
  #viewModel = null;
  /** @type {Commands | null} */
  #commands = null;
  /** What to say if there is no such view model: by the key that users know, without the session. */
  #missing = "";
  /** What keeps the shown view model from being current; empty if nothing does. */
  #trouble = "";

  /** @param {() => void} outdate Called if the view model is gone, and once a connection that was lost is restored. */
  constructor(outdate) {
    this.#outdate = outdate;
  }

  /**
   * Shows nothing of the last view model, before one of a screen is followed.
   *
   * @param {Screen} screen
   */
  clear(screen) {
    this.#screen = screen;
    this.#viewModel = null;
    this.#commands = null;
    this.#trouble = "";
    this.#showMood({ state: "loading", isProven: false });
    this.#banner.show("");
  }

  /**
   * Shows the state of the connection of a view model from now on.
   *
   * @param {object} shown
   * @param {ViewModel} shown.viewModel
   * @param {Commands} shown.commands
   * @param {string} shown.missing What to say if there is no such view model.
   */
  follow({ viewModel, commands, missing }) {
    this.#viewModel = viewModel;
    this.#commands = commands;
    this.#missing = missing;
    viewModel.addEventListener("status", ({ detail: status }) => this.#showStatus(status));
    viewModel.addEventListener("problem", ({ detail: { error } }) => this.#showRefusal(error, viewModel.status));
    this.#showStatus(viewModel.status);
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
    this.showWait(status);
    if (state === "gone" || (wasLost && hasReturned)) this.#outdate();
  }

  /**
   * Shows the state of the connection and the actions that wait.
   *
   * @param {ViewModel["status"]} status
   */
  showWait(status) {
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
    if (!canRefresh && document.activeElement === this.#refresh) this.#rows.focus({ preventScroll: true });
    this.#refresh.hidden = !canRefresh;
    this.#rows.setAttribute("aria-busy", String(state === "loading" || state === "idle"));
  }
}
