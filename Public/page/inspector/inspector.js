/**
 * The inspector: what goes on behind the screen. It is made of panels that know nothing of each other
 * beside the subject that they look at.
 */
import { CommandsPanel } from "./commands-panel.js";
import { ConnectionPanel } from "./connection-panel.js";
import { CurlPanel } from "./curl-panel.js";
import { FaultsPanel } from "./faults-panel.js";
import { MachinePanel } from "./machine-panel.js";
import { OperationsPanel } from "./operations-panel.js";
import { TimelinePanel } from "./timeline-panel.js";

/**
 * @typedef {object} Subject What is inspected.
 * @property {import("../../viewdelta.js").ViewModel} viewModel
 * @property {import("../commands.js").Commands} commands
 * @property {import("../screens.js").Screen} screen
 * @property {string} key
 * @property {(action: () => void) => void} whenOpen Runs an action now if the inspector is open, else
 *   once it is opened: nobody asks the server for what nobody sees.
 *
 * @typedef {object} Step A revision and the one before it, as chosen in the timeline.
 * @property {string | null} from
 * @property {string} to
 */

export class Inspector {
  #host;
  #server;
  /** @type {Subject["viewModel"] | null} */
  #current = null;
  #details;
  /** What waits for the inspector to be opened, each but once. @type {Set<() => void>} */
  #waiting = new Set();

  /**
   * @param {HTMLElement} host
   * @param {import("../../viewdelta.js").ViewDelta} server
   */
  constructor(host, server) {
    this.#host = host;
    this.#server = server;
    this.#details = /** @type {HTMLDetailsElement} */ (host.closest("details"));
    // On a phone the screen comes first, and what lies behind it on demand.
    if (matchMedia("(width < 48rem)").matches) this.#details.open = false;
    this.#details.addEventListener("toggle", () => {
      if (!this.#details.open) return;
      const actions = [...this.#waiting];
      this.#waiting.clear();
      for (const action of actions) action();
    });
  }

  /** @param {Omit<Subject, "whenOpen">} shown */
  show(shown) {
    if (shown.viewModel === this.#current) return;
    this.#current = shown.viewModel;
    this.#waiting.clear();
    const subject = { ...shown, whenOpen: this.#whenOpen(shown.viewModel) };
    const operations = new OperationsPanel(subject, this.#server);
    const curl = new CurlPanel(subject, this.#server);
    const timeline = new TimelinePanel(subject, (step) => {
      operations.show(step);
      curl.showStep(step);
    });
    const panels = [
      timeline, operations, new MachinePanel(subject), new FaultsPanel(subject, this.#server),
      new ConnectionPanel(subject), new CommandsPanel(subject), curl,
    ];
    this.#host.replaceChildren(...panels.map(({ element }) => element));
  }

  /**
   * @param {Subject["viewModel"]} viewModel What the panel looks at; another one may be on show by then.
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
