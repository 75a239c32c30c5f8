"""All screens of the server."""

import json
import shlex

import pytest
from clock import CLOCK, pass_time
from selenium.webdriver.common.keys import Keys
from server import Server


def screens(server):
    return [screen["name"] for screen in server.request("GET", "/v1/view-models")["screens"]]


def test_each_screen_can_be_gone_to_and_left_again(page, server):
    names = screens(server)
    assert len(names) >= 5
    page.open("profile/1")
    titles = []
    current = "document.querySelector('#switcher ul:not(.keys) [aria-current]').getAttribute('href')"
    for name in names:
        page.run("document.querySelector(`#switcher a[href='#${arguments[0]}']`).click()", name)
        page.until(lambda: page.look(current) == f"#{name}" and page.rows, f"rows of {name}")
        page.until_live()
        assert shown(page).split("/")[0] == name
        titles.append(page.run("return document.getElementById('title').textContent"))
    assert len(set(titles)) == len(names)
    page.driver.back()
    page.until(lambda: shown(page).split("/")[0] == names[-2], "the screen before")


NOTE_REQUESTS = """
window.asked = [];
const send = window.fetch;
window.fetch = (input, init) => {
  asked.push(new URL(input, location).pathname);
  return send(input, init);
};
"""


def test_a_view_model_that_is_not_there_is_said_to_be_gone(page):
    with page.at_each_load(CLOCK + NOTE_REQUESTS):
        page.driver.get(f"{page.base}/#profile/nobody")
    page.until(lambda: page.connection == "gone", "to be told")
    assert page.banner == "There is no “profile/nobody”."
    assert not page.run("return document.getElementById('refresh').checkVisibility()")
    page.until(lambda: "Incidents" in page.inspector, "the inspector")
    pass_time(page, 1000)
    assert [path for path in page.run("return asked") if path.endswith("nobody")] == ["/v1/view-models/profile/nobody"]
    assert not any("nobody/" in path for path in page.run("return asked"))
    # The browser itself logs the 404 to the console.
    assert all("404" in error for error in page.leave())


def test_a_page_of_the_settings_that_is_not_there_is_named_without_the_session(page):
    page.driver.get("about:blank")
    page.driver.get(f"{page.base}/#settings/nothing")
    page.until(lambda: page.connection == "gone", "to be told")
    assert page.banner == "There is no “settings/nothing”."
    # The browser itself logs the 404 to the console.
    assert all("404" in error for error in page.leave())


def test_what_is_gone_is_not_edited(page, server):
    page.open("scoreboard/3")
    page.until_live()
    page.find("#edit").click()
    assert page.look("document.getElementById('edit').ariaPressed") == "true"
    server.request("DELETE", "/v1/scoreboards/3")
    page.until(lambda: page.connection == "gone", "to be told")
    hidden = "return ['edit', 'edits'].every((id) => document.getElementById(id).hidden)"
    assert page.run(hidden)
    assert page.run("return document.activeElement.id") == "rows"
    # The browser itself logs the 410 to the console.
    assert all("410" in error for error in page.leave())


def test_what_was_gone_and_is_back_is_shown_again_if_the_user_asks(page, server):
    page.open("scoreboard/3")
    page.until_live()
    server.request("DELETE", "/v1/scoreboards/3")
    page.until(lambda: page.connection == "gone", "to be told")
    text = "This view no longer exists. Its last state is shown."
    assert [line for line in page.banner.split("\n") if line] == [text, "Retry now"]
    server.request("POST", "/v1/scoreboards", {"id": 3, "title": "Restored"})
    page.click("#banner button")
    page.until(lambda: "Restored" in page.find("#rows").text, "the view")
    page.until_live()
    assert page.banner == ""
    # The browser itself logs the 410 to the console.
    assert all("410" in error for error in page.leave())


def test_without_scripts_nothing_seems_to_load(page):
    page.driver.get("about:blank")
    page.browser_command("Emulation.setScriptExecutionDisabled", value=True)
    try:
        page.driver.get(page.base)
        page.until(lambda: "needs JavaScript" in page.find("main").text, "the reason")
        assert page.find("body").text.split("\n") == [
            "ViewDelta", "This page shows screens as they change, which needs JavaScript."]
    finally:
        page.browser_command("Emulation.setScriptExecutionDisabled", value=False)


