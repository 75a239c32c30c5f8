/** The connection: the library's state machine with the current state highlighted. */
import { connectionStates } from "../../viewdelta.js";
import { h, setAttribute, setText } from "../dom.js";
import { panel } from "./panel.js";

const transports = /** @type {{[transport: string]: string}} */ ({
  events: "server-sent events", longPoll: "long poll", poll: "short polls",
});

/** @param {import("./inspector.js").Subject} subject */
export function connectionPanel({ viewModel }) {
  const text = h("p.soft");
  const states = connectionStates.map((state) => h("li", {}, state));
  const show = () => {
    const { state, transport, attempt } = viewModel.status;
    for (const each of states) setAttribute(each, "aria-current", each.textContent === state ? "true" : null);
    const failures = attempt > 0 ? `, ${attempt} failed so far` : "";
    setText(text, `By ${transports[transport] ?? transport}${failures}`);
  };
  viewModel.addEventListener("status", show);
  show();
  const drop = h("button", { type: "button", click: () => viewModel.drop() }, "Drop connection");
  const retry = h("button.quiet", { type: "button", click: () => viewModel.retry() }, "Retry now");
  return panel("Connection", h("ul.states", {}, ...states), text, h("div.buttons", {}, drop, retry));
}
