"""The layout of the page: nothing is wider than the window, and nothing jumps."""

import pytest
import specimens


def test_there_are_specimens_of_all_types_of_rows(server):
    schemas = server.request("GET", "/openapi.json")["components"]["schemas"]
    shown = {row["type"] for rows in specimens.SECTIONS.values() for row in rows}
    assert set(schemas["Row"]["discriminator"]["mapping"]) - shown == set()


def test_no_row_is_wider_than_the_window_however_long_its_words(page):
    page.open("catalog/1")
    page.until_live()
    specimens.show(page, specimens.stretched)
    for width in (320, 390, 1280):
        page.resize(width, 844)
        assert too_wide(page, width) == []


def test_nothing_around_the_rows_is_wider_than_the_window_either(page, server):
    fog = {"code": "f" * 64, "detail": specimens.LONG}
    server.request("PATCH", "/v1/users/1", {"username": specimens.LONG, "website": specimens.LONG})
    server.request("PUT", "/v1/faults/posts/1", {"outcomes": [], "then": fog, "latencyMilliseconds": 0})
    page.open("profile/1")
    page.until(lambda: {"posts/error", "profile/website"} <= set(page.rows), "an error")
    page.until(lambda: "Start" in page.inspector, "the history")
    page.until(lambda: specimens.LONG in page.inspector, "the incident")
    page.until_inspected()
    problem = {"title": specimens.LONG, **fog}
    page.run("import('/page/toast.js').then((it) => it.showToast(arguments[0]))", problem)
    page.until(lambda: page.run("return document.querySelector('.toast') !== null"), "a message")
    for width in (320, 390, 1280):
        page.resize(width, 844)
        assert too_wide(page, width) == []
    page.run("location.hash = arguments[0]", f"profile/{'9' * 120}")
    page.until(lambda: "There is no" in page.banner, "a view model that is not there")
    for width in (320, 1280):
        page.resize(width, 844)
        assert too_wide(page, width) == []
    assert all("404" in error for error in page.leave())


@pytest.mark.parametrize("width", [320, 390])
def test_letters_of_twice_the_size_fit_on_a_phone_and_break_no_short_name(page, width):
    page.resize(width, 844)
    page.browser_command("Page.setFontSizes", fontSizes={"standard": 32})
    try:
        texts = {
            "scoreboard/1": ["Imani"], "catalog/1": ["The Western Alps"], "settings/general": ["Clear", "5 January 2026"],
        }
        for view_model, whole in texts.items():
            page.open(view_model)
            page.until_live()
            page.make_still()
            assert too_wide(page, width) == [], view_model
            assert [page.run(BROKEN, text) for text in whole] == [[]] * len(whole), view_model
            # The fade beside the current link ends before it.
            link, mask = page.run(FADED)
            assert link <= mask, view_model
        specimens.show(page)
        assert too_wide(page, width) == []
    finally:
        page.browser_command("Page.setFontSizes", fontSizes={"standard": 16})


@pytest.mark.parametrize("height", [420, 600])
def test_the_whole_navigation_is_reached_in_a_low_window(page, server, height):
    for number in range(6):
        server.request("POST", "/v1/users", {"username": f"Person {number}"})
    page.resize(1280, height)
    page.open_loaded(1)
    page.until(lambda: page.has_link("Person 5"), "the last link")
    assert page.run("return document.getElementById('switcher').getBoundingClientRect().bottom") <= height
    for link in page.find_all("#switcher a"):
        page.run("arguments[0].focus()", link)
        top, bottom = page.run("const it = arguments[0].getBoundingClientRect(); return [it.top, it.bottom]", link)
        assert 0 <= top and bottom <= height, link.text
    assert page.run("return scrollY") == 0
    page.run("document.querySelector('#switcher ul a').focus()")


def test_causes_are_read_in_full_on_a_small_phone(page, server):
    page.resize(320, 844)
    page.open_loaded(1)
    page.run("document.getElementById('inspector').open = true")
    page.until_history(server, "profile/1")
    cut = "[...document.querySelectorAll('.timeline .cause')].filter((it) => it.scrollWidth > it.clientWidth)"
    assert page.run(f"return {cut}.map((it) => it.textContent)") == []


