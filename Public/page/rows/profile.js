/** The rows of a profile, and its posts. */
import { h, setText } from "../dom.js";
import { avatar, dateLabel, linkedText, loadingText } from "./parts.js";

/**
 * @template {import("./renderer.js").Row} Shown
 * @typedef {import("./renderer.js").Renderer<Shown>} Renderer
 */

/** @type {Renderer<import("view-rows").ProfileHeaderRow>} */
export const profileHeader = (host) => {
  const picture = avatar(".large");
  const name = loadingText("h3");
  const friends = loadingText("p");
  friends.element.classList.add("soft");
  host.append(picture.element, h("div.body", {}, name.element, friends.element));
  return (row) => {
    picture.show(row.username.text, row.avatarURL);
    name.show(row.username);
    friends.show({ isLoading: row.friendsCount?.isLoading === true, text: row.friendsCountText ?? "" });
  };
};

/**
 * An attribute of a user. A website is a link if it is an address of the web, also without `https://`.
 *
 * @type {Renderer<import("view-rows").ProfileAttributeRow>}
 */
export const profileAttribute = (host) => {
  const name = h("span.soft");
  const value = linkedText("span");
  value.element.classList.add("trail");
  host.classList.add("tight");
  host.append(name, value.element);
  return (row) => {
    setText(name, row.name);
    value.show(row.value, row.id === "profile/website" ? webAddress(row.value) : undefined);
  };
};

/** @param {string} text */
function webAddress(text) {
  if (/^https?:\/\//i.test(text)) return text;
  return /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+(:\d+)?([/?#]\S*)?$/u.test(text) ? `https://${text}` : undefined;
}

/** @type {Renderer<import("view-rows").PostRow>} */
export const post = (host) => {
  const title = h("h4");
  const date = dateLabel();
  const body = h("p.text");
  host.append(h("article.body", {}, h("div.line", {}, title, date.element), body));
  return (row) => {
    setText(title, row.title);
    date.show(row.dateText, row.date);
    setText(body, row.body);
  };
};
