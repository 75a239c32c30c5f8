/**
 * Runs an action once after a row of calls has come to rest, but never keeps the first of them waiting
 * longer than a given time: under steady change it still runs.
 *
 * @param {() => void} action
 * @param {number} rest How long no further call may come, in milliseconds.
 * @param {number} [longest] How long a call waits at most.
 * @returns {(() => void) & {cancel: () => void}} Asks for a run; `cancel` forgets what was asked.
 */
export function throttled(action, rest, longest = 1000) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {number | null} When the first call came that no run has answered. */
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
