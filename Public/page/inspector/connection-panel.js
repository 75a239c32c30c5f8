/** The connection: the library's state machine with the current state highlighted. */
import { connectionStates } from "../../viewdelta.js";
import { h, setText } from "../dom.js";
import { panel } from "./panel.js";

const transports = /** @type {{[transport: string]: string}} */ ({
  events: "server-sent events", longPoll: "long poll", poll: "short polls",
});

export class ConnectionPanel {
  element;
  #viewModel;
  #text = h("p.soft");
  /** @type {Map<string, HTMLElement>} */
  #states = new Map(connectionStates.map((state) => [state, h("li", {}, state)]));

  /** @param {import("./inspector.js").Subject} subject */
  constructor({ viewModel }) {
    this.#viewModel = viewModel;
    const drop = h("button", { type: "button", click: () => viewModel.drop() }, "Drop connection");
    const retry = h("button.quiet", { type: "button", click: () => viewModel.retry() }, "Retry now");
    this.element = panel("Connection",
      h("ul.states", {}, ...this.#states.values()), this.#text, h("div.buttons", {}, drop, retry));
    viewModel.addEventListener("status", () => this.#show());
    this.#show();
  }

  #show() {
    const { state, transport, attempt } = this.#viewModel.status;
    for (const [name, element] of this.#states) {
      if (name === state) element.setAttribute("aria-current", "true");
      else element.removeAttribute("aria-current");
    }
    const failures = attempt > 0 ? `, ${attempt} failed so far` : "";
    setText(this.#text, `By ${transports[transport] ?? transport}${failures}`);
  }
}
