"""Settings on pages that lead to each other."""

import re

import pytest
from selenium.webdriver.common.keys import Keys


@pytest.fixture
def settings(page):
    page.open("settings/general")
    page.until_live()
    return page


def address(page):
    return page.run("return decodeURIComponent(location.hash)")[1:]


def field(page, row):
    return page.find(f"[data-row='{row}'] input")


def test_a_row_leads_to_another_page_and_the_session_stays(settings):
    own = address(settings)
    assert re.fullmatch(r"settings/general@[\w-]{22}", own)
    other = "settings/general@" + 22 * "b"
    settings.open(other)
    settings.until_live()
    settings.click("[data-row='toPrivacy'] a")
    settings.until(lambda: "showsName" in settings.rows, "the other page")
    assert address(settings) == "settings/privacy@" + 22 * "b"
    settings.driver.back()
    settings.until(lambda: "toPrivacy" in settings.rows, "the first page")


def test_the_picture_is_no_larger_than_the_server_says(settings):
    size = (
        "const {width, height} = rowOf('picture').querySelector('img').getBoundingClientRect();"
        "return Math.max(width, height)"
    )
    settings.until(lambda: 0 < settings.run(size) <= 72, "the picture")
    picture = field(settings, "picture")
    picture.clear()
    picture.send_keys("nonsense", Keys.TAB)
    settings.until(lambda: "picture/error" in settings.rows, "an error")
    settings.until(lambda: settings.run(size) == 0, "the end of the picture")


def test_an_offer_is_taken_up_and_goes(settings):
    settings.act("letterOffer")
    settings.until(lambda: "letterOffer" not in settings.rows, "the end of the offer")
    assert "rhythm" in settings.rows
    assert field(settings, "letter").is_selected()
    settings.until_answered()
    # Nothing was entered that could be brought back.
    assert settings.run("return document.getElementById('toasts').innerText") == ""


def test_the_title_of_a_section_is_renamed_and_cleared_in_one_place(settings):
    heading = "return document.querySelector('[data-section=account] > h3').checkVisibility()"
    assert not settings.run(heading)
    title = field(settings, "accountTitle")
    title.clear()
    title.send_keys("Mine", Keys.TAB)
    label = "return document.querySelector('[data-section=account] > ul').ariaLabel"
    settings.until(lambda: settings.run(label) == "Mine", "the new title")
    settings.act("accountTitle")
    settings.until(lambda: title.get_property("value") == "", "the end of the title")
    settings.until(lambda: settings.run(label) is None, "the end of the title")
