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
    assert "posts: fog" in incidents(loaded)[0] and "No <b>view</b>." in incidents(loaded)[0]


def test_an_answer_that_is_late_takes_no_incident_from_the_list(loaded, server):
    late_answer.hold(loaded, "/incidents")
    fail(server, "fog")
    loaded.until(lambda: loaded.look("asked") >= 1, "the first answer")
    fail(server, "snow")
    loaded.until(lambda: len(incidents(loaded)) == 2, "both incidents")
    late_answer.give(loaded)
    assert len(incidents(loaded)) == 2
