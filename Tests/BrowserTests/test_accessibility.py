"""The page with a keyboard, a screen reader, or high contrast."""

from importlib.resources import files

import pytest
from selenium.webdriver.common.keys import Keys

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text()
OPTIONS = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    },
    # It expects the target of a fragment on the page, but here fragments name view models.
    # The skip link is tested below.
    "rules": {"skip-link": {"enabled": False}},
    # It checks all the same, but describes faults alone, and not all that is right.
    "resultTypes": ["violations"],
}


@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_no_fault_on_any_screen(page, server, width):
    page.resize(width, 900)
    for screen in server.request("GET", "/v1/view-models")["screens"]:
        page.open(screen["name"])
        page.until_live()
        loads = "document.querySelector('.loading, [data-loading]')"
        page.until(lambda: page.look(f"{loads} === null"), "the loads' end")
        page.until(lambda: width < 768 or "Start" in page.inspector, "the history")
        page.until_inspected()
        for scheme in ("light", "dark"):
            page.emulate_media(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
            assert faults(page) == [], f"{screen['name']}, {scheme}"


def test_axe_finds_no_fault_while_a_screen_loads(page, server):
    for source in ("profile", "posts"):
        server.script_faults(source, "1", ["hang"], 0)
    page.open("profile/1")
    page.until(lambda: "posts/loading" in page.rows, "the loads")
    page.until_live()
    page.until_inspected()
    assert faults(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault_in_errors(page, server, scheme):
    page.emulate_media(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
    for source in ("profile", "posts"):
        server.script_faults(source, "1", ["fail"], 0)
    page.open("profile/1")
    page.until(lambda: {"profile/error", "posts/error"} <= set(page.rows), "two errors")
    page.until(lambda: "Start" in page.inspector, "the history")
    page.until_inspected()
    assert faults(page) == []


def test_the_first_stop_of_the_tab_key_leads_past_the_navigation(page):
    page.open_loaded(1)
    page.press(Keys.TAB)
    assert "Skip" in page.run("return document.activeElement.textContent")
    page.press(Keys.ENTER)
    page.until(lambda: page.focus == "rows", "the focus on the rows")
    assert page.look("location.hash") == "#profile/1"


def test_the_focus_stays_where_it_is_when_rows_come_go_and_move(page, server):
    server.script_faults("posts", "1", ["fail"], 0)
    page.open("profile/1")
    page.until(lambda: {"posts/error", "profile/website"} <= set(page.rows), "an error")
    page.until_live()
    page.run("rowOf('posts/error').querySelector('button').focus()")
    server.request("PATCH", "/v1/users/1", {"website": None})
    page.until(lambda: "profile/website" not in page.rows, "a row above to go")
    assert page.focus == "posts/error"
    server.request("PATCH", "/v1/users/1", {"website": "back.example.net"})
    page.until(lambda: "profile/website" in page.rows, "a row above to come")
    assert page.focus == "posts/error"

    page.press(Keys.ENTER)
    page.until(lambda: any(row.startswith("post/") for row in page.rows), "posts")
    assert page.focus != "BODY", "nobody is sent back to the top of the page"


def test_the_focus_moves_with_its_row(page, server):
    page.open("catalog/1")
    page.until_live()
    item, target = page.rows[0], page.rows[-1]
    page.run("rowOf(arguments[0]).querySelector('button').focus()", item)
    operations = [{"operation": "moveItem", "id": item, "after": target}]
    server.command("catalog/1", type="apply", operations=operations)
    page.until(lambda: page.rows[-1] == item, "the item at the end")
    assert page.focus == item


def test_the_focus_stays_near_a_link_or_a_button_that_goes(page, server):
    page.open_loaded(1)
    names = page.run("return [...document.querySelectorAll('#switcher .keys a')].map((it) => it.textContent)")
    link = page.find(f"#switcher .keys a[title='{names[1]}']")
    page.run("arguments[0].focus()", link)
    server.request("DELETE", "/v1/users/2")
    page.run("document.getElementById('switcher').dispatchEvent(new Event('pointerenter'))")
    page.until(lambda: not page.has_link(names[1]), "the end of the link")
    assert page.look("document.activeElement.textContent") == (names[2:] + names[:1])[0]
    page.run("document.getElementById('refresh').focus()")
    server.request("DELETE", "/v1/users/1")
    page.until(lambda: page.connection == "gone", "the end of the profile")
    assert page.focus == "rows"
    # The browser logs what is asked of it after its end.
    page.leave()


def test_a_screen_reader_tells_how_deep_a_row_is(page):
    page.open("form/1")
    levels = "return arguments[0].map((row) => rowOf(row).getAttribute('aria-level'))"
    assert page.run(levels, ["name", "tools", "forWood", "saws"]) == [None, None, "2", "3"]


def test_no_name_is_given_to_an_element_of_which_screen_readers_tell_only_the_text(page):
    page.open("scoreboard/1")
    page.until_live()
    page.until(lambda: "The view model" in page.inspector, "the lines for curl")
    named = "[...document.querySelectorAll(':is(code, div, p, span, strong, time)[aria-label]:not([role])')]"
    assert page.run(f"return {named}.map((it) => it.outerHTML)") == []
    assert page.text("player/1").split()[:2] == ["1", "Rank"]


def test_a_message_stays_for_as_long_as_it_takes_to_read(page):
    page.open("scoreboards/all")
    times = page.driver.execute_async_script("""
        const [lengths, done] = arguments;
        import("/page/toast.js").then(({ showToast }) => {
          const { setTimeout } = window;
          const times = [];
          window.setTimeout = (end, time) => times.push(time);
          for (const length of lengths) showToast({ code: "refused", title: "Refused", detail: "x".repeat(length) });
          window.setTimeout = setTimeout;
          done(times);
        });
    """, [10, 200])
    brief, long = (time / 1000 for time in times)
    assert 5 < brief < 10 and long > 25


def test_what_gets_the_focus_is_not_covered_by_a_message(page):
    page.open("form/1")
    page.until_live()
    covered = page.run("""
        const { showToast } = await import("/page/toast.js");
        showToast(new Error("A long message. ".repeat(20)));
        const message = document.querySelector(".toast").getBoundingClientRect();
        const isAtEnd = () => scrollY + innerHeight > document.documentElement.scrollHeight - 1;
        return [...document.querySelectorAll("#rows :is(button, input, select)")].filter((it) => {
          it.focus();
          const { top, bottom } = it.getBoundingClientRect();
          return (top + bottom) / 2 > message.top && !isAtEnd();
        }).map((it) => it.closest("[data-row]").dataset.row);
    """)
    assert covered == []


def test_another_screen_is_announced_by_its_title(page):
    page.open_loaded(1)
    page.run("document.querySelector(`#switcher a[href='#catalog']`).click()")
    page.until(lambda: page.focus == "title", "the focus on the title")


def faults(page):
    """Returns the findings of axe-core, one line per element."""
    page.make_still()
    if page.look("!('axe' in window)"):
        page.run(AXE)
    result = page.driver.execute_async_script(
        """
        const [options, done] = arguments;
        axe.run(document, options).then(done);
        """,
        OPTIONS,
    )
    return [
        f'{fault["id"]}: {node["html"][:160]} {node["failureSummary"]}'
        for fault in result["violations"]
        for node in fault["nodes"]
    ]
