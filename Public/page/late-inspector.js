/** The inspector, which is loaded behind the first rows: they come sooner without it. */
import { retried } from "./retried.js";

/** @typedef {Omit<import("./inspector/inspector.js").Subject, "whenOpen">} Shown */

/**
 * Returns a function that shows the internals of a view model.
 *
 * @param {HTMLElement} host
 * @param {import("../viewdelta.js").ViewDelta} server
 */
export function lateInspector(host, server) {
  /** @type {import("./inspector/inspector.js").Inspector | undefined} */
  let inspector;
  let isLoading = false;
  /** @type {Shown} */
  let last;
  const load = async () => {
    if (isLoading) return;
    isLoading = true;
    const { Inspector } = await retried(() => import("./inspector/inspector.js"));
    inspector = new Inspector(host, server);
    inspector.show(last);
  };
  return (/** @type {Shown} */ shown) => {
    last = shown;
    if (inspector) inspector.show(shown);
    else shown.viewModel.addEventListener("status", ({ detail: { state } }) => {
      // It has its rows, or there is no answer.
      if (state !== "loading") load();
    });
  };
}
