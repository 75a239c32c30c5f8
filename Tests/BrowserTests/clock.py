"""Time for the page that a test lets pass, so that nothing waits for real."""

from page import Page

# Runs before the scripts of the page. Its timers run when they are due, or as soon as a test lets their time pass.
CLOCK = """
{
  const { clearTimeout, setTimeout } = window;
  const now = performance.now.bind(performance);
  const timers = new Map();
  let ahead = 0;
  performance.now = () => now() + ahead;
  window.setTimeout = (action, delay = 0) => {
    const run = () => {
      timers.delete(timer);
      action();
    };
    const timer = setTimeout(run, delay);
    timers.set(timer, { due: performance.now() + delay, run });
    return timer;
  };
  window.clearTimeout = (timer) => {
    timers.delete(timer);
    clearTimeout(timer);
  };
  window.passTime = (milliseconds) => {
    const end = performance.now() + milliseconds;
    for (;;) {
      const [timer, next] = [...timers].sort(([, left], [, right]) => left.due - right.due)[0] ?? [];
      if (next === undefined || next.due > end) break;
      ahead = Math.max(ahead, next.due - now());
      clearTimeout(timer);
      next.run();
    }
    ahead = Math.max(ahead, end - now());
  };
}
"""


def pass_time(page: Page, milliseconds: int):
    """Runs at once, in their order, all timers of a page with this clock that are due within a time."""
    page.run("passTime(arguments[0])", milliseconds)
