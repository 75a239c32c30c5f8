/** The shown data as commands for a terminal. */
import { h, icon } from "../dom.js";
import { panel } from "./panel.js";

export class CurlPanel {
  element;
  #address;
  #view = new CurlLine("The view model");
  #diff = new CurlLine("The chosen diff");
  #poll = new CurlLine("The next change");
  #command = new CurlLine("The last command");

  /**
   * @param {import("./inspector.js").Subject} subject
   * @param {import("../../viewdelta.js").ViewDelta} server
   */
  constructor({ viewModel, commands }, server) {
    this.#address = new URL(server.base + viewModel.path, location.href).href;
    this.element = panel("curl",
      this.#view.element, this.#diff.element, this.#poll.element, this.#command.element);
    this.#view.show(`curl ${quoted(this.#address)}`);
    viewModel.addEventListener("advanced", ({ detail: { to } }) => this.#showPoll(to));
    if (viewModel.snapshot) this.#showPoll(viewModel.snapshot.revision);
    commands.onSent(({ command }) =>
      this.#command.show(
        `curl --json ${quoted(JSON.stringify(command))} ${quoted(`${this.#address}/commands`)}`));
  }

  /** @param {string} revision The newest. */
  #showPoll(revision) {
    this.#poll.show(`curl ${quoted(`${this.#address}/diff?since=${revision}&wait=50`)}`);
  }

  /** @param {import("./inspector.js").Step} step */
  showStep({ from, revision: { revision } }) {
    const query = from === null ? `?at=${revision}` : `/diff?since=${from}&until=${revision}`;
    this.#diff.show(`curl ${quoted(this.#address + query)}`);
  }
}

/** A line with a button that copies it. */
class CurlLine {
  element;
  #code = h("code", { tabindex: "0", role: "group" });
  #button;

  /** @param {string} title */
  constructor(title) {
    this.#button = h("button.quiet", {
      type: "button", "aria-label": `Copy: ${title}`, title: "Copy", click: () => this.#copy(),
    }, icon("copy"));
    this.#code.setAttribute("aria-label", title);
    this.element = h("div", { hidden: true },
      h("p.soft", {}, title), h("div.curl-line", {}, this.#code, this.#button));
  }

  /** @param {string} text */
  show(text) {
    this.#code.textContent = text;
    this.element.hidden = false;
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.#code.textContent ?? "");
      this.#button.replaceChildren(icon("check"));
      setTimeout(() => this.#button.replaceChildren(icon("copy")), 1500);
    } catch {
      // Copying is not allowed here: the line is selected, so that it can be copied by keyboard.
      getSelection()?.selectAllChildren(this.#code);
    }
  }
}

/**
 * Quotes a text as one word of a shell.
 *
 * @param {string} text
 */
function quoted(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
