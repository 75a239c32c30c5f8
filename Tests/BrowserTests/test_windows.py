"""Many windows of one browser, which opens at most six connections to a server over HTTP/1.1."""

import time

import pytest

COUNT = 7


@pytest.fixture
def windows(page):
    """Windows with the same profile, all visible."""
    first = page.driver.current_window_handle
    page.open_loaded(1)
    others = []
    for _ in range(COUNT - 1):
        page.driver.switch_to.new_window("window")
        others.append(page.driver.current_window_handle)
        # So it is called visible also behind others.
        page.browser_command("Emulation.setFocusEmulationEnabled", enabled=True)
        page.open("profile/1")
    yield [first, *others]
    for window in others:
        page.driver.switch_to.window(window)
        page.driver.close()
    page.driver.switch_to.window(first)


@pytest.mark.windows
def test_each_of_seven_windows_gets_a_change_and_shows_its_true_state(page, server, windows):
    def connections(some):
        return [look(window) for window in some]

    def look(window):
        page.driver.switch_to.window(window)
        assert page.run("return !document.hidden")
        return page.connection

    def are_shared(states):
        return states.count("listening") == 3 and set(states) <= {"listening", "polling", "resting"}

    row = server.add_post(1, "For all windows")
    start = time.monotonic()
    for window in windows:
        page.driver.switch_to.window(window)
        page.until(lambda: row in page.rows, "the post")
    assert time.monotonic() - start < 20
    page.until(lambda: are_shared(connections(windows)), "three windows that listen, and others that poll")
    # A command gets through, too, and a window that is closed leaves its place to another one.
    page.run("location.hash = '#scoreboard/1'")
    page.until(lambda: "player/1" in page.rows, "another screen")
    page.driver.switch_to.window(windows[0])
    page.driver.get("about:blank")

    rest = windows[1:]
    page.until(lambda: are_shared(connections(rest)), "another window that listens")
