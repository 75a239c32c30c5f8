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


def test_the_title_of_a_section_slides_with_the_rows(page, server):
    page.open("catalog/1")
    page.until_live()
    page.until_still()
    page.run(WATCH_TITLE)
    operations = [{"operation": "deleteItems", "ids": [page.rows[0]]}]
    server.command("catalog/1", type="apply", operations=operations)
    page.until(lambda: page.run("return jumps.length"), "the end of an item above the title")
    assert all(abs(jump) < 1 for jump in page.run("return jumps")), page.run("return jumps")


# How far the last title is seen from its place, at once after each change.
WATCH_TITLE = """
window.jumps = [];
const title = [...document.querySelectorAll(".section > h3")].at(-1);
const before = title.getBoundingClientRect().top;
new MutationObserver(() => jumps.push(title.getBoundingClientRect().top - before))
  .observe(document.getElementById("rows"), { subtree: true, childList: true });
"""


def test_a_row_that_fades_out_fits_into_a_window_that_is_turned(page, server):
    page.resize(844, 390)
    page.open_loaded(1)
    page.until_still()
    page.run(PAUSE_ANIMATIONS)
    server.request("PATCH", "/v1/users/1", {"website": None})
    ghost = "return document.querySelector('.ghosts > .row') !== null"
    page.until(lambda: page.run(ghost), "a row that fades out")
    page.resize(390, 844)
    assert page.run(ghost) and too_wide(page, 390) == []


PAUSE_ANIMATIONS = """
const { animate } = Element.prototype;
Element.prototype.animate = function (...options) {
  const animation = animate.apply(this, options);
  animation.pause();
  return animation;
};
"""
