/** The maximum delay of a call, in milliseconds. */
const longest = 1000;

/**
 * Runs an action after a series of calls has ended, but at the latest a second after the first call, so that
 * it also runs if calls never end.
 *
 * @param {() => void} action
 * @param {number} rest The time without a further call after which the action runs, in milliseconds.
 * @returns {(() => void) & {cancel: () => void}} Requests a run; `cancel` discards the request.
 */
export function throttled(action, rest) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {number | null} The time of the first call since the last run. */
  let since = null;
  const run = () => {
    since = null;
    action();
  };
  const ask = () => {
    const now = performance.now();
    since ??= now;
    clearTimeout(timer);
    timer = setTimeout(run, Math.max(0, Math.min(rest, since + longest - now)));
  };
  const cancel = () => {
    clearTimeout(timer);
    since = null;
  };
  return Object.assign(ask, { cancel });
}
