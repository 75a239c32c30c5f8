/**
 * All that the library takes from the world around it, so that a test can give it another.
 *
 * @typedef {object} Environment
 * @property {typeof globalThis.fetch} fetch
 * @property {() => number} now In milliseconds since 1970.
 * @property {(action: () => void, milliseconds: number) => any} setTimeout
 * @property {(timer: any) => void} clearTimeout
 * @property {() => number} random From 0 to below 1.
 * @property {() => string} uniqueName Never the same twice, for idempotency keys.
 * @property {Pick<SubtleCrypto, "digest"> | null} subtle `null` on a page that comes over plain HTTP from
 *   another machine: browsers keep it from those.
 * @property {(EventTarget & {visibilityState?: string}) | null} document
 * @property {EventTarget | null} window
 */

/**
 * Times in milliseconds.
 *
 * @typedef {object} Timing
 * @property {number} requestTimeout How long an answer may take that the server gives at once.
 * @property {number} wait How long the server may hold a long poll; whole seconds, at most 55.
 * @property {number} waitGrace How much longer a long poll may take before it counts as hung.
 * @property {number} streamSilence How long a stream may say nothing; the server sends a comment
 *   each 15 seconds.
 * @property {number} streamMinimum A stream that ends sooner without news has not done its work.
 * @property {number} pollInterval Between two short polls.
 * @property {number} probeInterval Between two attempts while the browser says it is offline.
 * @property {number} retryBase The bound of the first back-off.
 * @property {number} retryCap The bound of any.
 * @property {number} upgradeBase How long to do without a better transport at first.
 * @property {number} upgradeCap How long at most.
 * @property {number} hiddenGrace How long a page is hidden before its connections are suspended.
 * @property {number} heartbeat How often to look at the clock.
 * @property {number} sleepGap How late the clock is looked at when the machine has slept.
 * @property {number} commandAttempts How often a command is sent in all where no reply comes.
 */

/** @type {Readonly<Timing>} */
export const defaultTiming = Object.freeze({
  requestTimeout: 15_000,
  wait: 50_000,
  waitGrace: 10_000,
  streamSilence: 40_000,
  streamMinimum: 5_000,
  pollInterval: 3_000,
  probeInterval: 15_000,
  retryBase: 500,
  retryCap: 15_000,
  upgradeBase: 30_000,
  upgradeCap: 600_000,
  hiddenGrace: 60_000,
  heartbeat: 5_000,
  sleepGap: 20_000,
  commandAttempts: 3,
});

/**
 * The world of a browser, or of any other host with `fetch`.
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
    // `crypto.randomUUID` is missing on pages that come over plain HTTP from another machine.
    uniqueName: () =>
      Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
        byte.toString(16).padStart(2, "0"),
      ).join(""),
    subtle: globalThis.crypto?.subtle ?? null,
    document: globalThis.document ?? null,
    window: globalThis.window ?? null,
  };
}