def test_a_screen_that_is_not_there_gives_way_to_the_first(page):
    page.driver.get("about:blank")
    page.driver.get(f"{page.base}/#nonsense/7")
    toasts = "return document.getElementById('toasts').textContent"
    # At first, because it stays for some seconds only.
    page.until(lambda: page.run(toasts) == "There is no screen “nonsense”.", "a message")
    page.until(lambda: page.rows, "the first screen")
    assert shown(page) == "profile"
    page.until_live()
    page.press(Keys.ESCAPE)
    assert page.run(toasts) == ""
    # The browser logs the 404 of what the page has asked for ahead.
    assert all("404" in error for error in page.leave())


@pytest.mark.parametrize(
    "address", ["form/@", "form/..@0123456789012345678901", "form/%2F", "profile/%00", "profile/.", "%"])
def test_a_malformed_address_is_reported_and_leaves_the_navigation_alone(page, address):
    page.driver.get("about:blank")
    page.driver.get(f"{page.base}/#{address}")
    toasts = "return document.getElementById('toasts').textContent"
    page.until(lambda: page.run(toasts) == f"There is no view “{address}”.", "a message")
    page.until(lambda: page.rows and shown(page) == "profile", "the first screen")
    page.run("location.hash = '#scoreboard/1'")
    page.until(lambda: "Scoreboard" in page.driver.title, "the next screen")
    page.until_live()


def test_the_list_of_screens_is_asked_for_until_it_comes(page):
    spoiled = """
        const send = window.fetch;
        let count = 0;
        window.fetch = (input, init) => {
          const isList = new URL(input, location).pathname === "/v1/view-models";
          return isList && count++ === 0 ? Promise.resolve(Response.json({ login: "required" })) : send(input, init);
        };
    """
    with page.at_each_load(CLOCK + spoiled):
        page.driver.get("about:blank")
        page.driver.get(f"{page.base}/#scoreboard/1")
    page.until(lambda: page.banner, "a message")
    pass_time(page, 2000)
    page.until(lambda: page.rows, "rows")
    page.until_live()
    assert page.banner == ""


def test_the_navigation_follows_those_who_come_and_go(page, server):
    page.open_loaded(1)
    page.until(lambda: page.has_link("ada"), "the first keys")
    user = server.request("POST", "/v1/users", {"username": "Newcomer"})["id"]
    page.run("document.querySelector('#switcher .keys a').focus()")
    page.until(lambda: page.has_link("Newcomer"), "a link to the newcomer")
    assert page.look("document.activeElement.textContent") == "ada"
    page.run(f"location.hash = '#profile/{user}'")
    page.until(lambda: "Newcomer" in page.text("profile/header"), "the profile")
    page.until_live()
    server.request("DELETE", f"/v1/users/{user}")
    page.until(lambda: page.connection == "gone", "the end of the profile")
    page.until(lambda: not page.has_link("Newcomer"), "the end of the link")
    # The browser logs what is asked of it after its end.
    page.leave()


def test_keys_that_come_late_choose_no_key_for_another_screen(page):
    page.open("scoreboards/all")
    page.until_complete()
    page.run("""
        window.held = {};
        window.asked = [];
        const send = window.fetch;
        window.fetch = async (input, init) => {
          const [, list] = /v1\\/(users|listeners)\\?/.exec(input) ?? [];
          if (list) await new Promise((resolve) => { held[list] = resolve; });
          asked.push(String(input));
          return send(input, init);
        };
        location.hash = "#profile";
    """)
    page.until(lambda: page.look("'users' in held"), "the first question")
    page.run("location.hash = '#podcasts'")
    page.until(lambda: page.look("'listeners' in held"), "the second question")
    page.run("held.users()")
    page.until(lambda: page.run("return performance.getEntriesByType('resource')"
                                ".some(({ name, responseEnd }) => name.includes('/users?') && responseEnd > 0)"), "users")
    page.driver.execute_async_script("const [done] = arguments; requestAnimationFrame(() => requestAnimationFrame(done))")
    assert [path for path in page.look("asked") if "/podcasts/" in path] == []
    page.run("held.listeners()")
    page.until(lambda: "podcast/1" in page.rows, "the podcasts of the first listener")


