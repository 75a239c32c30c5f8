/** The items of a catalog, in one line or large. */
import { h, setText } from "../dom.js";
import { actionButton, avatar } from "./parts.js";

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
  host.append(cover.element, h("div.body", {}, h("div.titled", {}, title, badge), detail), action.element);
  return (/** @type {ItemRow} */ row) => {
    cover.show(row.title);
    setText(title, row.title);
    setText(badge, row.badge);
    setText(detail, row.detail);
    action.show(row, row.title);
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
