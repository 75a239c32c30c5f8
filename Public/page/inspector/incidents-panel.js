/** The last incidents of the view model, newest first: what failed, and what came too late. */
import { h } from "../dom.js";
import { inOrder } from "../in-order.js";
import { throttled } from "../throttled.js";
import { panel } from "./panel.js";

/**
 * @typedef {{at: string, kind: string, detail: string, source?: string, code?: string, change?: string}} Incident
 */

/** The number of shown incidents; the server lists more. */
const shownCount = 10;

/**
 * @param {import("./inspector.js").Subject} subject
 * @param {import("../../viewdelta.js").ViewDelta} server
 */
export function incidentsPanel({ viewModel, commands, whenOpen }, server) {
  const list = h("ol.incidents");
  const none = h("p.soft", {}, "Nothing has gone wrong.");
  const show = inOrder(() => server.request(`${viewModel.path}/incidents`), ({ incidents }) => {
    list.replaceChildren(...incidents.slice(0, shownCount).map(entry));
    none.hidden = incidents.length > 0;
  });
  const refresh = throttled(() => whenOpen(show), 250);
  viewModel.addEventListener("change", refresh);
  // A result that comes too late changes nothing, and a command may have caused it.
  commands.onSent(refresh);
  // A view model that cannot be shown has incidents too, and one that does not exist has none.
  const refreshIfFailing = () => { if (viewModel.status.state === "backingOff") refresh(); };
  viewModel.addEventListener("status", refreshIfFailing);
  if (viewModel.snapshot) refresh();
  else refreshIfFailing();
  return panel("Incidents", none, list);
}

/** @param {Incident} incident */
function entry({ at, detail, source, code, change }) {
  const time = h("time", { datetime: at }, new Date(at).toLocaleTimeString());
  const names = [source, code].filter(Boolean).join(": ");
  return h("li", {}, h("p.soft", {}, time, names ? ` · ${names}` : ""),
    h("p", {}, [change, detail].filter(Boolean).join(" ")));
}
