/** The last incidents of the view model, newest first: what failed, and what came too late. */
import { h } from "../dom.js";
import { throttled } from "../throttled.js";
import { panel } from "./panel.js";

/**
 * @typedef {{at: string, kind: string, message: string, source?: string, code?: string, change?: string}} Incident
 */

/** The number of shown incidents; the server lists more. */
const shownCount = 10;

export class IncidentsPanel {
  element;
  #path;
  #server;
  #requests = 0;
  #list = h("ol.incidents");
  #none = h("p.soft", {}, "Nothing has gone wrong.");

  /**
   * @param {import("./inspector.js").Subject} subject
   * @param {import("../../viewdelta.js").ViewDelta} server
   */
  constructor({ viewModel, commands, whenOpen }, server) {
    this.#path = `${viewModel.path}/incidents`;
    this.#server = server;
    this.element = panel("Incidents", this.#none, this.#list);
    const show = () => this.#refresh();
    const refresh = throttled(() => whenOpen(show), 250);
    viewModel.addEventListener("change", refresh);
    // A result that comes too late changes nothing, and a command may have caused it.
    commands.onSent(refresh);
    // A view model that cannot be shown has incidents too, and one that does not exist has none.
    const refreshIfFailing = () => { if (viewModel.status.state === "backingOff") refresh(); };
    viewModel.addEventListener("status", refreshIfFailing);
    if (viewModel.snapshot) refresh();
    else refreshIfFailing();
  }

  async #refresh() {
    const request = ++this.#requests;
    try {
      const { incidents } = await this.#server.request(this.#path);
      if (request !== this.#requests) return; // A later answer is more recent.
      this.#list.replaceChildren(...incidents.slice(0, shownCount).map(entry));
      this.#none.hidden = incidents.length > 0;
    } catch {
      // The connection reports the error; the list is updated with the next change.
    }
  }
}

/** @param {Incident} incident */
function entry({ at, message, source, code, change }) {
  const time = h("time", { datetime: at }, new Date(at).toLocaleTimeString());
  const names = [source, code].filter(Boolean).join(": ");
  return h("li", {}, h("p.soft", {}, time, names ? ` · ${names}` : ""),
    h("p", {}, [change, message].filter(Boolean).join(" ")));
}
