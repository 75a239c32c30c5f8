/** The rows of the list of scoreboards, and of one scoreboard with its players. */
import { h, setAttribute, setText } from "../dom.js";
import { actionButton, avatar } from "./parts.js";

/**
 * @template {import("./renderer.js").Row} Shown
 * @typedef {import("./renderer.js").Renderer<Shown>} Renderer
 */

/** @type {Renderer<import("view-rows").ScoreboardRow>} */
export const scoreboard = (host, context) => {
  const link = h("a");
  const leader = h("p.soft");
  const count = h("span.badge");
  const action = actionButton(context, ".quiet");
  host.append(h("div.body", {}, h("h3", {}, link, " ", count), leader), action.element);
  return (row) => {
    setText(link, row.title);
    setAttribute(link, "href", context.hrefOf(row.to));
    setText(count, row.playerCountText);
    const [text, name] = [row.leaderText ?? "", row.leader?.name ?? ""];
    const at = text.indexOf(name);
    // The direction of the name is not that of the words around it.
    leader.replaceChildren(text.slice(0, at), h("bdi", {}, name), text.slice(at + name.length));
    leader.hidden = text === "";
    action.show(row, row.title);
  };
};

/** @type {Renderer<import("view-rows").ScoreboardHeaderRow>} */
export const scoreboardHeader = (host) => {
  const title = h("h3.body");
  const count = h("span.badge");
  host.classList.add("plain");
  host.append(title, count);
  return (row) => {
    setText(title, row.title);
    setText(count, row.playerCountText);
  };
};

/** @type {Renderer<import("view-rows").PlayerRow>} */
export const player = (host, context) => {
  // Screen readers pass over a name of such an element in place of its text.
  const rank = h("span.rank.number", { "aria-hidden": "true" });
  const rankText = h("span.hidden");
  const picture = avatar();
  const name = h("h4.body");
  const score = h("strong.score.number");
  const action = actionButton(context);
  host.classList.add("tight");
  host.append(rank, rankText, picture.element, name, score, action.element);
  return (row) => {
    setText(rank, row.rank);
    rank.dataset.rank = String(row.rank);
    setText(rankText, row.rankText);
    picture.show(row.name);
    setText(name, row.name);
    setText(score, row.scoreText);
    action.show(row, row.name);
  };
};