def test_each_button_is_large_enough_to_touch(page):
    page.resize(390, 844)
    page.browser_command("Emulation.setTouchEmulationEnabled", enabled=True)
    try:
        page.open("catalog/1")
        page.until_live()
        page.run("document.getElementById('edit').click()")
        small = page.run("""
            return [...document.querySelectorAll("button")].filter((it) => it.checkVisibility())
              .filter((it) => Math.min(it.offsetWidth, it.offsetHeight) < 40).map((it) => it.outerHTML);
        """)
        assert small == []
    finally:
        page.browser_command("Emulation.setTouchEmulationEnabled", enabled=False)


# The words of a text that do not fit into one line.
BROKEN = """
const texts = document.querySelectorAll("[data-row] :is(h3, h4, button, .trail)");
const title = [...texts].find((it) => it.textContent === arguments[0]);
const text = document.createTreeWalker(title, NodeFilter.SHOW_TEXT).nextNode();
return [...text.data.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
  const range = new Range();
  range.setStart(text, index);
  range.setEnd(text, index + word.length);
  return range.getClientRects().length > 1;
}).map(([word]) => word);
"""


# The end of the current link, and the start of the fade at the end of its list.
FADED = """
const link = document.querySelector("#switcher ul [aria-current]");
const list = link.closest("ul");
const [, fade] = /100% - ([\\d.]+)px/.exec(getComputedStyle(list).maskImage) ?? [0, 0];
return [link.getBoundingClientRect().right, list.getBoundingClientRect().right - fade];
"""


def too_wide(page, width: int) -> list:
    """The rows that are wider than their box, and the window if anything is wider than that."""
    return page.run(
        """
        const wide = [...document.querySelectorAll("[data-row], .brand, .stage-head, .banner, .panel, .toast")]
          .filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.dataset.type ?? it.textContent);
        const { scrollWidth } = document.documentElement;
        return scrollWidth > arguments[0] ? [...wide, `window: ${scrollWidth}`] : wide;
        """,
        width,
    )


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_jumps_while_a_page_loads(page, width):
    page.resize(width, 844)
    with page.at_each_load(OBSERVE_SHIFTS):
        for view_model, rows in {"profile/1": {"profile/website", "post/1"}, "form/1": {"name"}}.items():
            page.browser_command("Network.clearBrowserCache")
            page.open(view_model)
            page.until_live()
            page.until(lambda: rows <= set(page.rows), "all rows")
            page.until(lambda: width < 768 or "Start" in page.inspector, "the history")
            page.until_still()
            shifts = page.run("return shifts.map(({ value, sources }) => [value, sources.map(named)])")
            assert sum(value for value, _ in shifts) <= 0.02, shifts


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_jumps_while_a_page_with_rows_is_loaded_again(page, width):
    page.resize(width, 844)
    page.open_loaded(1)
    with page.at_each_load(OBSERVE_SHIFTS + WATCH_LOADS):
        page.open_loaded(1)
        page.until(lambda: page.run("return window.wasLoading === true"), "the load")
        page.until(lambda: "posts/loading" not in page.rows, "the end of the load")
        page.until_still()
        shifts = page.run("return shifts.map(({ value, sources }) => [value, sources.map(named)])")
        assert sum(value for value, _ in shifts) <= 0.02, shifts


# The browser counts what moves without being animated (https://wicg.github.io/layout-instability/).
OBSERVE_SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => shifts.push(...list.getEntries()))
  .observe({ type: "layout-shift", buffered: true });
