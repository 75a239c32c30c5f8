/** The controls that make the sources of the screen slow, fail or hang, if the server allows it. */
import { apiPath } from "../../viewdelta.js";
import { h, setText } from "../dom.js";
import { inOrder } from "../in-order.js";
import { elementKey } from "../session.js";
import { showToast } from "../toast.js";
import { throttled } from "../throttled.js";
import { titled } from "../words.js";
import { panel } from "./panel.js";

/**
 * @typedef {string | {code: string, detail?: string}} Outcome A failure is an object.
 * @typedef {{latencyMilliseconds?: number, outcomes: Outcome[], then: Outcome}} Script
 */

const latencies = /** @type {[string, string][]} */ ([
  ["", "Usual"], ["0", "None"], ["1000", "1 s"], ["3000", "3 s"], ["4000", "4 s"], ["8000", "8 s"],
]);
const outcomes = /** @type {[string, string][]} */ ([
  ["succeed", "Succeed"], ["fail", "Fail"], ["hang", "Hang"], ["late", "Come late"],
]);

/**
 * @param {import("./inspector.js").Subject} subject
 * @param {import("../../viewdelta.js").ViewDelta} server
 */
export function faultsPanel({ viewModel, screen, key, whenOpen }, server) {
  const controls = (screen.faults ?? []).map((source) =>
    new SourceControl(source, apiPath("faults", source, elementKey(screen, key)), server));
  const hint = screen.sources.length > 0 ? "Start the server with --faults to make sources slow or fail."
    : "This screen has no source that could fail.";
  // A load consumes one of the outcomes.
  const show = () => controls.forEach((control) => control.refresh());
  const refresh = throttled(() => whenOpen(show), 250);
  viewModel.addEventListener("change", refresh);
  if (viewModel.snapshot) refresh();
  return panel("Latency and faults",
    controls.length === 0 ? h("p.soft", {}, hint) : null, ...controls.map(({ element }) => element));
}

class SourceControl {
  element;
  #path;
  #server;
  #latency;
  #then;
  #next = h("p.soft");
  /** @type {Script} */
  #script = { outcomes: [], then: "succeed" };
  /** The script that the server has. */
  #known = this.#script;
  /** The last request; scripts are sent one after the other, in the order in which they were made. */
  #sent = Promise.resolve();
  /** The number of unanswered requests. */
  #underWay = 0;

  /**
   * @param {string} source
   * @param {string} path
   * @param {import("../../viewdelta.js").ViewDelta} server
   */
  constructor(source, path, server) {
    this.#path = path;
    this.#server = server;
    this.#latency = select(latencies, (value) =>
      this.#put({ ...this.#script, latencyMilliseconds: value === "" ? undefined : Number(value) }));
    this.#then = select(outcomes, (value) => this.#put({ ...this.#script, then: value }));
    const once = h("button", {
      type: "button",
      click: () => this.#put({ ...this.#script, outcomes: [...this.#script.outcomes, "fail"] }),
    }, "Fail once");
    this.element = h("fieldset.fault", { "data-source": source },
      h("legend", {}, titled(source)),
      h("label", {}, "Latency", this.#latency), h("label", {}, "Loads", this.#then), once, this.#next);
  }

  refresh = inOrder(() => this.#server.request(this.#path), (script) => {
    this.#known = script;
    if (this.#underWay === 0) this.#show(script);
  });

  /**
   * Shows a script at once, so that the next press builds on it, and sends it.
   *
   * @param {Script} script
   */
  #put(script) {
    this.#show(script);
    this.#underWay += 1;
    this.#sent = this.#sent.then(async () => {
      try {
        await this.#server.request(this.#path, { method: "PUT", body: script });
        this.#known = script;
      } catch (error) {
        showToast(error);
      }
      this.#underWay -= 1;
      if (this.#underWay > 0) return;
      this.#show(this.#known); // The server may have refused the last script.
      await this.refresh(); // Loads may have consumed outcomes.
    });
  }

  /** @param {Script} script */
  #show(script) {
    this.#script = script;
    const latency = script.latencyMilliseconds === undefined ? "" : String(script.latencyMilliseconds);
    if (![...this.#latency.options].some(({ value }) => value === latency)) {
      this.#latency.append(h("option", { value: latency }, `${latency} ms`));
    }
    this.#latency.value = latency;
    const then = word(script.then);
    if (![...this.#then.options].some(({ value }) => value === then)) {
      this.#then.append(h("option", { value: then }, then));
    }
    this.#then.value = then;
    const next = script.outcomes.map(word).join(", ");
    setText(this.#next, next ? `Next: ${next}` : "");
  }
}

/** @param {Outcome} outcome */
const word = (outcome) => typeof outcome === "string" ? outcome : `fail: ${outcome.code}`;

/**
 * @param {[value: string, title: string][]} options
 * @param {(value: string) => void} choose
 */
function select(options, choose) {
  const element = /** @type {HTMLSelectElement} */ (
    h("select", { change: () => choose(element.value) },
      ...options.map(([value, title]) => h("option", { value }, title))));
  return element;
}
