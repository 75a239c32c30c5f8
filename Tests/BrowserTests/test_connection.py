"""The page while the connection is lost and restored."""

import re

import pytest
from clock import CLOCK, pass_time
from selenium.webdriver.common.keys import Keys

pytestmark = pytest.mark.loses_connection


def test_a_page_that_was_offline_catches_up(page, server):
    page.open_loaded(1)
    before = page.rows
    with page.offline():
        page.until(lambda: page.connection == "offline", "to be offline")
        row = server.add_post(1, "While you were away")
        assert page.rows == before
    page.until(lambda: row in page.rows, "what happened meanwhile")
    page.until_live()


def test_a_page_survives_the_end_of_the_server(page, server):
    page.open_loaded(1)
    before = page.rows
    server.kill()
    page.until(lambda: page.connection == "backingOff", "a lost connection")
    assert page.rows == before
    server.start()
    page.until_live()
    assert page.banner == ""
    page.until(lambda: page.rows == before, "the same rows, from the new server")
    row = server.add_post(1, "After the restart")
    page.until(lambda: row in page.rows, "a new post")


def test_a_view_whose_opening_was_lost_with_the_server_is_opened_again(page, server):
    page.open_loaded(1)
    # No command arrives, as if the server ended before it replied.
    page.run("""
        window.sending = window.fetch;
        window.fetch = (input, init) =>
          init?.method === "POST"
            ? new Promise((_, reject) => { window.lose = () => reject(new TypeError("lost")); })
            : sending(input, init);
        location.hash = "#profile/2";
    """)
    page.until(lambda: page.rows and "profile/website" not in page.rows, "the empty view")
    page.until_live()
    page.until(lambda: page.look("typeof lose") == "function", "the command")
    server.kill()
    page.run("window.fetch = sending; lose()")
    page.until(lambda: page.connection == "backingOff", "a lost connection")
    server.start()
    page.reconnect()
    page.until(lambda: any(row.startswith("post/") for row in page.rows), "posts")
    # Of two commands that open it, the later one is refused, before or after the posts come.
    page.leave()


def test_a_view_is_opened_also_after_a_change_in_between_that_cannot_be_seen(page, server):
    page.open_loaded(1)
    # The command goes once the test lets it.
    page.run("""
        window.sending = window.fetch;
        const gate = new Promise((resolve) => { window.release = resolve; });
        window.fetch = async (input, init) => {
          if (init?.method === "POST") await gate;
          return sending(input, init);
        };
        location.hash = "#profile/2";
    """)
    page.until(lambda: page.rows and "profile/website" not in page.rows, "the empty view")
    page.until_live()
    row = server.add_post(2, "Written before the posts are loaded")
    page.run("release()")
    page.until(lambda: row in page.rows, "posts")
    assert all("412" in error for error in page.leave())


def test_the_banner_stays_from_the_loss_to_the_return(page, server):
    page.open_loaded(1)
    # Screen readers watch a region that is there before its text.
    assert page.run("const it = document.getElementById('banner'); return [it.role, it.hidden]") == ["status", False]
    page.run("""
        window.seen = [];
        const banner = document.getElementById("banner");
        const status = document.getElementById("status");
        const note = () => seen.push([status.dataset.state, banner.innerText === ""]);
        new MutationObserver(note).observe(banner, {childList: true});
        new MutationObserver(note).observe(status, {attributes: true});
    """)

    def since_the_loss():
        seen = page.run("return seen")
        states = [state for state, _ in seen]
        return seen[states.index("backingOff") :] if "backingOff" in states else []

    def attempts():
        return [state for state, _ in since_the_loss() if state in ("connecting", "loading")]

    server.kill()
    page.until(attempts, "another attempt")
    page.until(lambda: page.connection == "backingOff", "its end")
    assert not any(hidden for _, hidden in since_the_loss()), since_the_loss()


NOTICE = "return document.getElementById('notice').innerText"


def test_a_restart_is_told_with_the_fields_that_have_lost_what_was_entered(page, server):
    page.open("form/1")
    page.until_live()
    for row, text in {"name": "Ada", "email": "ada@example.org"}.items():
        page.run("rowOf(arguments[0]).querySelector('input').focus()", row)
        page.press(text, Keys.TAB)
    held = "return [...document.querySelectorAll('.timeline [data-revision]')].length"
    page.until(lambda: page.run(held) >= 3, "both values in the timeline")
    page.until_answered()
    assert page.run(NOTICE) == ""
    server.kill()
    server.start()
    page.reconnect()
    page.until(lambda: "restarted" in page.run(NOTICE), "a notice")
    assert "the values of these fields are lost: Name, E-mail." in page.run(NOTICE)
    page.until(lambda: "Server restarted" in page.inspector, "a note in the timeline")
    page.run("document.querySelector('#notice button').focus()")
    page.press(Keys.ENTER)
    assert page.run(NOTICE) == "" and page.focus == "rows"


