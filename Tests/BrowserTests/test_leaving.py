"""The page is reloaded or closed, or another screen is shown, while a field is being edited."""

import pytest
from selenium.webdriver.common.keys import Keys
from test_form import field


@pytest.fixture
def form(page):
    page.open("form/1")
    page.until_live()
    page.own = page.run("return decodeURIComponent(location.hash)")[1:]
    return page


def test_what_is_being_typed_is_sent_once_though_the_page_is_reloaded(form, server):
    before = commands(server, form.own)
    form.type("[data-row='name'] input", "Ada")
    form.driver.refresh()
    form.until(lambda: name(server, form.own) == "Ada", "the server to know")
    shown = "document.querySelector('[data-row=name] input')?.value"
    form.until(lambda: form.look(shown) == "Ada", "the text on the page")
    assert commands(server, form.own) == before + 1


def test_what_is_being_typed_is_sent_though_the_page_is_closed(form, server):
    first = form.driver.current_window_handle
    form.driver.switch_to.new_window("tab")
    form.open(form.own)
    form.until_live()
    # The browser opens no more connections, so that what is sent last waits for one.
    poll = f"/v1/view-models/{form.own}/diff?wait=50&since="
    since = server.request("GET", f"/v1/view-models/{form.own}")["revision"]
    form.run("for (let it = 0; it < 6; it++) fetch(arguments[0], {cache: 'no-store'}).catch(() => {})", poll + since)
    form.type("[data-row='name'] input", "Ada")
    form.driver.close()
    form.driver.switch_to.window(first)
    form.until(lambda: name(server, form.own) == "Ada", "the server to know")


def test_a_field_keeps_the_focus_while_the_page_is_in_the_background(form, server):
    form.type("[data-row='name'] input", "Ada")
    look_away(form)
    form.until(lambda: name(server, form.own) == "Ada", "the server to know")
    form.press(" Lovelace", Keys.TAB)
    form.until(lambda: name(server, form.own) == "Ada Lovelace", "the server to know the rest")


def test_a_text_that_the_server_writes_another_way_stays_under_the_cursor_until_its_field_is_left(form, server):
    form.type("[data-row='phone'] input", "030 901820")
    look_away(form)
    form.until(lambda: value(server, form.own, "phone") == "+4930901820", "the server to know")
    form.until_answered()
    form.press("00")
    assert form.run(INPUT, "phone") == "030 90182000"
    form.press(Keys.TAB)
    form.until(lambda: form.run(INPUT, "phone") == "+493090182000", "the number as the server writes it")


def test_a_text_that_was_sent_from_the_background_is_shown_as_the_server_writes_it_once_its_field_is_left(form, server):
    form.type("[data-row='name'] input", "Ada ")
    look_away(form)
    form.until(lambda: name(server, form.own) == "Ada", "the server to know")
    form.until_answered()
    assert form.run(INPUT, "name") == "Ada "
    form.press(Keys.TAB)
    assert form.run(INPUT, "name") == "Ada"


def test_a_text_that_was_sent_from_the_background_follows_what_others_enter(form, server):
    form.type("[data-row='name'] input", "Ada")
    look_away(form)
    form.until(lambda: name(server, form.own) == "Ada", "the server to know")
    form.until_answered()
    entry = {"type": "didChange", "row": "name", "value": "Grace"}
    server.request("POST", f"/v1/view-models/{form.own}/commands", entry)
    form.until(lambda: form.run(INPUT, "name") == "Grace", "the name that another window has entered")


def test_what_was_entered_last_is_sent_though_the_screen_is_left(form, server):
    form.run("""
        window.held = [];
        const send = window.fetch;
        window.fetch = async (input, init) => {
          if (init?.method === "POST") await new Promise((resolve) => held.push(resolve));
          init?.signal?.throwIfAborted();
          return send(input, init);
        };
    """)
    field(form, "name").send_keys("Ada", Keys.TAB)
    field(form, "phone").send_keys("0301234")
    form.run("location.hash = '#scoreboard/1'")
    form.until(lambda: "player/1" in form.rows, "another screen")
    form.run("held.shift()()")
    form.until(lambda: form.look("held.length") == 1, "what comes behind the answer")
    form.run("held.shift()()")
    form.until(lambda: "1234" in value(server, form.own, "phone"), "the server to know")
    assert value(server, form.own, "name") == "Ada"


def test_a_screen_that_is_left_keeps_its_connection_until_all_is_answered(page):
    with page.at_each_load("""
        window.streams = [];
        window.held = [];
        const send = window.fetch;
        window.fetch = async (input, init) => {
          if (String(input).includes("/form/") && String(input).includes("/events")) streams.push(init.signal);
          if (init?.method === "POST") await new Promise((resolve) => held.push(resolve));
          return send(input, init);
        };
    """):
        page.open("form/1")
    page.until(lambda: page.look("streams.length") > 0, "a stream")
    field(page, "name").send_keys("Ada", Keys.TAB)
    page.run("location.hash = '#scoreboards'")
    page.until(lambda: "board/1" in page.rows, "another screen")
    assert not page.look("streams.at(-1).aborted")
    page.until(lambda: page.run("held.shift()?.()") or page.is_answered, "the answers")
    page.until(lambda: page.look("streams.every(({ aborted }) => aborted)"), "the end of the connection")


def test_what_is_entered_last_wins_though_the_screen_was_left_and_shown_again(form, server):
    form.run("""
        window.held = [];
        const send = window.fetch;
        window.fetch = async (input, init) => {
          if (init?.method === "POST") await new Promise((resolve) => held.push(resolve));
          return send(input, init);
        };
    """)
    field(form, "name").send_keys("First", Keys.TAB)
    form.run("location.hash = '#scoreboard/1'")
    form.until(lambda: "player/1" in form.rows, "another screen")
    form.run("location.hash = arguments[0]", f"#{form.own}")
    form.until(lambda: "name" in form.rows, "the form")
    form.until(lambda: form.status == "1 action waits", "the word for what waits")
    assert form.banner == ""
    field(form, "name").send_keys("Last", Keys.TAB)
    # Of requests that are under way at once, the last one is the first to arrive.
    form.until(lambda: form.run("held.pop()?.()") or form.status == "Live", "the end of the wait")
    assert value(server, form.own, "name") == "Last"


INPUT = "return rowOf(arguments[0]).querySelector('input').value"


def look_away(form):
    """Brings the page to the background and back."""
    form.run("""
        Object.defineProperty(document, "visibilityState", { configurable: true, value: "hidden" });
        document.dispatchEvent(new Event("visibilitychange"));
        delete document.visibilityState;
        document.dispatchEvent(new Event("visibilitychange"));
    """)


def name(server, own):
    """The name that the server has."""
    return value(server, own, "name")


def value(server, own, id):
    """The value of a field that the server has."""
    sections = server.request("GET", f"/v1/view-models/{own}")["sections"]
    return next(row["value"] for section in sections for row in section["rows"] if row["id"] == id)


def commands(server, own):
    """The number of commands that have changed the form."""
    history = server.request("GET", f"/v1/view-models/{own}/revisions")["revisions"]
    return sum(revision["cause"]["kind"] == "command" for revision in history)
