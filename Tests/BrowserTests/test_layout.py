"""The layout of the page: nothing is wider than the window, and nothing jumps."""

import pytest
import specimens


def test_there_are_specimens_of_all_types_of_rows(server):
    schemas = server.request("GET", "/openapi.json")["components"]["schemas"]
    shown = {row["type"] for rows in specimens.SECTIONS.values() for row in rows}
    assert set(schemas["Row"]["discriminator"]["mapping"]) - shown == set()


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_no_row_is_wider_than_the_window_however_long_its_words(page, width):
    page.resize(width, 844)
    page.open("catalog/1")
    page.until_live()
    specimens.show(page, specimens.stretched)
    assert too_wide(page, width) == []


def too_wide(page, width: int) -> list:
    """The rows that are wider than their box, and the window if anything is wider than that."""
    return page.run(
        """
        const wide = [...document.querySelectorAll("[data-row], .stage-head, .banner, .panel, .toast")]
          .filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.dataset.type ?? it.textContent);
        const { scrollWidth } = document.documentElement;
        return scrollWidth > arguments[0] ? [...wide, `window: ${scrollWidth}`] : wide;
        """,
        width,
    )
