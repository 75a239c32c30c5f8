/** @typedef {import("./types.js").ConnectionEvent} ConnectionEvent */
/** @typedef {import("./types.js").ConnectionState} ConnectionState */

/**
 * The transition table of a connection: for each state and event, the next state and its effects.
 * Only this table decides; the shell performs the effects.
 *
 * @typedef {"abort" | "fetchSnapshot" | "startStream" | "startLongPoll" | "startPoll"
 *   | "scheduleRetry" | "schedulePoll" | "scheduleProbe" | "report"} EffectName
 *
 * @typedef {ConnectionState | "connect" | "retry"} Target `connect` denotes the state of the next
 *   request, which depends on the held revision and the current transport; its effect comes last. If the
 *   server wants no request yet, the next state is `backingOff`.
 *   `retry` denotes the same after the first document that cannot be applied, and `backingOff` after each
 *   further one, until one can be applied.
 *
 * @typedef {{to: Target, effects: readonly EffectName[]}} Transition
 * @typedef {Transition | "ignored"} Cell
 */

/**
 * @param {Target} to
 * @param {EffectName[]} effects
 * @returns {Transition}
 */
const go = (to, ...effects) => Object.freeze({ to, effects: Object.freeze(effects) });

/** @type {Cell} */
const ignored = "ignored";
const connect = go("connect");
const reconnect = go("connect", "abort");
const backOff = go("backingOff", "abort", "report", "scheduleRetry");
const reload = go("retry", "abort", "report");
const renew = go("retry", "abort");
const vanish = go("gone", "abort", "report");
const rest = go("resting", "schedulePoll");
const suspend = go("suspended", "abort");
const goOffline = go("offline", "abort", "scheduleProbe");
const close = go("closed", "abort");

/** Ignores an answer that belongs to no request, because the request was abandoned. */
const noAnswers = {
  received: ignored,
  unchanged: ignored,
  early: ignored,
  streamOpened: ignored,
  streamEnded: ignored,
  failed: ignored,
  serverError: ignored,
  silent: ignored,
  busy: ignored,
  unsupported: ignored,
  absent: ignored,
  diverged: ignored,
  stale: ignored,
};

/** Ignores everything, for states in which little happens. */
const quiet = {
  ...noAnswers,
  open: ignored,
  advanced: ignored,
  due: ignored,
  upgrade: ignored,
  hidden: ignored,
  shown: ignored,
  woke: ignored,
  joined: ignored,
  scrolled: ignored,
  offline: ignored,
  online: ignored,
  retry: ignored,
  close: ignored,
  crowded: ignored,
  placed: ignored,
};

/** The events of the page, the machine and the owner during a request. */
const running = {
  open: ignored,
  due: ignored,
  hidden: suspend,
  shown: ignored,
  woke: reconnect,
  joined: reconnect,
  scrolled: reconnect,
  offline: goOffline,
  online: ignored,
  retry: reconnect,
  close,
};

/** The events between two requests, the next of which comes by itself. */
const pausing = {
  ...noAnswers,
  open: ignored,
  advanced: ignored,
  // Also without a network: a server on this machine is reachable then, and the browser's information can be
  // wrong.
  due: connect,
  hidden: suspend,
  shown: reconnect,
  woke: reconnect,
  joined: reconnect,
  scrolled: ignored,
  offline: goOffline,
  online: reconnect,
  retry: reconnect,
  close,
};

/** The failures of any request, and the answers to it that do not fit what is held. */
const failing = {
  failed: backOff,
  serverError: backOff,
  silent: backOff,
  busy: backOff,
  absent: vanish,
  diverged: reload,
  stale: renew,
};

/** @type {{readonly [State in ConnectionState]: {readonly [Event in ConnectionEvent]: Cell}}} */
export const connectionTable = Object.freeze({
  idle: { ...quiet, open: connect, hidden: suspend, retry: connect, close },
  loading: {
    ...running,
    ...failing,
    received: connect,
    unchanged: connect,
    early: backOff,
    streamOpened: ignored,
    streamEnded: ignored,
    unsupported: backOff,
    advanced: ignored,
    upgrade: go("loading"),
    crowded: go("loading"),
    placed: go("loading"),
  },
  connecting: {
    ...running,
    ...failing,
    received: go("listening"),
    unchanged: go("listening"),
    early: backOff,
    streamOpened: go("listening"),
    streamEnded: backOff,
    unsupported: reconnect,
    advanced: reconnect,
    upgrade: reconnect,
    crowded: reconnect,
    placed: ignored,
  },
  listening: {
    ...running,
    ...failing,
    received: go("listening"),
    unchanged: go("listening"),
    early: backOff,
    streamOpened: ignored,
    streamEnded: reconnect,
    unsupported: reconnect,
    // The stream will report the same revision, which is not new then.
    advanced: go("listening"),
    upgrade: reconnect,
    crowded: reconnect,
    placed: ignored,
  },
  waiting: {
    ...running,
    ...failing,
    received: connect,
    unchanged: connect,
    early: rest,
    streamOpened: ignored,
    streamEnded: ignored,
    unsupported: reconnect,
    advanced: reconnect,
    upgrade: reconnect,
    crowded: reconnect,
    placed: ignored,
  },
  polling: {
    ...running,
    ...failing,
    received: rest,
    unchanged: rest,
    early: rest,
    streamOpened: ignored,
    streamEnded: ignored,
    unsupported: backOff,
    stale: rest,
    // The answer may still match; if it does not, it is stale.
    advanced: ignored,
    upgrade: reconnect,
    crowded: go("polling"),
    placed: reconnect,
  },
  resting: {
    ...pausing,
    diverged: reload,
    upgrade: reconnect,
    scrolled: reconnect,
    online: ignored,
    crowded: go("resting"),
    placed: reconnect,
  },
  backingOff: {
    ...pausing,
    upgrade: go("backingOff"),
    crowded: go("backingOff"),
    placed: go("backingOff"),
  },
  offline: {
    ...pausing,
    upgrade: go("offline"),
    woke: ignored,
    offline: ignored,
    crowded: go("offline"),
    placed: go("offline"),
  },
  suspended: { ...quiet, upgrade: go("suspended"), shown: connect, retry: connect, close },
  gone: { ...quiet, upgrade: go("gone"), joined: connect, retry: connect, close },
  closed: quiet,
});
