/** The rows of a form that are not editable. */
import { h, icon, setAttribute, setText, uniqueId } from "../dom.js";
import { firstInvalid } from "./field-errors.js";
import { actionButton, actionOf, avatar, dateLabel } from "./parts.js";

/** @typedef {import("./renderer.js").Renderer} Renderer */

/** @type {Renderer} */
export const formTitle = (host, context) => {
  const title = h("h3.body");
  const action = actionButton(context, ".quiet");
  host.classList.add("plain", "form-title");
  host.append(title, action.element);
  return (row) => {
    setText(title, row.text);
    action.show(row);
  };
};

/**
 * The error of the field above.
 *
 * @type {Renderer}
 */
export const fieldError = (host) => {
  const text = h("p", { id: uniqueId("error") });
  host.classList.add("field-error");
  host.append(icon("alert"), text);
  return (row) => {
    setText(text, row.text);
    host.dataset.field = row.field; // Links the error to its field after both are placed.
  };
};

/**
 * A collapsible group.
 *
 * @type {Renderer}
 */
export const formGroup = (host, context) => {
  /** @type {ReturnType<typeof actionOf>} */
  let action;
  const text = h("span");
  const button = h("button.fold", {
    type: "button",
    click: () => action && context.send(action.command, button),
  }, icon("chevron"), text);
  host.classList.add("group");
  host.append(button);
  return (row) => {
    action = actionOf(row);
    setText(text, row.text);
    setAttribute(button, "aria-expanded", String(row.isCollapsed === false));
  };
};

/**
 * A button of a form. If fields have errors after its press, the first one gets the focus.
 *
 * @type {Renderer}
 */
export const formButton = (host, context) => {
  /** @type {typeof context.send} */
  const send = async (command, control) => {
    const isTaken = await context.send(command, control);
    const active = document.activeElement;
    const isStill = active === document.body || host.contains(active);
    if (isTaken && isStill) firstInvalid(host)?.focus();
    return isTaken;
  };
  const action = actionButton({ ...context, send }, ".primary");
  host.classList.add("plain", "form-button");
  host.append(action.element);
  return (row) => action.show(row);
};

/** @type {Renderer} */
export const company = (host, context) => {
  const picture = avatar(".square");
  const name = h("h4");
  const detail = h("p.soft");
  const action = actionButton(context);
  host.classList.add("tight");
  host.append(picture.element, h("div.body", {}, name, detail), action.element);
  return (row) => {
    picture.show(row.name);
    setText(name, row.name);
    setText(detail, row.detail);
    action.show(row, row.name);
  };
};

/** @type {Renderer} */
export const activityEntry = (host) => {
  const text = h("p.body");
  const date = dateLabel();
  host.classList.add("tight");
  host.append(text, date.element);
  return (row) => {
    setText(text, row.text);
    date.show(row.dateText, row.date);
  };
};

/**
 * The end of the loaded part of a long list.
 *
 * @type {Renderer}
 */
export const pageProgress = (host, context) => {
  const text = h("p.soft.body");
  const action = actionButton(context);
  host.classList.add("note");
  host.append(text, action.element);
  return (row) => {
    setText(text, row.text);
    setAttribute(host, "aria-busy", row.isLoading === true ? "true" : null);
    action.show(row);
  };
};

/** @type {Renderer} */
export const formInfo = (host) => {
  const label = h("span.soft");
  const text = h("span.trail");
  host.classList.add("tight");
  host.append(label, text);
  return (row) => {
    setText(label, row.label);
    setText(text, row.text);
  };
};

/**
 * A row that leads to another view model.
 *
 * @type {Renderer}
 */
export const link = (host, context) => {
  const text = h("strong");
  const detail = h("span.soft");
  const anchor = h("a.body", {}, text, detail);
  host.classList.add("link");
  host.append(anchor, icon("chevron"));
  return (row) => {
    setText(text, row.text);
    setText(detail, row.detail);
    setAttribute(anchor, "href", context.hrefOf(row.to));
  };
};

/** @type {Renderer} */
export const formSplitter = (host) => {
  host.classList.add("plain", "splitter");
  host.append(h("hr"));
  return () => {};
};

/** @type {Renderer} */
export const formOffer = (host, context) => {
  const title = h("h4");
  const text = h("p.soft");
  const action = actionButton(context, ".primary");
  host.classList.add("offer");
  host.append(h("div.body", {}, title, text), action.element);
  return (row) => {
    setText(title, row.title);
    setText(text, row.text);
    action.show(row, row.title);
  };
};
