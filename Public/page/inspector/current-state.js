/** The current state of each machine of a screen, derived from its view model. */

/**
 * @typedef {import("../../viewdelta/types.js").Snapshot} Snapshot
 * @typedef {{initial: string, states: string[], events: string[],
 *   transitions: {from: string, event: string, to: string, effects: string[]}[]}} Machine
 */

/**
 * The machines whose states are not those of a load, but depend on the number of items.
 *
 * @type {{[machine: string]: (snapshot: Snapshot) => string}}
 */
const counted = {
  activity: (snapshot) => {
    const isEmpty = count(snapshot, "activityEntry") === 0;
    const isWhole = count(snapshot, "pageEnd") + count(snapshot, "contentEmpty") > 0;
    const details = /** @type {{[state: string]: string}} */ ({
      isLoading: isEmpty ? "isLoading first" : "isLoading next",
      loaded: isWhole ? "loaded all" : "loaded some",
    });
    return details[snapshot.states.activity] ?? "";
  },
  scoreboards: (snapshot) => amount(count(snapshot, "scoreboard"), "boards"),
  scoreboard: (snapshot) => amount(count(snapshot, "player"), "players"),
  catalog: ({ sections, rowCount }) => {
    if (sections.length === 0) return "no sections";
    return rowCount === 0 ? "no items" : "items";
  },
};

/**
 * Returns the current state of a machine; `null` if the view model does not show it.
 *
 * @param {string} name
 * @param {Machine} machine
 * @param {Snapshot} snapshot
 * @returns {string | null}
 */
export function currentState(name, machine, snapshot) {
  const rows = snapshot.sections.flatMap((section) => section.rows);
  const candidates = [
    snapshot.states[name], rows.find((row) => machine.states.includes(row[name]))?.[name],
    counted[name]?.(snapshot),
  ];
  return candidates.find((state) => machine.states.includes(state)) ?? null;
}

/**
 * @param {Snapshot} snapshot
 * @param {string} type
 */
function count({ sections }, type) {
  return sections.flatMap(({ rows }) => rows).filter((row) => row.type === type).length;
}

/**
 * @param {number} number
 * @param {string} things
 */
function amount(number, things) {
  if (number === 0) return `no ${things}`;
  return number === 1 ? "one" : "several";
}
