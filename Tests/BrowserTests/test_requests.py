"""How much the page asks for until it shows rows, and what it asks for behind them."""

import pytest
from clock import CLOCK, pass_time

# Notes what has come when the page has its first row.
OBSERVER = """
new MutationObserver((_, observer) => {
  if (!document.querySelector("[data-row]")) return;
  observer.disconnect();
  window.first = performance.getEntriesByType("resource");
}).observe(document, { childList: true, subtree: true });
"""

# What the list of screens leads to comes behind the small script of the head, also if that is late.
HOLD_SCREENS = """
const isAhead = new Promise((resolve) => {
  const find = () => document.querySelector("link[href^='v1/view-models/']") && resolve();
  new MutationObserver(find).observe(document, { childList: true, subtree: true });
});
const send = window.fetch;
window.fetch = async (input, init) => {
  if (String(input).endsWith("/v1/view-models")) await isAhead;
  return send(input, init);
};
"""


def asked(page) -> dict:
    """What the page has asked for until its first row, by the paths."""
    entries = page.run("return first.map((it) => it.toJSON())")
    paths = [it["name"].removeprefix(page.base) for it in entries]
    assert len(paths) == len(set(paths)), f"something is asked for twice: {paths}"
    return dict(zip(paths, entries))


@pytest.fixture
def observed(page):
    with page.at_each_load(OBSERVER + HOLD_SCREENS):
        yield page


def test_the_first_rows_take_ten_requests(observed):
    observed.browser_command("Network.clearBrowserCache")
    observed.open("profile/1")
    paths = asked(observed)
    assert len(paths) + 1 <= 10, paths.keys()
    assert "/v1/view-models" in paths
    files = [path for path in paths if path.endswith((".js", ".css"))]
    assert len(files) == 3 and all("/joined-" in path for path in files)


def test_the_view_model_is_asked_for_while_the_script_comes(observed):
    for name in ("profile/1", "form/1%40AAAAAAAAAAAAAAAAAAAAAA"):
        observed.open(name)
        assert asked(observed)[f"/v1/view-models/{name}"]["initiatorType"] == "link"


def test_nothing_is_asked_for_ahead_once_the_script_is_there(page):
    """The answer would wait for the next request for the view model, and be old by then."""
    page.open("profile/1")
    ahead = "document.querySelectorAll('link[href^=\"v1/view-models/\"]').length"
    before = page.look(ahead)
    page.run("return import('/page/ahead.js?late')")
    assert page.look(ahead) == before


def test_a_second_visit_takes_scripts_and_styles_from_the_cache(observed):
    observed.open("profile/1")
    observed.open("profile/1")
    sizes = [it["transferSize"] for path, it in asked(observed).items() if "/joined-" in path]
    assert sizes == [0, 0, 0]


def test_what_is_needed_later_is_asked_for_again_until_it_comes(page):
    def toasts():
        return page.run("return document.getElementById('toasts').innerText")

    page.browser_command("Network.enable")
    page.browser_command("Network.setBlockedURLs", urls=["*-later.js*"])
    page.browser_command("Network.clearBrowserCache")
    with page.at_each_load(CLOCK):
        page.open("scoreboard/1")
    page.until_live()
    page.click("#edit")
    button = "[data-row='player/1'] .row-edit"
    page.click(button)
    page.until(lambda: "The server did not answer." in toasts(), "the news of it")
    page.act("player/1")
    page.until_answered()
    assert page.inspector == ""

    page.browser_command("Network.setBlockedURLs", urls=[])
    pass_time(page, 4000)
    page.until(lambda: "Start" in page.inspector, "the inspector")
    # It tells what has happened before it came.
    assert "/diff?since=" in page.inspector
    assert "/scoreboard/1/commands" in page.inspector
    page.click(button)
    page.find("dialog")
    # Firefox remembers for an address that nothing has come from it.
    later = "performance.getEntriesByType('resource').map((it) => it.name).filter((it) => it.includes('-later.js'))"
    tries = page.look(later)
    assert len(tries) > 1 and len(set(tries)) == len(tries)
    page.console_errors()
