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


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("view_model", ["profile/1", "form/1"])
def test_nothing_jumps_while_a_page_loads(page, width, view_model):
    page.resize(width, 844)
    page.browser_command("Network.clearBrowserCache")
    with page.at_each_load(OBSERVE_SHIFTS):
        page.open(view_model)
    page.until_live()
    page.until(lambda: page.run("return document.getElementById('rows').ariaBusy") == "false", "rows")
    page.until(lambda: not any("loading" in row for row in page.rows), "the loads' end")
    page.until(lambda: width < 768 or "Start" in page.inspector, "the history")
    page.until_still()
    assert page.run("return shifts.reduce((sum, { value }) => sum + value, 0)") <= 0.02, page.run(SHIFTED)


# The browser counts what moves without being animated (https://wicg.github.io/layout-instability/).
OBSERVE_SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => shifts.push(...list.getEntries()))
  .observe({ type: "layout-shift", buffered: true });
"""
SHIFTED = """
const named = ({ node }) => node?.id || node?.className || node?.nodeName;
return shifts.map(({ value, sources }) => [value, sources.map(named)]);
"""
