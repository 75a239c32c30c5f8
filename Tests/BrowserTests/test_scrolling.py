"""Where the page is scrolled to when a screen is opened, left and shown again."""

import pytest


def test_a_screen_opens_at_its_top_and_is_shown_again_where_it_was_left(page):
    page.resize(390, 500)
    page.open_loaded(1)
    page.make_still()
    page.run("scrollTo(0, 400)")
    page.run("location.hash = '#scoreboard/1'")
    page.until(lambda: "player/1" in page.rows, "another screen")
    page.until_live()
    page.until_complete()
    assert scrolled(page) == 0
    page.run("scrollTo(0, 50)")
    page.driver.back()
    page.until(lambda: "profile/website" in page.rows, "the former screen")
    page.until(lambda: scrolled(page) == 400, "the place where it was left")
    page.driver.forward()
    page.until(lambda: "player/1" in page.rows, "the later screen")
    page.until(lambda: scrolled(page) == 50, "its place")
    page.until_answered()
    page.driver.refresh()
    page.until(lambda: "player/1" in page.rows, "the same screen")
    page.until(lambda: scrolled(page) == 50, "its place")


def test_a_user_who_scrolls_while_rows_come_is_not_moved_elsewhere(page):
    come_back_without_rows(page)
    page.run("dispatchEvent(new WheelEvent('wheel')); scrollTo(0, 10); release()")
    page.until(lambda: "profile/website" in page.rows, "the former screen")
    page.until_live()
    page.until_still()
    assert scrolled(page) == 10


def test_a_screen_that_is_left_before_its_rows_come_keeps_its_place(page):
    come_back_without_rows(page)
    page.driver.forward()
    page.run("release()")
    page.until(lambda: "player/1" in page.rows, "the later screen")
    page.driver.back()
    page.until(lambda: "profile/website" in page.rows, "the former screen")
    page.until(lambda: scrolled(page) == 400, "the place where it was left")


def come_back_without_rows(page):
    """Leaves a screen at 400 px, and comes back to it. Its rows come when release() is called."""
    page.resize(390, 500)
    page.open_loaded(1)
    page.make_still()
    page.run("scrollTo(0, 400); location.hash = '#scoreboard/1'")
    page.until(lambda: "player/1" in page.rows, "another screen")
    page.run("""
        const send = window.fetch;
        const gate = new Promise((resolve) => { window.release = resolve; });
        window.fetch = async (...options) => { await gate; return send(...options); };
    """)
    page.driver.back()
    page.until(lambda: page.rows == [], "an empty screen")


def scrolled(page) -> int:
    return page.look("Math.round(scrollY)")


# Notes where the first row that can be seen in full is in each frame.
WATCH = """
window.read = [...document.querySelectorAll("[data-row]")].find((it) => it.getBoundingClientRect().top > 0);
window.tops = new Set();
const look = () => {
  tops.add(Math.round(read.getBoundingClientRect().top));
  requestAnimationFrame(look);
};
look();
"""


# Safari has no scroll anchoring.
@pytest.mark.parametrize("anchoring", ["auto", "none"])
@pytest.mark.parametrize("width", [390, 1000, 1280])
def test_what_a_user_reads_stays_in_place_when_rows_come_and_go_above(page, server, width, anchoring):
    page.resize(width, 500)
    for number in range(10):
        server.add_post(1, f"Post {number}")
    page.open_loaded(1)
    page.make_still()
    page.run("document.documentElement.style.overflowAnchor = arguments[0]; scrollTo(0, 900)", anchoring)
    page.run(WATCH)
    posts = [server.add_post(1, "Above"), server.add_post(1, "Further above")]
    page.until(lambda: all(post in page.rows for post in posts), "more posts")
    server.request("DELETE", f"/v1/users/1/{posts[0].replace('post/', 'posts/')}")
    page.until(lambda: posts[0] not in page.rows, "one to go")
    assert page.rows.index(posts[1]) < page.rows.index(page.run("return read.dataset.row"))
    page.until_still()
    # A browser may scroll by whole pixels alone.
    tops = page.run("return [...tops]")
    assert max(tops) - min(tops) <= 1


@pytest.mark.parametrize("anchoring", ["auto", "none"])
def test_what_a_user_reads_does_not_drift_while_many_rows_come_above(page, server, anchoring):
    page.resize(1280, 500)
    for number in range(10):
        server.add_post(1, f"Post {number}")
    page.open_loaded(1)
    page.make_still()
    page.run("""
        document.documentElement.style.overflowAnchor = arguments[0];
        // Some whole pixels and a part of one.
        const style = new CSSStyleSheet();
        style.replaceSync(".row { height: 90.375px; }");
        document.adoptedStyleSheets = [style];
        scrollTo(0, 900);
        window.read = [...document.querySelectorAll("[data-row]")].find((it) => it.getBoundingClientRect().top > 0);
        window.before = read.getBoundingClientRect().top;
    """, anchoring)
    for number in range(20):
        post = server.add_post(1, f"Above {number}")
        page.until(lambda: post in page.rows, "the post")
    page.until_still()
    assert abs(page.look("read.getBoundingClientRect().top - before")) <= 1


@pytest.mark.parametrize("anchoring", ["auto", "none"])
def test_what_a_user_reads_stays_in_place_when_a_list_becomes_long(page, server, anchoring):
    page.resize(1280, 500)
    for number in range(190):
        server.add_post(1, f"Post {number}")
    page.open_loaded(1)
    page.make_still()
    is_long = "document.querySelector('ul.long') !== null"
    assert not page.look(is_long)
    page.run("document.documentElement.style.overflowAnchor = arguments[0]; scrollTo(0, 8000)", anchoring)
    page.run(WATCH)
    for number in range(20):
        post = server.add_post(1, f"Above {number}")
    page.until(lambda: post in page.rows, "the last post")
    assert page.look(is_long)
    page.until_still()
    tops = page.run("return [...tops]")
    assert max(tops) - min(tops) <= 1
