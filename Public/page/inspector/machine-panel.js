/**
 * The state machines of the screen, as the server made them by running its reducers: a table of events
 * by states, with the current state lit.
 */
import { h, setAttribute } from "../dom.js";
import { markEdges, reveal } from "../reveal.js";
import { currentState } from "./current-state.js";
import { panel } from "./panel.js";

/** @typedef {import("./current-state.js").Machine} Machine */

export class MachinePanel {
  element;
  #viewModel;
  #host = h("div.machines");
  /** @type {{name: string, machine: Machine, table: HTMLElement}[]} */
  #machines = [];

  /** @param {import("./inspector.js").Subject} subject */
  constructor({ viewModel, whenOpen }) {
    this.#viewModel = viewModel;
    this.element = panel("State machines", this.#host);
    viewModel.addEventListener("change", () => this.#light());
    whenOpen(() => this.#load());
  }

  async #load() {
    try {
      const { stateMachine } = await this.#viewModel.describe();
      this.#machines = Object.entries(stateMachine)
        .map(([name, machine]) => ({ name, machine, table: table(name, machine) }));
      // A table that is too wide is scrolled, by the keyboard too.
      const scrollers = this.#machines.map(({ name, table }) =>
        h("div.scroll", { tabindex: "0", role: "group", "aria-label": `State machine ${name}` }, table));
      this.#host.replaceChildren(...scrollers);
      scrollers.forEach(markEdges);
      this.#light();
    } catch {
      this.#host.replaceChildren(h("p.soft", {}, "The server did not tell."));
    }
  }

  #light() {
    const { snapshot } = this.#viewModel;
    if (!snapshot) return;
    for (const { name, machine, table } of this.#machines) {
      const state = currentState(name, machine, snapshot);
      for (const cell of table.querySelectorAll("[data-state]")) {
        const isCurrent = cell.getAttribute("data-state") === state;
        setAttribute(cell, "data-lit", isCurrent);
        if (cell.localName !== "th") continue;
        setAttribute(cell, "aria-current", isCurrent ? "true" : null);
        if (isCurrent) reveal(/** @type {HTMLElement} */ (cell));
      }
    }
  }
}

/**
 * @param {string} name
 * @param {Machine} machine
 */
function table(name, { states, events, transitions }) {
  const head = h("tr", {}, h("th", { scope: "col" }, name),
    ...states.map((state) => h("th", { scope: "col", "data-state": state }, state)));
  const rows = events.map((event) => h("tr", {}, h("th", { scope: "row" }, event),
    ...states.map((state) => cell(state, transitions.filter(
      (transition) => transition.from === state && transition.event === event)))));
  return h("table.machine", {}, h("caption.hidden", {}, `The states of ${name}`),
    h("thead", {}, head), h("tbody", {}, ...rows));
}

/**
 * What an event does in a state. Two transitions of one cell differ in what the name of the state
 * does not tell.
 *
 * @param {string} state
 * @param {Machine["transitions"]} transitions
 */
function cell(state, transitions) {
  const parts = transitions.map(({ to, effects }) => {
    const title = effects.join(", ");
    return to !== state ? h("span.goes", { title }, `→ ${to}`) : h("span.stays", { title }, remark(effects));
  });
  return h("td", { "data-state": state }, ...parts);
}

/**
 * What is to be said of an event that leaves the state as it is.
 *
 * @param {string[]} effects
 */
function remark(effects) {
  if (effects.includes("refuse")) return "refused";
  const recorded = effects.find((effect) => effect.startsWith("record "));
  return recorded ? recorded.replace("record ", "") : "–";
}
