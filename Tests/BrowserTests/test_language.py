"""Rows in the language of the server, on a page in English."""

import json

import pytest
from server import Server


@pytest.fixture
def server():
    """A German server, in place of the English one."""
    server = Server("--faults", "--latency", "150ms", "--language", "de").start()
    yield server
    server.kill()


def test_rows_are_in_the_language_of_the_server_and_say_so(page, server):
    page.open_loaded(1)
    languages = "return [document.documentElement.lang, document.getElementById('rows').lang]"
    assert page.run(languages) == ["en", "de"]
    assert "42 Freunde" in page.text("profile/header")
    assert page.text("posts/header") == "Beiträge"
    assert page.text("profile/location").split("\n")[0] == "Ort"
    assert "1. März 2026" in page.text("post/3")
    date = "return rowOf('post/3').querySelector('time').getAttribute('datetime')"
    assert page.run(date) == "2026-03-01T09:30:00Z"
    server.script_faults("posts", "1", ["fail"], 0)
    server.command("profile/1", type="loadPosts")
    page.until(lambda: "posts/error" in page.rows, "the failure")
    for text in ("Die Beiträge konnten nicht geladen werden.", "Erneut versuchen"):
        assert text in page.text("posts/error")


def test_numbers_and_counts_are_those_of_the_server(page, server):
    server.command("scoreboard/1", type="setScore", player=2, score=12345)
    page.open("scoreboards/all")
    page.until_live()
    assert "Jonas führt mit 12.345" in page.text("board/1")
    assert "4 Spieler" in page.text("board/1") and "Entfernen" in page.text("board/1")
    page.open("scoreboard/1")
    page.until_live()
    assert "12.345" in page.text("player/2")
    rank = "return rowOf('player/2').querySelector('.rank + .hidden').textContent"
    assert page.run(rank) == "Platz 1"


def test_podcasts_say_what_a_refresh_does(page):
    page.open("podcasts/1")
    page.until(lambda: any(row.startswith("podcast/") for row in page.rows), "podcasts")
    assert "Bleibt sichtbar, während neu geladen wird" in page.text("podcasts/header")
    page.act("podcasts/header")
    page.until(lambda: "Verschwindet" in page.text("podcasts/header"), "the other policy")


def test_rows_of_an_unknown_type_show_the_text_in_place_of_its_value(page, tmp_path):
    todo = {"id": 1, "title": "Bread", "due": "2026-11-22", "dueText": "22 November", "isDone": True}
    place = {"city": 1, "cityText": "Lagos"}
    file = tmp_path / "todos.json"
    file.write_text(json.dumps({"todos": [{**todo, "place": place, "loneText": "Alone"}]}))
    server = Server("--data", str(file)).start()
    page.base = server.base
    try:
        page.open("collection/todos")
        page.until_live()
        pairs = page.run(
            "return [...document.querySelectorAll('.pairs > div')].map((it) => it.innerText)"
        )
        shown = dict(pair.split("\n", 1) for pair in pairs)
        texts = {"Due": "22 November", "Is done": "✓", "Lone text": "Alone", "Place": "City: Lagos"}
        assert shown == {"id": "1", **texts}
        # What the clients wrote is in no language that the server knows.
        assert page.run("return document.getElementById('rows').lang") == ""
        page.driver.get("about:blank")
    finally:
        server.kill()
