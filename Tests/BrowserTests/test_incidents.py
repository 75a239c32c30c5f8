"""The panel of the inspector that lists what has gone wrong."""

import late_answer
import pytest


@pytest.fixture
def loaded(page):
    page.open_loaded(1)
    return page


def fail(server, code):
    """Makes the next load of the posts fail, and begins it."""
    server.script_faults("posts", "1", [{"code": code, "detail": "No <b>view</b>."}], 0)
    server.command("profile/1", type="loadPosts")


def incidents(page) -> list:
    return page.run("return [...document.querySelectorAll('#panels .incidents > li')].map((it) => it.innerText)")


def test_what_went_wrong_is_listed(loaded, server):
    fail(server, "fog")
    loaded.until(lambda: len(incidents(loaded)) == 1, "an incident")
    assert not loaded.look("document.querySelector('.panel:has(.incidents) > p').checkVisibility()")
    assert "posts: fog" in incidents(loaded)[0] and "No <b>view</b>." in incidents(loaded)[0]


def test_an_action_that_the_state_does_not_allow_is_listed_although_it_changes_nothing(loaded, server):
    server.script_faults("posts", "1", ["hang"], 0)
    server.command("profile/1", type="loadPosts")
    loaded.until(lambda: "posts/loading" in loaded.rows, "the load")
    loaded.run("""
        const buttons = [...document.querySelectorAll("#panels .plain-command button")];
        buttons.find((it) => it.textContent === "loadPosts").click();
    """)
    loaded.until(lambda: "loadPosts: nothing to do" in loaded.inspector, "the answer")
    loaded.until(lambda: len(incidents(loaded)) == 1, "an incident")


def test_an_answer_that_is_late_takes_no_incident_from_the_list(loaded, server):
    late_answer.hold(loaded, "/incidents")
    fail(server, "fog")
    loaded.until(lambda: loaded.look("asked") >= 1, "the first answer")
    fail(server, "snow")
    loaded.until(lambda: len(incidents(loaded)) == 2, "both incidents")
    late_answer.give(loaded)
    assert len(incidents(loaded)) == 2
