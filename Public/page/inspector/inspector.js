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

  /**
   * @param {HTMLElement} host
   * @param {import("../../viewdelta.js").ViewDelta} server
   */
  constructor(host, server) {
    this.#host = host;
    this.#server = server;
    const details = host.closest("details");
    // On a phone the screen comes first, and what lies behind it on demand.
    if (details && matchMedia("(width < 48rem)").matches) details.open = false;
  }

  /** @param {Subject} subject */
  show(subject) {
    if (subject.viewModel === this.#current) return;
    this.#current = subject.viewModel;
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
}
