/** The stage: opens the view model of the shown screen, and passes each change to the list. */
import { Address } from "./address.js";
import { Announcer } from "./announcer.js";
import { byId, h, isolated, setAttribute, setText } from "./dom.js";
import { Editor } from "./editing/editor.js";
import { editsOf } from "./editing/edits.js";
import { UndoableCommands } from "./editing/undoable-commands.js";
import { ListView } from "./list/list-view.js";
import { Notes } from "./notes.js";
import { tellOfRestarts } from "./restart.js";
import { linkErrors } from "./rows/field-errors.js";
import { elementPath, isBlank } from "./screens.js";
import { elementKey } from "./session.js";
import { StatusDisplay } from "./status-display.js";
import { titled } from "./words.js";

/** @typedef {import("../viewdelta.js").ViewModel} ViewModel */

export class Stage {
  #server;
  #screens;
  #outdate;
  #title = byId("title");
  #summary = byId("summary");
  #notice = byId("notice");
  #refresh = byId("refresh");
  #host = byId("rows");
  #nothing = byId("nothing");
  #status;
  #announcer = new Announcer(byId("announcer"), () => (this.#commands?.waiting ?? 0) > 0);
  /** The shown view model, or only the screen while its keys are unknown; empty before the first one. */
  #shown = "";
  /** @type {ViewModel | null} */
  #viewModel = null;
  /** @type {UndoableCommands | null} */
  #commands = null;
  /**
   * The commands of view models that were left before all were answered.
   *
   * @type {Map<string, UndoableCommands>}
   */
  #left = new Map();
  /** @type {Editor | null} */
  #editor = null;
  /** @type {import("./screens.js").Screen | null} */
  #screen = null;

  /**
   * @param {import("../viewdelta.js").ViewDelta} server
   * @param {import("./screens.js").Screens} screens
   * @param {() => void} outdate Called if other data may have changed, too: the view model is gone,
   *   the server was restarted, or the connection was lost.
   */
  constructor(server, screens, outdate) {
    this.#server = server;
    this.#screens = screens;
    this.#outdate = outdate;
    this.#status = new StatusDisplay(outdate);
    this.#refresh.addEventListener("click", () => this.#appear(this.#refresh));
  }

  /**
   * Shows a view model unless it is already shown.
   *
   * @param {import("./address.js").Place} place
   * @returns {import("./late-inspector.js").Shown | null} `null` if the view model is shown already, and while the key
   *   is unknown; the title and the summary of the screen are shown all the same.
   */
  show({ screen, key, keys }) {
    const element = key && elementKey(screen, key);
    const title = keys.find((each) => elementKey(screen, each.key) === element)?.title ?? element;
    setText(this.#title, titled(screen.name));
    setText(this.#summary, screen.summary);
    document.title = [title && isolated(title), titled(screen.name), "ViewDelta"].filter(Boolean).join(" · ");
    const name = key === null ? screen.name : `${screen.name}/${key}`;
    // Another build of the server may have another screen under the same name.
    if (this.#shown !== name || this.#screen !== screen) this.#leave(screen);
    this.#shown = name;
    if (key === null || this.#viewModel) return null;

    const viewModel = this.#open(name, screen);
    const commands = this.#commandsOf(name, screen, key);
    const editor = new Editor(viewModel, editsOf(screen), commands.send);
    const notes = new Notes();
    const notice = h("div");
    this.#notice.replaceChildren(notice);
    tellOfRestarts({ element: notice, notes, screen, server: this.#server, viewModel });
    const list = new ListView(this.#host, {
      send: commands.send, canEdit: editor.canEdit, edit: editor.edit,
      hrefOf: (to) => Address.from(to, screen.name, key), title: titled(screen.name),
    }, (row, error) => {
      console.error(`The row ${row.id} of the type ${row.type} cannot be shown:`, error);
      notes.add("failed", `Row ${row.id} cannot be shown as ${row.type}: ${error}`);
    });
    this.#editor = editor;
    this.#viewModel = viewModel;
    this.#commands = commands;
    viewModel.addEventListener("change", ({ detail: change }) => {
      list.apply(change);
      this.#showNothing(screen, change.after);
      linkErrors(this.#host, change);
      this.#announcer.tell(change);
      if (change.kind === "reset") this.#outdate();
      // The library opens a view model that was never loaded.
      if (!change.before && !isBlank(screen, change.after.states)) this.#appear();
    });
    const hint = screen.keys ? "" : ` Add another key to the address: #${screen.name}/KEY.`;
    this.#status.follow({ viewModel, commands, missing: `There is no “${screen.name}/${element}”.${hint}` });
    return { viewModel, commands, notes, screen, key };
  }

  /**
   * @param {string} name
   * @param {import("./screens.js").Screen} screen
   */
  #open(name, { opening, opens }) {
    return this.#server.open(name, { opening: opening ? { type: opening, opens } : false });
  }

  /**
   * Returns the commands of a view model: those that wait since it was left, so that what is entered now
   * is sent behind them. They have a view model of their own, which is open until all are answered.
   *
   * @param {string} name
   * @param {import("./screens.js").Screen} screen
   * @param {string} key
   */
  #commandsOf(name, screen, key) {
    const left = this.#left.get(name);
    this.#left.delete(name);
    if (left) return Object.assign(left, { isLeft: false });
    const viewModel = this.#open(name, screen);
    const load = () => this.#server.request(elementPath(screen, key));
    /** @type {UndoableCommands} */
    const commands = new UndoableCommands(
      { viewModel, screen, screens: this.#screens, server: this.#server, load }, () => {
        if (this.#viewModel && this.#commands === commands) return this.#status.showWait(this.#viewModel.status);
        if (commands.waiting > 0) return;
        this.#left.delete(name);
        commands.close();
      });
    commands.onSent((sent) => this.#announcer.note(sent));
    return commands;
  }

  /**
   * Clears the stage for a view model of a screen.
   *
   * @param {import("./screens.js").Screen} screen
   */
  #leave(screen) {
    if (this.#viewModel) this.#title.focus({ preventScroll: true });
    // What was entered last is sent before the commands are closed.
    if (this.#commands) {
      this.#commands.isLeft = true;
      if (this.#commands.waiting === 0) this.#commands.close();
      else this.#left.set(this.#shown, this.#commands);
    }
    this.#viewModel?.close();
    this.#viewModel = null;
    this.#commands = null;
    this.#editor?.close();
    this.#editor = null;
    this.#announcer.stop();
    this.#host.replaceChildren();
    this.#nothing.replaceChildren();
    this.#screen = screen;
    setAttribute(this.#host, "lang", screen.language);
    this.#status.clear(screen);
    this.#notice.replaceChildren();
  }

  /**
   * Says that a view without a section title and without a row is empty, unless rows may still come.
   *
   * @param {import("./screens.js").Screen} screen
   * @param {import("../viewdelta.js").Snapshot} snapshot
   */
  #showNothing(screen, { sections, states }) {
    const isEmpty = sections.every(({ title, rows }) => !title && rows.length === 0);
    const isComing = Object.values(states).includes("isLoading") || isBlank(screen, states);
    const text = isEmpty && !isComing ? "There is nothing to show." : "";
    if (this.#nothing.textContent !== text) this.#nothing.replaceChildren(text && h("p.row.empty", {}, text));
  }

  /**
   * Sends the opening command of the screen, as when it comes into view.
   *
   * @param {HTMLElement} [control] The pressed control.
   */
  #appear(control) {
    const { opening } = this.#screen ?? {};
    if (opening) this.#commands?.send({ type: opening }, control);
  }
}