def test_a_restart_that_loses_nothing_is_told_in_the_timeline_alone(page, server):
    page.open("scoreboard/1")
    page.until_live()
    page.until(lambda: "Start" in page.inspector, "the timeline")
    assert "Server restarted" not in page.inspector
    server.kill()
    server.start()
    page.reconnect()
    page.until(lambda: page.inspector.count("Server restarted") == 1, "a note in the timeline")
    assert page.run(NOTICE) == page.banner == ""


RETRY = "document.querySelector('#banner button')"

# So that no attempt of the page's own comes before the one that a test asks for.
FAIL_UNTIL = """
    const sending = window.fetch;
    window.fetch = async () => { throw new TypeError("Failed to fetch"); };
    addEventListener("keydown", () => { window.fetch = sending; }, {capture: true, once: true});
"""


def test_a_lost_connection_can_be_retried_at_once_by_keyboard_after_which_the_focus_is_on_the_rows(page, server):
    page.open_loaded(1)
    server.kill()
    page.until(lambda: "Next attempt in" in page.banner, "the time of the next attempt")
    assert "The connection is lost." in page.banner
    assert page.run("return document.querySelector('.countdown').ariaHidden") == "true"
    page.run(RETRY + ".focus()")
    page.run(FAIL_UNTIL)
    server.start()
    page.press(Keys.ENTER)
    page.until_live()
    assert (page.banner, page.focus) == ("", "rows")


def test_the_browser_asks_before_actions_that_wait_are_lost(page):
    """Also on a screen that was left."""
    asks = "const it = new Event('beforeunload', {cancelable: true}); return !dispatchEvent(it)"
    page.open_loaded(1)
    page.until_answered()
    page.run(HOLD_COMMANDS)
    page.run("document.querySelector('#refresh').click()")
    assert page.run(asks)
    page.run("location.hash = '#scoreboard/1'")
    page.until(lambda: "player/1" in page.rows, "another screen")
    assert page.run(asks)
    page.run("held.shift()()")
    page.until_answered()


def test_a_busy_server_is_not_called_a_lost_connection(page, server):
    page.open_loaded(1)
    page.run("""
        window.sending = window.fetch;
        window.fetch = async () => new Response("{}", {status: 503, headers: {"Retry-After": "60"}});
        [...document.querySelectorAll("button")].find((it) => it.textContent.startsWith("Drop")).click();
    """)
    page.until(lambda: "The server is busy." in page.banner, "the word for it")
    # A pause of the page's own is shorter.
    page.until(lambda: 30 < seconds_left(page) <= 60, "its time")
    page.run("window.fetch = sending; " + RETRY + ".click()")
    page.until_live()


def seconds_left(page) -> int:
    """The seconds until the next attempt; 0 if the banner says none."""
    left = re.search(r"Next attempt in (\d+) s\.", page.banner)
    return int(left[1]) if left else 0


@pytest.mark.parametrize(
    "answer, words",
    [
        ("Response.json({kind: 'snapshot', screen: 'profile/2', digest: '1'})", "does not fit"),
        ("new Response('', {status: 500})", "The server answered with an error."),
        ("new Response('', {status: 403, statusText: 'Forbidden'})", "Forbidden. The view will be shown"),
        ("Response.json({code: 'signed-out', title: 'Signed out', detail: 'Sign in again.'},"
         " {status: 401, headers: {'Content-Type': 'application/problem+json'}})", "Signed out. Sign in again."),
    ],
)
def test_the_banner_tells_what_is_wrong_with_the_answers(page, server, answer, words):
    page.open_loaded(1)
    page.run(f"""
        window.sending = window.fetch;
        window.fetch = async (input, init) =>
          String(input).endsWith("/profile/2") ? {answer} : sending(input, init);
        location.hash = "#profile/2";
    """)
    page.until(lambda: words in page.banner, "the words for it")
    # At once, so that no attempt of the page's own comes in between and takes the button away.
    page.run("window.fetch = sending; " + RETRY + ".click()")
    page.until_live()
    assert page.banner == ""


