"""A restart of the server with a new build, which may have other screens."""

import pytest
from clock import CLOCK, pass_time
from selenium.webdriver.common.keys import Keys

pytestmark = pytest.mark.loses_connection

# Once `isNew` is set, the list of screens is that of another build.
OTHER_LIST = """
    const send = window.fetch;
    window.sent = [];
    window.lists = 0;
    window.fetch = async (input, init) => {
      if (String(input).endsWith("/v1/view-models")) lists += 1;
      if (init?.method === "POST") sent.push(JSON.parse(init.body).type);
      const answer = await send(input, init);
      if (!window.isNew || !String(input).endsWith("/v1/view-models")) return answer;
      const { screens } = await answer.json();
      Object.assign(screens.find(({ name }) => name === "profile"), { opening: "loadPosts", opens: ["posts"] });
      screens.find(({ name }) => name === "form").summary = "Another form.";
      if (window.hasBoard) screens.find(({ name }) => name === "scoreboard").summary = "Another board.";
      return Response.json({ screens: [...screens, { ...screens[0], name: "novelties" }] });
    };
"""


def test_screens_and_opening_commands_are_those_of_the_build_that_runs(page, server):
    with page.at_each_load(OTHER_LIST):
        page.open_loaded(1)
    server.kill()
    page.run("window.isNew = true")
    server.start()
    page.reconnect()
    page.until(lambda: page.has_link("Novelties"), "the link to the new screen")
    page.run("sent.length = 0")
    page.click("#refresh")
    page.until(lambda: page.look("sent") == ["loadPosts"], "the new opening command")


def test_a_view_is_not_opened_again_while_a_text_is_typed(page, server):
    with page.at_each_load(OTHER_LIST):
        page.open("form/1")
        page.until_live()
    server.kill()
    page.run("window.isNew = true")
    page.type("[data-row='skills'] input", "wood")
    server.start()
    page.reconnect()
    page.until(lambda: page.has_link("Novelties"), "the link to the new screen")
    page.press("work")
    assert page.run("return document.activeElement.value") == "woodwork"
    page.run("document.activeElement.blur()")
    page.until(lambda: page.look("document.getElementById('summary').innerText") == "Another form.", "the new screen")
    value = "return rowOf('skills')?.querySelector('input').value"
    page.until(lambda: page.run(value) == "woodwork", "the text in the new screen")


# Each request takes longer than it takes to draw the page without what it asks for.
SLOW = """
    const fetchAtOnce = window.fetch;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    window.fetch = async (...options) => {
      await frame();
      await frame();
      return fetchAtOnce(...options);
    };
"""


def test_a_view_that_is_opened_again_is_shown_where_its_reader_was(page, server):
    page.resize(390, 500)
    with page.at_each_load(OTHER_LIST + SLOW):
        page.open("form/1")
        page.until_live()
    page.run("scrollTo(0, 900)")
    server.kill()
    page.run("window.isNew = true")
    server.start()
    page.reconnect()
    page.until(lambda: page.look("document.getElementById('summary').innerText") == "Another form.", "the new screen")
    page.until(lambda: "name" in page.rows, "its rows")
    page.until(lambda: page.look("scrollY") == 900, "its place")


def test_a_view_stays_in_place_if_its_screen_has_not_changed(page, server):
    with page.at_each_load(OTHER_LIST):
        page.open("scoreboard/1")
        page.until_live()
    page.remember_rows()
    server.kill()
    page.run("window.isNew = true")
    server.start()
    page.reconnect()
    page.until(lambda: page.has_link("Novelties"), "the link to the new screen")
    assert page.same_elements() == set(page.rows) != set()


def test_the_list_is_loaded_once_after_a_restart_with_a_reset(page, server):
    with page.at_each_load(CLOCK + OTHER_LIST):
        page.open_loaded(1)
    server.kill()
    page.run("lists = 0")
    server.start()
    page.reconnect()
    page.until(lambda: "Server restarted" in page.inspector, "the reset")
    page.until_live()
    pass_time(page, 1000)
    assert page.look("lists") == 1


def test_a_view_is_opened_again_when_a_dialog_is_closed(page, server):
    with page.at_each_load(OTHER_LIST):
        page.open("scoreboard/1")
        page.until_live()
    page.click("#edit")
    page.click("[data-row='player/1'] .row-edit")
    page.find("dialog[open] h2")
    server.kill()
    page.run("window.isNew = window.hasBoard = true")
    server.start()
    page.reconnect()
    page.until(lambda: page.has_link("Novelties"), "the link to the new screen")
    page.press(Keys.ESCAPE)
    page.until(lambda: page.look("document.getElementById('summary').innerText") == "Another board.", "the new screen")
