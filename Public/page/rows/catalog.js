/** The items of a catalog, in one line or large. One with items below it has a button that folds these. */
import { h, icon, setAttribute, setText } from "../dom.js";
import { actionButton, actionOf, avatar } from "./parts.js";

/** @typedef {import("view-rows").CatalogItemRow | import("view-rows").CatalogFeatureRow} ItemRow */

/**
 * @param {HTMLElement} host
 * @param {import("./renderer.js").RowContext} context
 * @param {string} size
 */
function item(host, context, size) {
  const cover = avatar(`.square${size}`);
  const title = h("h4");
  const badge = h("span.badge");
  const detail = h("p.soft");
  const action = actionButton(context, ".quiet");
  /** @type {ItemRow["action"]} */
  let shown;
  const fold = h("button.fold.item-fold", {
    type: "button",
    click: () => shown && context.send(shown.command, fold),
  }, icon("chevron"));
  host.append(cover.element, h("div.body", {}, h("div.titled", {}, title, badge), detail), action.element);
  return (/** @type {ItemRow} */ row) => {
    shown = actionOf(row);
    const folds = row.isExpanded !== undefined && shown !== undefined;
    if (!folds) fold.remove();
    else if (fold.parentNode !== host) host.prepend(fold);
    setAttribute(fold, "aria-expanded", String(row.isExpanded));
    setAttribute(fold, "aria-label", `${shown?.title}: ${row.title}`);
    cover.show(row.title);
    setText(title, row.title);
    setText(badge, row.badge);
    setText(detail, row.detail);
    action.show(folds ? { ...row, action: undefined } : row, row.title);
  };
}

/** @type {import("./renderer.js").Renderer<any>} */
export const catalogItem = (host, context) => {
  host.classList.add("tight");
  return item(host, context, "");
};

/** @type {import("./renderer.js").Renderer<any>} */
export const catalogFeature = (host, context) => {
  host.classList.add("feature");
  return item(host, context, ".large");
};
