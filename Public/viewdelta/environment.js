/**
 * The dependencies of the library on its host, which a test can replace.
 *
 * @typedef {object} Environment
 * @property {typeof globalThis.fetch} fetch
 * @property {() => number} now In milliseconds since 1970.
 * @property {(action: () => void, milliseconds: number) => any} setTimeout
 * @property {(timer: any) => void} clearTimeout
 * @property {() => number} random Returns a random number from 0 to below 1.
 * @property {() => string} uniqueName Returns a unique name for an idempotency key.
 * @property {Pick<SubtleCrypto, "digest"> | null} subtle `null` on a page that was loaded over
 *   plain HTTP from another machine, to which browsers deny it.
 * @property {import("./place.js").Locks | null} locks The locks that the pages of a browser share; `null` if
 *   there are none, as on a page that was loaded over plain HTTP from another machine.
 * @property {(EventTarget & {visibilityState?: string, hasFocus?: () => boolean}) | null} document
 * @property {(EventTarget & {navigator?: {onLine: boolean}}) | null} window
 */

/**
 * The times of the client in milliseconds.
 *
 * @typedef {object} Timing
 * @property {number} requestTimeout The maximum silence of a request that the server answers at once.
 * @property {number} wait The time for which the server may hold a long poll; whole seconds, at most 55.
 * @property {number} waitGrace The additional time after which a long poll is considered hung.
 * @property {number} streamStart The maximum silence before a stream begins, which the server does at once.
 * @property {number} streamSilence The maximum silence of a stream; the server sends a comment
 *   every 15 seconds.
 * @property {number} streamMinimum The minimum duration of a useful stream without news.
 * @property {number} pollInterval The time between two short polls.
 * @property {number} probeInterval The time between two attempts while the browser is offline.
 * @property {number} retryBase The upper bound of the first back-off.
 * @property {number} retryCap The upper bound of every back-off.
 * @property {number} upgradeBase The first delay before a better transport is tried again.
 * @property {number} upgradeCap The maximum of that delay.
 * @property {number} hiddenGrace The time after which the connections of a hidden page are suspended.
 * @property {number} heartbeat The interval at which the clock is checked for a jump.
 * @property {number} sleepGap The delay of a check from which the machine is considered to have slept.
 * @property {number} commandPatience The time after which a command without a reply is not sent again; less
 *   than the hour for which the server keeps idempotency keys.
 */

/** @type {Readonly<Timing>} */
export const defaultTiming = Object.freeze({
  requestTimeout: 15_000,
  wait: 20_000,
  waitGrace: 5_000,
  streamStart: 5_000,
  streamSilence: 20_000,
  streamMinimum: 5_000,
  pollInterval: 3_000,
  probeInterval: 15_000,
  retryBase: 500,
  retryCap: 15_000,
  upgradeBase: 30_000,
  upgradeCap: 600_000,
  hiddenGrace: 2_000,
  heartbeat: 5_000,
  sleepGap: 20_000,
  commandPatience: 300_000,
});

/**
 * Returns the environment of a browser or of any other host with `fetch`.
 *
 * @returns {Environment}
 */
export function hostEnvironment() {
  return {
    fetch: (input, init) => globalThis.fetch(input, init),
    now: () => Date.now(),
    setTimeout: (action, milliseconds) => globalThis.setTimeout(action, milliseconds),
    clearTimeout: (timer) => globalThis.clearTimeout(timer),
    random: () => Math.random(),
    // `crypto.randomUUID` is missing on pages that were loaded over plain HTTP from another
    // machine.
    uniqueName: () =>
      Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
        byte.toString(16).padStart(2, "0"),
      ).join(""),
    subtle: globalThis.crypto?.subtle ?? null,
    // Other hosts do not limit the number of connections.
    locks: globalThis.document ? (navigator.locks ?? null) : null,
    document: globalThis.document ?? null,
    window: globalThis.window ?? null,
  };
}
