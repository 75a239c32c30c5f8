/**
 * The state machines of the screen, which the server derived by running the code of its parts: a table of
 * events by states, with the current state highlighted.
 */
import { h, setAttribute } from "../dom.js";
import { markEdges, reveal } from "../reveal.js";
import { panel } from "./panel.js";

/**
 * @typedef {{initial: string, states: string[], events: string[],
 *   transitions: {from: string, event: string, to: string, effects: string[], command?: string}[]}} Machine
 */

/** @param {import("./inspector.js").Subject} subject */
export function machinePanel({ viewModel, whenOpen }) {
  const host = h("div.machines");
  const element = panel("State machines", host);
  /** @type {{name: string, table: HTMLElement}[]} */
  let machines = [];

  const light = () => {
    const { snapshot } = viewModel;
    if (!snapshot) return;
    for (const { name, table } of machines) {
      const state = snapshot.states[name];
      for (const cell of table.querySelectorAll("[data-state]")) {
        const isCurrent = cell.getAttribute("data-state") === state;
        setAttribute(cell, "data-lit", isCurrent);
        if (cell.localName !== "th") continue;
        setAttribute(cell, "aria-current", isCurrent ? "true" : null);
        if (isCurrent) reveal(/** @type {HTMLElement} */ (cell));
      }
    }
  };
  const load = async () => {
    try {
      const { stateMachine } = await viewModel.describe();
      machines = Object.entries(stateMachine).map(([name, machine]) => ({ name, table: table(name, machine) }));
      // A wide table can be scrolled, also by keyboard.
      const scrollers = machines.map(({ name, table }) =>
        h("div.scroll", { tabindex: "0", role: "group", "aria-label": `State machine ${name}` }, table));
      host.replaceChildren(...scrollers);
      scrollers.forEach(markEdges);
      element.hidden = scrollers.length === 0;
      light();
    } catch {
      host.replaceChildren(h("p.soft", {}, "The state machines could not be loaded."));
    } finally {
      element.removeAttribute("aria-busy");
    }
  };
  element.setAttribute("aria-busy", "true");
  viewModel.addEventListener("change", light);
  whenOpen(load);
  return element;
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
 * Returns the label of a transition. Two transitions of one cell differ in data that the name of
 * the state does not show.
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
 * Returns the label of an event that does not change the state.
 *
 * @param {string[]} effects
 */
function remark(effects) {
  if (effects.includes("refuse")) return "refused";
  if (effects.includes("show")) return "shown";
  const recorded = effects.find((effect) => effect.startsWith("record "));
  return recorded ? recorded.replace("record ", "") : "–";
}
