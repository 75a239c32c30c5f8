/** The rows of the podcasts that a listener follows. */
import { h, setText } from "../dom.js";
import { actionButton, avatar, dateLabel, linkedText } from "./parts.js";

/**
 * @template {import("./renderer.js").Row} Shown
 * @typedef {import("./renderer.js").Renderer<Shown>} Renderer
 */

/** @type {Renderer<import("view-rows").PodcastsHeaderRow>} */
export const podcastsHeader = (host, context) => {
  const title = h("h3");
  const policy = h("p.soft");
  const action = actionButton(context, ".quiet");
  host.classList.add("plain");
  host.append(h("div.body", {}, title, policy), action.element);
  return (row) => {
    setText(title, row.text === context.title ? "" : row.text);
    setText(policy, row.refreshPolicyText);
    action.show(row);
  };
};

/** @type {Renderer<import("view-rows").PodcastRow>} */
export const podcast = (host, context) => {
  const cover = avatar(".square");
  const title = linkedText("h3");
  const author = h("p.soft");
  const episode = h("p.text");
  const date = dateLabel();
  const action = actionButton(context, ".quiet");
  host.append(
    cover.element,
    h("div.body", {}, h("div.line", {}, title.element, date.element), author, episode), action.element);
  return (row) => {
    cover.show(row.title, row.artworkURL);
    title.show(row.title, row.podcastURL);
    setText(author, row.author);
    setText(episode, row.latestEpisode?.title);
    date.show(row.latestEpisode?.dateText, row.latestEpisode?.date);
    action.show(row, row.title);
  };
};