def test_a_server_that_hangs_does_not_hold_up_the_navigation(page, server):
    page.open_loaded(1)
    title = "return document.getElementById('title').textContent"
    server.pause()
    try:
        page.run("location.hash = '#catalog/1'")
        page.until(lambda: page.run(title) == "Catalog", "the title of the next screen")
        page.run("location.hash = '#scoreboard'")
        page.until(lambda: page.run(title) == "Scoreboard", "the title of the last screen")
    finally:
        server.resume()
    page.until(lambda: any(row.startswith("player/") for row in page.rows), "the last screen")


@pytest.mark.windows
def test_a_page_that_was_frozen_catches_up(page, server):
    page.open_loaded(1)
    page.remember_rows()
    with page.frozen():
        page.until(lambda: page.connection == "suspended", "to hold no connection")
        row = server.add_post(1, "While you slept")
    page.until(lambda: row in page.rows, "what happened meanwhile")
    assert page.same_elements() == set(page.rows) - {row}


def test_a_dropped_connection_comes_back_by_itself(page, server):
    page.open_loaded(1)
    page.remember_rows()
    buttons = "return [...document.querySelectorAll('button')]"
    page.run(buttons + ".find((it) => it.textContent.startsWith('Drop')).click()")
    row = server.add_post(1, "After the drop")
    page.until(lambda: row in page.rows, "the post")
    page.until_live()
    assert page.same_elements() == set(page.rows) - {row}


HOLD_COMMANDS = """
    window.held = [];
    const send = window.fetch;
    window.fetch = async (input, init) => {
      if (init?.method === "POST") await new Promise((resolve) => held.push(resolve));
      return send(input, init);
    };
"""
TOASTS = "return document.querySelector('#toasts').textContent"
BUSY = "return document.querySelector('#refresh').ariaBusy"


def test_a_button_that_is_pressed_offline_says_at_once_that_it_waits(page, server):
    page.open_loaded(1)
    page.run(HOLD_COMMANDS)
    with page.offline():
        page.until(lambda: "You are offline." in page.banner, "to be offline")
        page.run("document.querySelector('#refresh').click()")
        assert page.run(BUSY) == "true"
        assert "You are offline." in page.banner and "1 action waits" in page.banner
    page.until_live()
    page.until(lambda: (page.banner, page.status) == ("", "1 action waits"), "the end of the trouble")
    page.run("held.shift()()")
    page.until(lambda: page.status == "Live", "the end of the wait")
    assert page.run(BUSY) is None


def test_a_button_that_is_pressed_while_the_server_is_away_does_its_work_later(page, server):
    with page.at_each_load(CLOCK):
        page.open_loaded(1)
    server.kill()
    page.until(lambda: page.connection == "backingOff", "a lost connection")
    page.run("""
        const send = window.fetch;
        window.attempts = 0;
        window.fetch = (input, init) => {
          if (init?.method === "POST") attempts += 1;
          return send(input, init);
        };
        document.querySelector('#refresh').click();
    """)
    page.until(lambda: pass_time(page, 4000) or page.run("return attempts") > 3, "several attempts")
    assert "1 action waits" in page.banner
    server.start()
    pass_time(page, 15_000)
    page.until(lambda: page.run(BUSY) is None, "the end of the wait")
    assert page.run(TOASTS) == ""
    # Of two commands that open it, one may be refused, also later than the answer to the other.
    page.leave()


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_a_button_is_busy_until_the_last_press_is_answered(page, server, width):
    page.resize(width, 844)
    with page.at_each_load(CLOCK):
        page.open_loaded(1)
    top = "document.getElementById('rows').getBoundingClientRect().top"
    before = page.look(top)
    page.run(HOLD_COMMANDS)
    page.run("for (let press = 0; press < 2; press++) document.querySelector('#refresh').click()")
    assert page.run(BUSY) == "true"
    pass_time(page, 1000)
    assert page.status == "2 actions wait"
    assert page.look(top) == before, "nothing pushes the rows"
    page.run("held.shift()()")
    page.until(lambda: page.status == "1 action waits", "the first answer")
    assert page.run(BUSY) == "true"
    page.run("held.shift()()")
    page.until(lambda: page.status == "Live", "the last answer")
    assert page.run(BUSY) is None


def test_an_action_that_is_not_sent_says_why(page):
    page.open_loaded(1)
    page.run(HOLD_COMMANDS)
    page.run("for (let press = 0; press < 102; press++) document.querySelector('#refresh').click()")
    page.until(lambda: page.run(TOASTS) == "100 commands wait for the server.", "the reason")


def test_a_request_without_an_answer_says_so(page):
    page.open_loaded(1)
    page.run("import('/page/toast.js').then((it) => fetch('http://[').catch(it.showToast))")
    page.until(lambda: page.run(TOASTS) == "The server did not answer.", "a message")
