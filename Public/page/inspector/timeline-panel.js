/**
 * The revisions that the server keeps, newest first: the cause of each, and the size of its diff
 * compared with the whole view model. Above them is what the page has noted itself.
 */
import { jsonSize } from "../../viewdelta.js";
import { h, setAttribute, setText } from "../dom.js";
import { inOrder } from "../in-order.js";
import { throttled } from "../throttled.js";
import { panel, size } from "./panel.js";

/**
 * @typedef {import("../../viewdelta/types.js").Revision} Revision
 * @typedef {import("./inspector.js").Step} Step
 */

/** The number of shown revisions; the server keeps more. */
const shownCount = 25;

export class TimelinePanel {
  element;
  #viewModel;
  #choose;
  #summary = h("p.soft");
  #noted = h("ol.timeline", { hidden: true });
  #list = h("ol.timeline");
  /** @type {Map<string, {element: HTMLElement, button: HTMLElement}>} */
  #entries = new Map();
  /**
   * The known sizes of whole view models by revision.
   *
   * @type {Map<string, number>}
   */
  #reloads = new Map();
  /** @type {string | null} */
  #chosen = null;
  /** Whether the newest revision is selected automatically, because the user has selected no other. */
  #isFollowing = true;

  /**
   * @param {import("./inspector.js").Subject} subject
   * @param {(step: Step) => void} choose Called with the chosen revision.
   */
  constructor({ viewModel, notes, whenOpen }, choose) {
    this.#viewModel = viewModel;
    this.#choose = choose;
    this.element = panel("Timeline", this.#summary, this.#noted, this.#list);
    const showNotes = () => {
      this.#noted.hidden = notes.all.length === 0;
      this.#noted.replaceChildren(...notes.all.map(noteEntry));
    };
    notes.onNote(throttled(() => whenOpen(showNotes), 120));
    showNotes();
    const show = inOrder(
      () => viewModel.revisions({ limit: shownCount + 1 }), (revisions) => this.#show(revisions));
    const refresh = throttled(() => whenOpen(show), 120);
    viewModel.addEventListener("advanced", refresh);
    if (viewModel.snapshot) refresh();
  }

  /** @param {Revision[]} revisions Oldest first. */
  #show(revisions) {
    const whole = this.#measure();
    const steps = revisions.map((revision, index) => {
      const known = this.#reloads.get(revision.revision);
      const from = revisions[index - 1]?.revision ?? null;
      return { revision, from, reload: known ?? whole, isEstimate: known === undefined };
    }).slice(-shownCount).reverse();
    const known = new Set(steps.map(({ revision }) => revision.revision));
    const hadFocus = this.#list.contains(document.activeElement);
    for (const [name, { element }] of this.#entries) {
      if (known.has(name)) continue;
      element.remove();
      this.#entries.delete(name);
    }
    for (const step of [...steps].reverse()) {
      if (!this.#entries.has(step.revision.revision)) this.#list.prepend(this.#entry(step));
    }
    // The oldest shown entry is the nearest to one that is no longer shown.
    const oldest = this.#entries.get(steps.at(-1)?.revision.revision ?? "");
    if (hadFocus && !this.#list.contains(document.activeElement)) oldest?.button.focus({ preventScroll: true });
    this.#sumUp(steps.filter(({ from }) => from !== null));
    const newest = steps[0];
    if (newest && (this.#isFollowing || !known.has(this.#chosen ?? ""))) {
      this.#select(newest);
    }
  }

  /**
   * Records the size of the whole view model of its revision. A long list is measured only when it
   * is shown.
   */
  #measure() {
    const now = this.#viewModel.snapshot;
    if (!now) return 0;
    const bytes = this.#reloads.get(now.revision) ?? jsonSize({ ...now, kind: "snapshot" });
    this.#reloads.set(now.revision, bytes);
    const [oldest] = this.#reloads.keys();
    if (this.#reloads.size > 2 * shownCount) this.#reloads.delete(oldest);
    return bytes;
  }

  /** @param {{revision: Revision, reload: number}[]} steps */
  #sumUp(steps) {
    const diffs = steps.reduce((sum, { revision }) => sum + (revision.bytes ?? 0), 0);
    const reloads = steps.reduce((sum, { reload }) => sum + reload, 0);
    const saved = reloads > 0 ? Math.round((1 - diffs / reloads) * 100) : 0;
    setText(this.#summary, steps.length === 0 ? "No change yet."
      : `${steps.length} ${steps.length === 1 ? "change" : "changes"} in ${size(diffs)}. `
        + `Reloading each time: ${size(reloads)}, so ${saved} % saved.`);
  }

  /**
   * @param {Step & {reload: number, isEstimate: boolean}} step A revision of unknown size is compared with the size
   *   of the current one.
   */
  #entry(step) {
    const { revision: { revision, cause, operations, bytes = 0 }, from, reload, isEstimate } = step;
    const [title, kind] = causeOf(cause);
    const bar = h("span.bar", { "aria-hidden": "true" }, h("span"));
    bar.style.setProperty("--part", String(reload > 0 ? Math.min(1, bytes / reload) : 0));
    const whole = `${isEstimate ? "about " : ""}${size(reload)}`;
    const cost = from === null ? `${whole} whole`
      : `${operations} op${operations === 1 ? "" : "s"} · ${size(bytes)} of ${whole}`;
    const button = h("button.entry", {
      type: "button", "data-kind": kind, "aria-pressed": "false",
      click: () => {
        this.#isFollowing = this.#list.firstElementChild === element;
        this.#select(step);
      },
    }, h("span.cause", {}, title), h("span.cost.number", {}, cost), bar);
    const element = h("li", { "data-revision": revision }, button);
    this.#entries.set(revision, { element, button });
    return element;
  }

  /** @param {Step} step */
  #select(step) {
    const { revision } = step.revision;
    if (this.#chosen === revision) return;
    this.#chosen = revision;
    for (const [name, { button }] of this.#entries) {
      setAttribute(button, "aria-pressed", String(name === revision));
    }
    this.#choose(step);
  }
}

/** @param {import("../notes.js").Note} note */
function noteEntry({ at, kind, text }) {
  const time = h("span.cost.number", {}, at.toLocaleTimeString());
  return h("li", {}, h("p.entry.soft", { "data-kind": kind }, h("span.cause", {}, text), time));
}

/**
 * Describes a cause, and returns its kind for the style.
 *
 * @param {Revision["cause"]} cause
 * @returns {[string, string]}
 */
function causeOf({ kind, type, source, outcome, code }) {
  if (kind === "start") return ["Start", "start"];
  if (kind === "command") return [`Command ${type}`, "command"];
  if (kind === "storeWrite") return [`Write to ${source}`, "write"];
  if (outcome === "failed") return [`${source} failed: ${code}`, "failed"];
  return [`${source} ${outcome}`, "loaded"];
}
