"""The navigation: on a phone, and with more views than there is room for."""

import json

import pytest
from selenium.webdriver.common.keys import Keys
from server import Server
from test_accessibility import faults

COUNT = 2000


@pytest.fixture(scope="module")
def crowd(tmp_path_factory):
    """A server with many users."""
    file = tmp_path_factory.mktemp("crowd") / "users.json"
    users = [{"id": number, "username": f"Person {number}"} for number in range(1, COUNT)]
    file.write_text(json.dumps({"users": [*users, {"id": COUNT, "username": "Åsa"}]}))
    server = Server("--data", str(file)).start()
    yield server
    server.kill()


@pytest.fixture
def crowded(page, crowd):
    return opened(page, crowd)


def opened(page, crowd):
    page.base = crowd.base
    page.open("profile/7")
    page.until_live()
    page.until(lambda: page.has_link("Person 7"), "the link of the shown one")
    page.picker = page.find("#switcher [role='combobox']")
    return page


def options(page):
    listed = page.find_all("#switcher [role='option']")
    return [option.text for option in listed if option.is_displayed()]


def test_one_of_many_is_found_by_keyboard(crowded):
    stops = "return document.querySelectorAll('#switcher :is(a, input)').length"
    assert crowded.run(stops) < 20
    crowded.picker.send_keys("asa")
    assert options(crowded) == ["Åsa"]
    crowded.picker.send_keys(Keys.ARROW_DOWN)
    active = crowded.picker.get_attribute("aria-activedescendant")
    assert crowded.find(f"#{active}").get_attribute("aria-selected") == "true"
    crowded.picker.send_keys(Keys.ENTER)
    crowded.until(lambda: crowded.text("profile/header").startswith("Å"), "the profile")
    crowded.until(lambda: crowded.focus == "title", "the focus on the title")
    assert crowded.has_link("Åsa") and not crowded.has_link("Person 7")
    assert options(crowded) == []


def test_a_pointer_that_comes_and_goes_loads_the_keys_once(crowded):
    crowded.run("""
        const send = window.fetch;
        window.loads = 0;
        window.fetch = (input, init) => {
          // Further pages of the list have a cursor.
          if (String(input).endsWith("/v1/users?limit=1000")) loads += 1;
          return send(input, init);
        };
    """)
    enter = "document.getElementById('switcher').dispatchEvent(new PointerEvent('pointerenter'))"
    crowded.run(f"{enter}; {enter}")
    # A second load would begin together with the first one.
    crowded.until(lambda: crowded.look("loads") > 0, "the keys")
    assert crowded.look("loads") == 1
    crowded.run("document.querySelector('#switcher a').focus()")
    crowded.until(lambda: crowded.look("loads") > 1, "the keys for a keyboard")
    crowded.run("document.querySelectorAll('#switcher a')[1].focus()")
    assert crowded.look("loads") == 2


def test_enter_opens_a_title_that_is_entered_in_full_even_if_others_contain_it(crowded):
    crowded.picker.send_keys("person 19")
    # With this key an input method ends a composition.
    crowded.run("""document.activeElement.dispatchEvent(
        new KeyboardEvent('keydown', {key: 'Enter', isComposing: true, bubbles: true}))""")
    assert options(crowded)[0] == "Person 19"
    crowded.picker.send_keys(Keys.ENTER)
    crowded.until(lambda: crowded.has_link("Person 19"), "the link of the shown one")


def test_the_list_says_how_many_match_and_closes(page, crowd):
    page.resize(360, 740)
    crowded = opened(page, crowd)
    crowded.picker.send_keys("person 19")
    assert crowded.picker.get_attribute("aria-expanded") == "true"
    status = crowded.find("#switcher [role='status']")
    assert status.text == "111 of 2,000: keep typing"
    assert options(crowded)[0] == "Person 19" and len(options(crowded)) == 50
    active = "[...document.querySelectorAll('#switcher [role=option]')].findIndex((it) => it.ariaSelected === 'true')"
    for key, place in ((Keys.ARROW_UP, 49), (Keys.ARROW_DOWN, 0), (Keys.ARROW_UP, 49)):
        crowded.picker.send_keys(key)
        assert crowded.look(active) == place
    assert crowded.run("return document.documentElement.scrollWidth") <= 360
    assert faults(crowded) == []
    crowded.picker.send_keys(Keys.ESCAPE)
    assert crowded.picker.get_attribute("aria-expanded") == "false" and options(crowded) == []
    assert crowded.picker.get_property("value") == "person 19"
    crowded.picker.send_keys(Keys.ESCAPE)
    assert crowded.picker.get_property("value") == ""
    crowded.picker.send_keys("7", Keys.TAB)
    assert options(crowded) == []


def test_the_list_is_pressed_by_pointer(crowded):
    crowded.picker.send_keys("Person 1234")
    crowded.click("#switcher [role='option']")
    crowded.until(lambda: crowded.has_link("Person 1234"), "the link of the shown one")


@pytest.mark.parametrize("width", [360, 1000, 1280])
def test_no_row_covers_the_list(page, crowd, width):
    page.resize(width, 740)
    crowded = opened(page, crowd)
    crowded.picker.send_keys("person")
    assert crowded.run(COVERED) == []


# What is drawn in front of the popup, along both of its sides.
COVERED = """
const popup = document.querySelector("#switcher .popup");
const { left, right, top, bottom } = popup.getBoundingClientRect();
const points = [];
for (let y = top + 20; y < Math.min(bottom, innerHeight) - 20; y += 20) points.push([left + 5, y], [right - 5, y]);
return points.map((point) => document.elementFromPoint(...point)).filter((it) => !popup.contains(it))
  .map((it) => it.outerHTML);
"""


def test_a_phone_shows_that_the_screens_go_on_and_scrolls_to_the_current_one(page):
    page.resize(360, 740)
    page.open("profile/1")
    page.until_live()
    sides = "return document.querySelector('#switcher ul').dataset.more"
    mask = "return getComputedStyle(document.querySelector('#switcher ul')).maskImage"
    page.until(lambda: page.run(sides) == "end", "the first part of the list")
    assert "gradient" in page.run(mask)
    page.open("settings/general")
    page.until_live()
    page.until(lambda: page.run(sides) in ("start", "start end"), "another part of the list")
    edges = (
        "const {left, right} = document.querySelector('#switcher [aria-current]').getBoundingClientRect();"
        "return [left, right]"
    )
    left, right = page.run(edges)
    assert 0 <= left and right <= 360
    page.open("scoreboard/1")
    page.until_live()
    fade = 40
    page.until(lambda: page.run(sides) == "start end", "the middle of the list")
    left, right = page.run(edges)
    assert fade <= left and right <= 360 - fade


def test_each_heading_is_there_once(page):
    for screen in ("profile", "podcasts", "scoreboards"):
        page.open(screen)
        page.until_live()
        headings = page.run(
            "return [...document.querySelectorAll('h1, h2, h3')].filter((it) => it.checkVisibility())"
            ".map((it) => it.textContent)"
        )
        assert len(headings) == len(set(headings)), screen


def test_a_long_name_is_read_in_full_beside_the_screen(page):
    page.open("form/1")
    page.until(lambda: page.has_link("Join the Lindenhof co-operative"), "a long name")
    cut = "[...document.querySelectorAll('#switcher a')].filter((it) => it.scrollWidth > it.clientWidth)"
    assert page.run(f"return {cut}.map((it) => it.textContent)") == []
