/**
 * The inspector, which shows the internals of the screen. Its panels are independent of each other
 * and share only their subject.
 */
import { commandsPanel } from "./commands-panel.js";
import { connectionPanel } from "./connection-panel.js";
import { CurlPanel } from "./curl-panel.js";
import { faultsPanel } from "./faults-panel.js";
import { incidentsPanel } from "./incidents-panel.js";
import { machinePanel } from "./machine-panel.js";
import { OperationsPanel } from "./operations-panel.js";
import { TimelinePanel } from "./timeline-panel.js";

/**
 * @typedef {object} Subject The subject of the inspector.
 * @property {import("../../viewdelta.js").ViewModel} viewModel
 * @property {import("../commands.js").Commands} commands
 * @property {import("../notes.js").Notes} notes
 * @property {import("../screens.js").Screen} screen
 * @property {string} key
 * @property {(action: () => void) => void} whenOpen Runs an action now if the inspector is open, or
 *   else when it is opened, so that hidden panels send no requests.
 *
 * @typedef {object} Step A revision, as chosen in the timeline.
 * @property {import("../../viewdelta/types.js").Revision} revision
 * @property {string | null} from The one before it.
 */

export class Inspector {
  #host;
  #server;
  /** @type {Subject["viewModel"] | null} */
  #current = null;
  #details;
  /** The actions that run when the inspector is opened, without duplicates. @type {Set<() => void>} */
  #waiting = new Set();

  /**
   * @param {HTMLElement} host
   * @param {import("../../viewdelta.js").ViewDelta} server
   */
  constructor(host, server) {
    this.#host = host;
    this.#server = server;
    this.#details = /** @type {HTMLDetailsElement} */ (host.closest("details"));
    this.#details.addEventListener("toggle", () => {
      if (!this.#details.open) return;
      const actions = [...this.#waiting];
      this.#waiting.clear();
      for (const action of actions) action();
    });
  }

  /** @param {Omit<Subject, "whenOpen">} shown */
  show(shown) {
    this.#current = shown.viewModel;
    this.#waiting.clear();
    const subject = { ...shown, whenOpen: this.#whenOpen(shown.viewModel) };
    const operations = new OperationsPanel(subject, this.#server);
    const curl = new CurlPanel(subject, this.#server);
    const timeline = new TimelinePanel(subject, (step) => {
      operations.show(step);
      curl.showStep(step);
    });
    this.#host.replaceChildren(
      timeline.element, operations.element, machinePanel(subject), faultsPanel(subject, this.#server),
      incidentsPanel(subject, this.#server), connectionPanel(subject), commandsPanel(subject), curl.element);
  }

  /**
   * @param {Subject["viewModel"]} viewModel The subject of the panel; another one may be shown by then.
   * @returns {Subject["whenOpen"]}
   */
  #whenOpen(viewModel) {
    return (action) => {
      if (viewModel !== this.#current) return;
      if (this.#details.open) action();
      else this.#waiting.add(action);
    };
  }
}
