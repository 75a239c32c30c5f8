"""An answer of the server that comes later than those to later requests."""

from page import Page

# The page notes when it has read all of the answer.
HOLD = """
const [path] = arguments;
const send = window.fetch;
window.asked = 0;
window.fetch = async (input, init) => {
  const answer = await send(input, init);
  if (!String(input).endsWith(path) || asked++ > 0) return answer;
  const text = await answer.text();
  await new Promise((resolve) => { window.release = resolve; });
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    pull: (controller) => {
      controller.close();
      window.isRead = true;
    },
  });
  return new Response(body, answer);
};
"""


def hold(page: Page, path: str):
    """Holds the answer to the next request for a path; `asked` counts the answers."""
    page.run(HOLD, path)


def give(page: Page):
    """Gives the page the answer, and returns when it has taken it."""
    page.until(lambda: page.look("typeof release") == "function", "the answer")
    page.run("release()")
    page.until(lambda: page.look("window.isRead === true"), "the page to read it")
