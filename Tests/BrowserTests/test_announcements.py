"""What is announced to screen readers."""

import pytest
from clock import CLOCK, pass_time
from selenium.webdriver.common.keys import Keys
from test_connection import HOLD_COMMANDS
from test_form import value


@pytest.fixture
def loaded(page, server):
    page.open_loaded(1)
    page.until_told(server)
    return page


def test_a_post_is_announced_by_its_title(loaded, server):
    row = server.add_post(1, "Be told")
    loaded.until(lambda: loaded.announcement == "Post “Be told” added.", "an announcement")
    assert loaded.run("return document.getElementById('announcer').ariaLive") == "polite"
    post = f"/v1/users/1/posts/{row.split('/')[1]}"
    server.request("PATCH", post, {"title": "Be told twice"})
    renamed = "“Be told” is now “Be told twice”."
    loaded.until(lambda: loaded.announcement == renamed, "the new title")
    server.request("DELETE", post)
    loaded.until(lambda: loaded.announcement == "Post “Be told twice” removed.", "the end")


def test_a_text_without_a_full_stop_is_told_as_a_sentence(page, server):
    user = server.request("POST", "/v1/users", {"username": "Nobody yet"})["id"]
    # So that no later announcement takes the place of this one.
    server.script_faults("profile", user, ["hang"], 0)
    page.open(f"profile/{user}")
    told = "No posts yet."
    page.until(lambda: told in page.announcement, "an announcement")


def test_of_many_changes_the_first_few_are_named(page, server):
    page.open("catalog/1")
    page.until_live()
    items = [{"id": f"new{number}", "title": f"Volume {number}"} for number in range(6)]
    server.command("catalog/1", type="apply", operations=[{"operation": "appendItems", "items": items}])
    told = "“Volume 0”, “Volume 1”, “Volume 2” and 3 more added."
    page.until(lambda: told in page.announcement, "an announcement")


def test_of_items_that_are_loaded_the_items_alone_are_told_at_the_end(page, server):
    page.open("catalog/1")
    page.until_live()
    item = {"id": "coasts", "title": "Coasts", "loadsChildren": True}
    item["children"] = [{"id": "north", "title": "North"}]

    def apply(operation, **arguments):
        server.command("catalog/1", type="apply", operations=[{"operation": operation, **arguments}])

    apply("appendItems", items=[item])
    page.until(lambda: page.announcement.endswith("Catalog item “Coasts” added."), "the item")
    server.script_faults("children", "1", ["fail"], 0)
    apply("expandItems", ids=["coasts"])
    failure = "Children failed. Couldn't load the items."
    page.until(lambda: page.announcement.startswith(failure), "the failure")
    apply("expandItems", ids=["coasts"])
    page.until(lambda: "added" in page.announcement, "the items below")
    assert page.announcement == "Catalog item “North” added."
    apply("collapseItems", ids=["coasts"])
    page.until(lambda: page.announcement == "Catalog item “North” removed.", "the end of the items below")


def test_a_score_is_announced_with_the_name_and_the_rank(page, server):
    page.open("scoreboard/1")
    page.until_live()
    server.command("scoreboard/1", type="setScore", player=3, score=302)
    page.until(lambda: "“Keiko”: Rank 1, 302." in page.announcement, "an announcement")
    assert "“Imani”: Rank 2." in page.announcement
    page.open("scoreboards/all")
    page.until_live()
    server.command("scoreboard/1", type="setScore", player=2, score=303)
    leads = "“Sunday darts”: Jonas leads with 303."
    page.until(lambda: leads in page.announcement, "who leads")


def test_a_form_that_is_refused_names_the_fields_and_leads_to_the_first(page):
    page.open("form/1")
    page.until_live()
    page.act("send")
    page.until(lambda: page.focus == "name", "the focus on the first field with an error")
    told = "To be corrected: Name, E-mail, Date of birth, "
    page.until(lambda: told in page.announcement, "the names of the fields")
    page.type("[data-row='name'] input", "Ada", Keys.TAB)
    page.until(lambda: "name/error" not in page.rows, "the end of its error")
    # Safari gives a button that is pressed no focus.
    page.run("document.activeElement.blur(); rowOf('send').querySelector('button').click()")
    page.until(lambda: page.focus == "email", "the focus on the next field with an error")


def test_a_form_that_is_refused_leaves_the_focus_to_a_user_who_has_gone_on(page):
    page.open("form/1")
    page.until_live()
    page.run(HOLD_COMMANDS)
    page.run("rowOf('send').querySelector('button').click(); rowOf('skills').querySelector('input').focus()")
    page.run("held.shift()()")
    page.until_answered()
    assert "name/error" in page.rows and page.focus == "skills"


def test_what_a_user_enters_is_not_announced_even_if_its_change_comes_before_the_reply(page, server):
    with page.at_each_load(CLOCK):
        page.open("form/1")
    page.until_live()
    own = page.run("return decodeURIComponent(location.hash)")[1:]
    page.run("""
        window.isShown = false;
        const gate = new Promise((resolve) => { window.release = resolve; });
        const { dispatchEvent } = EventTarget.prototype;
        EventTarget.prototype.dispatchEvent = function (event) {
          try {
            return dispatchEvent.call(this, event);
          } finally {
            if (event.type === "change" && event.detail?.via === "events") isShown = true;
          }
        };
        const send = window.fetch;
        window.fetch = async (input, init) => {
          const answer = await send(input, init);
          if (init?.method === "POST") await gate;
          return answer;
        };
        window.said = [];
        const host = document.getElementById("announcer");
        new MutationObserver(() => said.push(host.textContent)).observe(host, { childList: true });
    """)
    page.type("[data-row='name'] input", "Ada", Keys.TAB)
    page.until(lambda: page.look("isShown"), "the change")
    # A change without a command is announced sooner.
    pass_time(page, 800)
    page.run("release()")
    server.command(own, type="didChange", row="phone", value="030 901820")
    page.until(lambda: "“Phone”: +4930901820." in page.announcement, "what another client has entered")
    assert "Ada" not in "".join(page.run("return said"))


def test_a_message_is_read_without_those_before_it(page):
    page.open("form/1")
    toasts = page.browser_command("Runtime.evaluate", expression="document.getElementById('toasts')")["result"]
    nodes = page.browser_command("Accessibility.getPartialAXTree", objectId=toasts["objectId"])["nodes"]
    properties = {it["name"]: it["value"]["value"] for it in nodes[0]["properties"]}
    assert (properties["live"], properties["atomic"]) == ("assertive", False)


def test_changes_without_a_pause_are_told_all_the_same(loaded, server):
    loads = loaded.announcement

    def is_told():
        server.add_post(1, "One of many")
        return loaded.announcement != loads

    loaded.until(is_told, "the news, although they go on")
