/** Rows that describe a list: its title, and placeholders for missing rows. */
import { h, icon, setAttribute, setText } from "../dom.js";
import { actionButton } from "./parts.js";

/** @typedef {import("./renderer.js").Renderer} Renderer */

/**
 * The title above a list, unless it repeats the title of the screen.
 *
 * @type {Renderer}
 */
export const header = (host, context) => {
  const title = h("h3.body");
  const action = actionButton(context, ".quiet");
  host.classList.add("plain");
  host.append(title, action.element);
  return (row) => {
    setText(title, row.text === context.title ? "" : row.text);
    host.hidden = title.hidden && !row.action;
    action.show(row, row.text);
  };
};

/**
 * A placeholder while rows are loading.
 *
 * @type {Renderer}
 */
export const loading = (host, context) => {
  const text = h("p.soft");
  const lines = h("div.lines", { "aria-hidden": "true" },
    h("span.shimmer.w1"), h("span.shimmer.w2"), h("span.shimmer.w3"));
  const action = actionButton(context, ".quiet");
  host.classList.add("loading");
  host.append(h("div.body", {}, text, lines), action.element);
  return (row) => {
    setText(text, row.text);
    lines.classList.toggle("short", Boolean(row.text));
    setAttribute(host, "aria-label", row.text);
    action.show(row);
  };
};

/**
 * An error of a load or of a change that could not be saved, with a button to retry. Its code is a tooltip of the
 * text: of the row it would be the name for screen readers.
 *
 * @type {Renderer}
 */
export const failure = (host, context) => {
  const text = h("strong");
  const detail = h("p");
  const action = actionButton(context);
  host.classList.add("error");
  host.append(icon("alert"), h("div.body", {}, text, detail), action.element);
  return (row) => {
    setText(text, row.text);
    setText(detail, row.detail);
    setAttribute(text, "title", row.code);
    action.show(row, row.text);
  };
};

/**
 * A placeholder for an empty list.
 *
 * @type {Renderer}
 */
export const empty = (host, context) => {
  const text = h("p");
  const action = actionButton(context);
  host.classList.add("empty");
  host.append(icon("empty"), text, action.element);
  return (row) => {
    setText(text, row.text);
    action.show(row);
  };
};

/**
 * A note between rows.
 *
 * @type {Renderer}
 */
export const note = (host, context) => {
  const text = h("p.body");
  const action = actionButton(context, ".quiet");
  host.classList.add("note");
  host.append(text, action.element);
  return (row) => {
    setText(text, row.text);
    action.show(row);
  };
};
