import { connectionTable } from "./connection-states.js";

/** @typedef {import("./types.js").ConnectionEvent} ConnectionEvent */
/** @typedef {import("./types.js").ConnectionState} ConnectionState */
/** @typedef {import("./types.js").Transport} Transport */
/** @typedef {import("./connection-states.js").EffectName} EffectName */

/**
 * The state of a connection and the history that its next transition depends on.
 *
 * @typedef {object} ConnectionContext
 * @property {ConnectionState} state
 * @property {readonly Transport[]} transports The best first; the last one is `poll`.
 * @property {number} level The index of the transport in use.
 * @property {boolean} isCrowded Whether other connections of the browser leave this one none to hold open.
 * @property {boolean} holds Whether the held revision is valid; if not, the view model is loaded again.
 * @property {boolean} isProven Whether the transport has answered since it is in use and nothing failed.
 * @property {number} attempt The number of consecutive failures.
 * @property {number} refusals The number of consecutive documents that could not be applied.
 * @property {number} doubts The number of consecutive failures that the transport may have caused.
 * @property {number} trials The number of failed trials of a better transport.
 */

/**
 * The actions to perform, in order.
 *
 * @typedef {{do: EffectName} | {do: "scheduleRetry", attempt: number, atLeast: number}
 *   | {do: "scheduleUpgrade", trials: number}} Effect
 */

/** The number of consecutive doubts after which the next transport is used. */
const patience = 2;

/** @type {{[Kind in Transport]: {state: ConnectionState, effect: EffectName}}} */
const requests = {
  events: { state: "connecting", effect: "startStream" },
  longPoll: { state: "waiting", effect: "startLongPoll" },
  poll: { state: "polling", effect: "startPoll" },
};

/**
 * Creates the context of a connection that is not open yet.
 *
 * @param {readonly Transport[]} transports The best first. Short polls always come last, because
 *   they work everywhere.
 * @param {Transport | null} working The transport that works for other connections, if that is known.
 * @returns {ConnectionContext}
 * @throws {TypeError} If there is no such transport.
 */
export function initialContext(transports, working = null) {
  const unknown = transports.find((transport) => !Object.hasOwn(requests, transport));
  if (unknown !== undefined) throw new TypeError(`"${unknown}" is none of ${Object.keys(requests).join(", ")}`);
  /** @type {Transport[]} */
  const order = [...transports.filter((transport) => transport !== "poll"), "poll"];
  const level = Math.max(0, working === null ? 0 : order.indexOf(working));
  return {
    state: "idle",
    transports: order,
    level,
    isCrowded: false,
    holds: false,
    isProven: false,
    attempt: 0,
    refusals: 0,
    doubts: 0,
    trials: level,
  };
}

/**
 * Applies an event to a connection. The function is pure, and defined for every state and event.
 *
 * @param {ConnectionContext} context
 * @param {ConnectionEvent} event
 * @param {{atLeast?: number}} detail `atLeast` is the time in milliseconds before which the server wants no
 *   request: none is started before that.
 * @returns {{context: ConnectionContext, effects: Effect[]}} An ignored event gives the very same
 *   context.
 */
export function step(context, event, { atLeast = 0 } = {}) {
  const cell = connectionTable[context.state][event];
  if (cell === "ignored") return { context, effects: [] };
  const remembered = remember(context, event);
  const request = nextRequest(remembered);
  /** @type {Effect[]} */
  const effects = cell.effects.map((name) =>
    name === "scheduleRetry"
      ? { do: name, attempt: remembered.attempt, atLeast }
      : { do: name },
  );
  let state = /** @type {ConnectionState} */ ("backingOff");
  const isRequest = cell.to === "retry" || cell.to === "connect";
  if (isRequest && (atLeast > 0 || (cell.to === "retry" && remembered.refusals > 1))) {
    effects.push({ do: "scheduleRetry", attempt: remembered.refusals, atLeast });
  } else if (isRequest) {
    effects.push({ do: request.effect });
    state = request.state;
  } else {
    state = /** @type {ConnectionState} */ (cell.to);
  }
  if (remembered.level > context.level) {
    effects.push({ do: "scheduleUpgrade", trials: remembered.trials });
  }
  return { context: { ...remembered, state }, effects };
}

/**
 * Returns the transport in use, or to be used next.
 *
 * @param {ConnectionContext} context
 * @returns {Transport}
 */
export function transportOf({ transports, level, isCrowded }) {
  return isCrowded ? "poll" : transports[level];
}

/** @param {ConnectionContext} context */
function nextRequest(context) {
  return context.holds
    ? requests[transportOf(context)]
    : /** @type {const} */ ({ state: "loading", effect: "fetchSnapshot" });
}

/**
 * Updates the history of a connection after an event.
 *
 * @param {ConnectionContext} context
 * @param {ConnectionEvent} event
 * @returns {ConnectionContext}
 */
function remember(context, event) {
  const unproven = { ...context, isProven: false };
  const failed = { ...unproven, attempt: context.attempt + 1 };
  switch (event) {
    case "received":
    case "unchanged":
    case "streamEnded": {
      // A snapshot that was loaded proves nothing about the transport.
      if (context.state === "loading") return { ...context, holds: true, attempt: 0 };
      // The first long poll, which does not wait, proves nothing about those that do.
      const isProof = context.state !== "waiting" || context.isProven;
      return {
        ...context,
        isProven: true,
        attempt: 0,
        doubts: isProof ? 0 : context.doubts,
        // Only a document that could be applied proves that the next one can be.
        refusals: event === "received" ? 0 : context.refusals,
        trials: isProof && context.level === 0 ? 0 : context.trials,
      };
    }
    case "diverged":
      // The server has answered, so the transport works. But after a further one what is shown stays out of date.
      return {
        ...failed,
        isProven: context.isProven && context.refusals === 0,
        holds: false,
        refusals: context.refusals + 1,
      };
    case "stale":
      return { ...context, refusals: context.refusals + 1 };
    case "absent":
      return { ...failed, isCrowded: false };
    case "failed":
      // If no server is reached, no other transport would work either.
      return failed;
    case "silent":
      // Before a stream begins, only a proxy that holds it back is silent for so long.
      return doubted(failed, context.state === "connecting" ? patience : 1);
    case "serverError":
    case "early":
    case "busy":
      return doubted(failed);
    case "unsupported":
      return doubted(failed, patience);
    case "upgrade":
      // During a trial one more doubt is enough.
      return { ...unproven, level: 0, doubts: patience - 1 };
    case "shown":
    case "woke":
    case "online":
    case "joined":
    case "retry":
      return { ...unproven, attempt: 0, refusals: 0 };
    case "offline":
      return unproven;
    case "hidden":
    case "close":
      // The place is given up, as after `absent`, and asked for again later.
      return { ...unproven, isCrowded: false };
    case "crowded":
      return { ...unproven, isCrowded: true };
    case "placed":
      return { ...unproven, isCrowded: false };
    case "streamOpened":
      return { ...context, isProven: true, attempt: 0 };
    case "advanced":
      // The reply could be applied.
      return { ...context, refusals: 0 };
    case "open":
    case "scrolled":
    case "due":
      return context;
  }
}

/**
 * @param {ConnectionContext} context
 * @param {number} [doubts] How many doubts in the transport the failure causes.
 */
function doubted(context, doubts = 1) {
  if (context.state === "loading" || context.isCrowded) return context;
  if (context.doubts + doubts < patience) return { ...context, doubts: context.doubts + doubts };
  if (context.level === context.transports.length - 1) return context;
  return { ...context, level: context.level + 1, doubts: 0, trials: context.trials + 1 };
}
