/** Tells of a restart of the server, after which what was entered may be gone. */
import { byId, h } from "./dom.js";
import { isBlank } from "./screens.js";
import { isData } from "./words.js";

/**
 * @typedef {import("../viewdelta/types.js").Change} Change
 * @typedef {import("../viewdelta/types.js").Snapshot} Snapshot
 */

/**
 * @param {object} parts
 * @param {HTMLElement} parts.element The place of the notice, in a live region.
 * @param {import("./notes.js").Notes} parts.notes
 * @param {Pick<import("./screens.js").Screen, "opening" | "opens">} parts.screen
 * @param {import("../viewdelta.js").ViewDelta} parts.server
 * @param {import("../viewdelta.js").ViewModel} parts.viewModel
 */
export function tellOfRestarts({ element, notes, screen, server, viewModel }) {
  /**
   * The snapshot before the restart, until the view is loaded again.
   *
   * @type {Snapshot | null}
   */
  let former = null;
  /**
   * The status at the last question whether the server was restarted.
   *
   * @type {import("../viewdelta/types.js").Status | undefined}
   */
  let asked;
  const note = () => notes.add("start", "Server restarted");

  /** @param {Change} change */
  const notice = ({ before, after, reason }) => {
    if (reason === "epoch-changed") {
      note();
      former ??= before;
    }
    const isLoaded = !Object.values(after.states).includes("isLoading") && !isBlank(screen, after.states);
    if (former === null || !isLoaded) return;
    const lost = lostEntries(former, after);
    former = null;
    if (lost.length === 0) return;
    const dismiss = h("button.quiet", {
      type: "button",
      click: () => {
        element.replaceChildren();
        byId("rows").focus({ preventScroll: true });
      },
    }, "Dismiss");
    const text = `The server was restarted, and the values of these fields are lost: ${lost.join(", ")}.`;
    element.replaceChildren(h("div.banner", {}, h("span", {}, text), dismiss));
  };

  /**
   * Asks whether the server was restarted with the same content: then it has no diff from a revision before.
   *
   * @param {string} since
   */
  const ask = async (since) => {
    try {
      const answer = await server.request(`${viewModel.path}/diff?${new URLSearchParams({ since })}`);
      if (answer?.reason === "epoch-changed") note();
    } catch {
      // The connection reports the error.
    }
  };

  viewModel.addEventListener("advanced", ({ detail: { from, change } }) => {
    const { status } = viewModel;
    if (change !== null) notice(change);
    else if (isFirstAnswer(status) && status !== asked) {
      // Further names that a new stream brings at once leave the status as it is.
      asked = status;
      ask(from ?? "");
    }
  });
}

/**
 * Returns whether what comes now is the first answer of a connection.
 *
 * @param {import("../viewdelta/types.js").Status} status
 */
const isFirstAnswer = ({ isProven, event }) => !isProven || event === "streamOpened";

/**
 * Returns the labels of the fields that had a value, and have another one or are gone.
 *
 * @param {Snapshot} before
 * @param {Snapshot} after
 * @returns {string[]}
 */
function lostEntries(before, after) {
  const values = new Map(fields(after).map((row) => [row.id, row.value]));
  return fields(before)
    .filter(({ id, value }) => value != null && value !== "" && value !== values.get(id))
    .map(({ id, label }) => label || id);
}

/** @param {Snapshot} snapshot */
const fields = ({ sections }) => sections.flatMap(({ rows }) => rows).filter((row) => row.change && !isData(row));