window.named = ({ node }) => node?.id || node?.className || node?.nodeName;
"""

# The reply to the command brings the load. The stream waits for that: it could bring the load and its end as one change.
WATCH_LOADS = """
const isSeen = new Promise((resolve) => {
  new MutationObserver((_, observer) => {
    if (document.querySelector("[data-row='posts/loading']") === null) return;
    observer.disconnect();
    window.wasLoading = true;
    resolve();
  }).observe(document, { childList: true, subtree: true });
});
const send = window.fetch;
window.fetch = async (input, init) => {
  if (String(input).includes("/events")) await isSeen;
  return send(input, init);
};
"""


def test_the_title_of_a_section_slides_with_the_rows(page, server):
    page.open("catalog/1")
    page.until_live()
    page.make_still()
    page.run(PAUSE_ANIMATIONS)
    page.run(WATCH_TITLE)
    # The second change comes while the first one is still shown.
    for item in page.rows[:2]:
        operations = [{"operation": "deleteItems", "ids": [item]}]
        server.command("catalog/1", type="apply", operations=operations)
        page.until(lambda: item not in page.rows, "the end of an item above the title")
    jumps = page.run("return jumps")
    assert len(jumps) >= 2 and all(abs(jump) < 1 for jump in jumps), jumps


# How far the last title and the row below it are seen from their places, at once after each change.
WATCH_TITLE = """
window.jumps = [];
const title = [...document.querySelectorAll(".section > h3")].at(-1);
const tops = () => [title, title.parentElement.querySelector("[data-row]")].map((it) => it.getBoundingClientRect().top);
const before = tops();
new MutationObserver(() => jumps.push(...tops().map((top, at) => top - before[at])))
  .observe(document.getElementById("rows"), { subtree: true, childList: true });
"""


PAUSE_ANIMATIONS = """
const { animate } = Element.prototype;
Element.prototype.animate = function (...options) {
  const animation = animate.apply(this, options);
  animation.pause();
  return animation;
};
"""


def test_changes_faster_than_their_motions_are_shown_at_once(page, server):
    """Each motion takes time to draw; without a bound, a burst would freeze the page for seconds."""
    # Rows that are not seen have no motions.
    page.resize(1280, 6000)
    items = [{"id": f"new{number}", "title": f"Volume {number}"} for number in range(40)]
    server.command("catalog/1", type="apply", operations=[{"operation": "appendItems", "items": items}])
    page.open("catalog/1")
    page.until_live()
    page.make_still()
    page.run(PAUSE_ANIMATIONS)
    order = page.rows

    def motions():
        order.append(order.pop(0))
        operations = [{"operation": "moveItem", "id": order[-1], "after": order[-2]}]
        server.command("catalog/1", type="apply", operations=operations)
        return page.run("return document.getAnimations().length")

    page.until(lambda: motions() > 400, "as many motions as there may be")
    for _ in range(9):
        motions()
    page.until(lambda: page.rows == order, "the last change")
    assert page.run("return document.getAnimations().length") < 400 + 2 * len(order)
    page.make_still()
    page.record_animations()
    motions()
    page.until(lambda: page.travelled, "a motion after the end of the others")


def test_a_load_beside_a_heading_fades_out_as_it_was_shown(page, server):
    page.open_loaded(1)
    page.make_still()
    page.run(PAUSE_ANIMATIONS)
    server.script_faults("posts", "1", ["hang"], 0)
    page.run("document.getElementById('refresh').click()")
    page.until(lambda: "posts/loading" in page.rows, "the load")
    server.command("profile/1", type="cancelPosts")
    ghost = "document.querySelector('.ghosts > .loading')"
    page.until(lambda: page.look(f"{ghost} !== null"), "the end of the load")
    assert page.run(f"return getComputedStyle({ghost}).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert not page.run(f"return {ghost}.querySelector('.lines').checkVisibility()")


def test_a_row_that_fades_out_fits_into_a_window_that_is_turned(page, server):
    page.resize(844, 390)
    page.open_loaded(1)
    page.make_still()
    page.run(PAUSE_ANIMATIONS)
    server.request("PATCH", "/v1/users/1", {"website": None})
    ghost = "return document.querySelector('.ghosts > .row') !== null"
    page.until(lambda: page.run(ghost), "a row that fades out")
    page.resize(390, 844)
    assert page.run(ghost) and too_wide(page, 390) == []
