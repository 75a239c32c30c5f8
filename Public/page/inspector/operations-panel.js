/** The revision that is chosen in the timeline: its time, the arguments of its command, and its operations. */
import { h } from "../dom.js";
import { described } from "../toast.js";
import { panel } from "./panel.js";

/**
 * @typedef {import("../../viewdelta/types.js").DiffDocument} DiffDocument
 * @typedef {import("./inspector.js").Step} Step
 * @typedef {"insert" | "delete" | "move" | "reload" | "update"} Kind
 */

const lost = "The server no longer keeps this revision.";

export class OperationsPanel {
  element;
  #viewModel;
  #server;
  #list = h("ul.operations", { tabindex: "0", "aria-label": "Operations of the chosen diff" });
  /** @type {Step | null} */
  #step = null;

  /**
   * @param {import("./inspector.js").Subject} subject
   * @param {import("../../viewdelta.js").ViewDelta} server
   */
  constructor({ viewModel }, server) {
    this.#viewModel = viewModel;
    this.#server = server;
    this.element = panel("Operations", this.#list);
  }

  /** @param {Step} step */
  async show(step) {
    this.#step = step;
    if (step.from === null) {
      this.#say(step, "The whole view model, because it is the first revision.");
      return;
    }
    const query = new URLSearchParams({ since: step.from, until: step.revision.revision });
    try {
      const diff = await this.#server.request(`${this.#viewModel.path}/diff?${query}`);
      if (this.#step !== step) return;
      if (diff.kind === "reset") this.#say(step, lost);
      else this.#list.replaceChildren(about(step), ...lines(diff));
    } catch (error) {
      const { status } = /** @type {{status?: number}} */ (error);
      const isLost = status === 404 || status === 410;
      if (this.#step === step) this.#say(step, isLost ? lost : described(error).title);
    }
  }

  /**
   * @param {Step} step
   * @param {string} text
   */
  #say(step, text) {
    this.#list.replaceChildren(about(step), h("li.soft", {}, text));
  }
}

/**
 * Describes when a revision was made, and with which arguments.
 *
 * @param {Step} step
 */
function about({ revision: { at, cause } }) {
  const given = Object.entries(cause.arguments ?? {}).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return h("li.soft", {}, [new Date(at).toLocaleTimeString(), ...given].join(" · "));
}

/**
 * @param {DiffDocument} diff
 * @returns {HTMLElement[]}
 */
function lines({ sections = {}, rows = {}, states = {} }) {
  const all = [
    ...Object.entries(states).map(([source, state]) =>
      line("update", "state", source, `→ ${state ?? "gone"}`)),
    ...(sections.deletes ?? []).map(({ id, at }) => line("delete", "section", id, `at ${at}`)),
    ...(sections.inserts ?? []).map(({ at, section }) =>
      line("insert", "section", section.id, `at ${at}, ${section.rows.length} rows`)),
    ...(sections.moves ?? []).map(({ id, from, to }) => line("move", "section", id, `${from} → ${to}`)),
    ...(sections.reloads ?? []).map(({ id, to }) => line("reload", "section", id, `at ${to}`)),
    ...(sections.updates ?? []).map(({ id, set, unset }) =>
      line("update", "section", id, fields(set, unset))),
    ...(rows.deletes ?? []).map(({ id, at }) => line("delete", "", id, `at ${path(at)}`)),
    ...(rows.inserts ?? []).map(({ at, row }) => line("insert", "", row.id, `at ${path(at)}, ${row.type}`)),
    ...(rows.moves ?? []).map(({ id, from, to }) => line("move", "", id, `${path(from)} → ${path(to)}`)),
    ...(rows.reloads ?? []).map(({ id, to }) => line("reload", "", id, `at ${path(to)}`)),
    ...(rows.updates ?? []).map(({ id, set, unset }) => line("update", "", id, fields(set, unset))),
  ];
  return all.length > 0 ? all : [h("li.soft", {}, "No operations: the changes cancel out.")];
}

/**
 * @param {Kind} kind
 * @param {string} what The kind of element; empty for a row.
 * @param {string} id
 * @param {string} detail
 */
function line(kind, what, id, detail) {
  return h("li", {},
    h("span.kind", { "data-kind": kind }, kind),
    h("span", {}, what ? `${what} ` : "", h("code", {}, id)),
    h("span.detail", {}, detail));
}

/** @param {[number, number]} place */
const path = ([section, row]) => `${section}.${row}`;

/**
 * @param {{[name: string]: any} | undefined} set
 * @param {string[] | undefined} unset
 */
function fields(set = {}, unset = []) {
  const written = Object.entries(set).map(([name, value]) => `${name}: ${short(JSON.stringify(value))}`);
  return [...written, ...unset.map((name) => `without ${name}`)].join(", ");
}

/** @param {string} text */
const short = (text) => (text.length > 60 ? `${text.slice(0, 58)}…` : text);