def test_the_colours_that_a_user_has_chosen_are_shown_after_a_reload(page):
    page.open("form/1")
    page.run("for (const press of [1, 2]) document.getElementById('theme').click()")
    page.open("form/1")
    chosen = "[document.documentElement.dataset.theme, document.getElementById('theme').ariaLabel]"
    assert page.look(chosen) == ["dark", "Colours: dark"]


def test_no_screen_is_wider_than_the_window(page, server):
    for name in screens(server):
        page.open(f"{name}")
        page.until_live()
        for width in (360, 768, 1280):
            page.resize(width, 800)
            page.until(lambda: page.look(f"matchMedia('(width: {width}px)').matches"), "the width")
            wide = page.run(
                "return [...document.querySelectorAll('main, main *')].filter((it) =>"
                " it.getBoundingClientRect().right > arguments[0] + 1 && it.checkVisibility())"
                ".map((it) => it.outerHTML.slice(0, 120))",
                width,
            )
            assert wide == [], f"{name}, {width}"
            assert page.run("return document.documentElement.scrollWidth") <= width, f"{name}, {width}"


def test_a_website_is_a_link_to_the_web_or_a_text(page, server):
    page.open_loaded(1)
    link = "return rowOf('profile/website').querySelector('a')?.getAttribute(arguments[0])"
    for website, address in {
        "web.example.net": "https://web.example.net/",
        "javascript:alert(1)": None,
        "http://ada.example.net/a?b#c": "http://ada.example.net/a?b#c",
        "ftp://ada.example.net": None,
        "data:text/html,x.y": None,
    }.items():
        server.request("PATCH", "/v1/users/1", {"website": website})
        page.until(lambda: website in page.text("profile/website"), website)
        assert page.run(link, "href") == address
        assert page.run(link, "rel") == (address and "noopener noreferrer")


def test_people_read_neither_pointers_nor_backticks(page):
    page.open("scoreboard/1")
    page.until_live()
    page.until(lambda: "setScore" in page.inspector, "the commands")
    assert "`" not in page.inspector
    form = (
        "const form = [...document.querySelectorAll('#panels .command')]"
        ".find((it) => it.textContent.startsWith('setScore')).querySelector('form');"
        "[...form.elements].forEach((it) => { it.value = `x's`; }); form.requestSubmit();"
    )
    page.run(form)
    toast = "return document.getElementById('toasts').textContent"
    page.until(lambda: page.run(toast).startswith("Score: "), "a message")
    assert "/" not in page.run(toast)
    line = page.find("#panels code[aria-label='The last command']").text
    assert json.loads(shlex.split(line)[2]) == {"type": "setScore", "player": "x's", "score": "x's"}
    page.console_errors(but=("422",))


def shown(page):
    return page.run("return decodeURIComponent(location.hash.slice(1))")


def test_a_view_without_rows_is_said_to_be_empty(page, tmp_path):
    file = tmp_path / "todos.json"
    file.write_text('{"todos": []}')
    server = Server("--data", str(file)).start()
    page.base = server.base
    nothing = "document.getElementById('nothing').innerText"
    try:
        page.driver.get(f"{page.base}/#collection/todos")
        page.until(lambda: page.look(nothing) == "There is nothing to show.", "a text in place of rows")
        page.until_inspected()
        headings = "[...document.querySelectorAll('.panel > h3')].filter((it) => it.checkVisibility())"
        seen = page.run(f"return {headings}.map((it) => it.innerText)")
        assert "Incidents" in seen and "Commands" not in seen
        assert page.look("document.querySelector('.panel[aria-label=\"State machines\"]').hidden")
        server.request("POST", "/v1/collections/todos", {"title": "Bread"})
        page.until(lambda: page.rows and page.look(nothing) == "", "a row in place of the text")
        page.driver.get("about:blank")
    finally:
        server.kill()
