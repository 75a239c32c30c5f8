"""The page is reloaded or closed while a field is being edited."""

import pytest
from selenium.webdriver.common.keys import Keys


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
    form.run("""
        Object.defineProperty(document, "visibilityState", { configurable: true, value: "hidden" });
        document.dispatchEvent(new Event("visibilitychange"));
        delete document.visibilityState;
        document.dispatchEvent(new Event("visibilitychange"));
    """)
    form.until(lambda: name(server, form.own) == "Ada", "the server to know")
    form.press(" Lovelace", Keys.TAB)
    form.until(lambda: name(server, form.own) == "Ada Lovelace", "the server to know the rest")


def name(server, own):
    """The name that the server has."""
    sections = server.request("GET", f"/v1/view-models/{own}")["sections"]
    return next(row["value"] for section in sections for row in section["rows"] if row["id"] == "name")


def commands(server, own):
    """The number of commands that have changed the form."""
    history = server.request("GET", f"/v1/view-models/{own}/revisions")["revisions"]
    return sum(revision["cause"]["kind"] == "command" for revision in history)
