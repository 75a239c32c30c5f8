"""What a printer gets."""

import pytest


@pytest.fixture
def printed(page):
    page.open("form/1")
    page.until_live()
    page.browser_command("Emulation.setEmulatedMedia", media="print")
    yield page
    page.browser_command("Emulation.setEmulatedMedia", media="")


def test_a_printed_screen_has_its_rows_and_nothing_to_press(printed):
    parts = ".skip, .switcher, .inspector, .status, .rows button:not(.fold)"
    assert printed.run("return [...document.querySelectorAll(arguments[0])].filter((it) => it.checkVisibility())"
                       ".map((it) => it.className)", parts) == []
    assert printed.run("return rowOf('email').checkVisibility()")


def test_a_printed_form_shows_what_was_entered_and_no_hints(printed):
    exact = "return [...document.querySelectorAll('[role=switch]')].map((it) => getComputedStyle(it).printColorAdjust)"
    assert set(printed.run(exact)) == {"exact"}
    hint = "return getComputedStyle(rowOf('email').querySelector('input'), '::placeholder').color"
    assert printed.run(hint) == "rgba(0, 0, 0, 0)"


def test_a_dark_screen_is_printed_light(printed):
    printed.run("document.documentElement.dataset.theme = 'dark'")
    assert printed.run("return getComputedStyle(document.documentElement).colorScheme") == "light"
