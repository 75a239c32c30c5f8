"""The display of loads: in progress, done, failed, retried."""

from test_layout import WATCH_LOADS


def test_a_profile_loads_before_ones_eyes(page, server):
    server.script_faults("profile", "1", ["succeed"], 900)
    server.script_faults("posts", "1", ["succeed"], 1200)
    # The page notes it itself, because the test may look when the load has ended.
    with page.at_each_load(WATCH_LOADS):
        page.open("profile/1")
    page.until(lambda: page.run("return window.wasLoading === true"), "a row that shows the load")
    page.until(lambda: page.text("profile/header").strip(), "the profile")
    page.until(lambda: any(row.startswith("post/") for row in page.rows), "posts")
    assert "posts/loading" not in page.rows
    assert page.look("document.getElementById('rows').ariaBusy") == "false"


def test_halves_fail_and_are_tried_again_on_their_own(page, server):
    for source in ("profile", "posts"):
        server.script_faults(source, "1", ["fail"], 50)
    page.open("profile/1")
    page.until(lambda: {"profile/error", "posts/error"} <= set(page.rows), "two errors")
    assert "Couldn't load profile." in page.text("profile/error")
    assert "Couldn't load posts." in page.text("posts/error")

    page.act("posts/error")
    page.until(lambda: any(row.startswith("post/") for row in page.rows), "posts")
    assert "profile/error" in page.rows and "posts/error" not in page.rows

    page.act("profile/error")
    page.until(lambda: "profile/website" in page.rows, "the profile")
    assert "profile/error" not in page.rows


def test_a_list_without_posts_says_so(page, server):
    user = server.request("POST", "/v1/users", {"username": "Nobody yet"})
    page.open(f"profile/{user['id']}")
    page.until(lambda: any("No posts yet" in page.text(row) for row in page.rows), "an empty state")


def test_an_error_says_what_has_happened(page, server):
    """As text: a message from outside never becomes markup."""
    detail = "<img src=x onerror=alert(1)> No view."
    outcomes = [{"code": "fog", "detail": detail}]
    server.script_faults("posts", "1", outcomes, 50)
    # So that no later announcement takes the place of this one.
    server.script_faults("profile", "1", ["hang"], 0)
    page.open("profile/1")
    page.until(lambda: "posts/error" in page.rows, "an error")
    assert [line for line in page.text("posts/error").split("\n") if line][:3] == [
        "Couldn't load posts.",
        detail,
        "Retry",
    ]
    assert page.run("return rowOf('posts/error').querySelector('strong').title") == "fog"
    assert page.find("[data-row='posts/error']").accessible_name == ""
    assert page.run("return rowOf('posts/error').querySelector('img')") is None
    page.until(lambda: f"Couldn't load posts. {detail}" in page.announcement, "the announcement")


def test_a_missing_feed_and_a_malformed_one_differ(page, server):
    listener = server.request("POST", "/v1/listeners", {"name": "Nobody yet"})["id"]
    page.open(f"podcasts/{listener}")
    missing = "The listener has not followed any podcast yet."
    page.until(lambda: missing in page.text("podcasts/error"), "a missing feed")
    podcast = server.request(
        "POST", f"/v1/listeners/{listener}/podcasts", {"title": " "}
    )["id"]
    page.act("podcasts/error")
    malformed = f"The podcast {podcast} has no title."
    page.until(lambda: malformed in page.text("podcasts/error"), "a malformed feed")


def test_a_write_is_shown_behind_a_failure_and_behind_a_load(page, server):
    first, second = (server.add_post(1, title) for title in ("First", "Second"))
    page.open_loaded(1)
    server.script_faults("posts", "1", ["fail", "hang"], 0)
    server.command("profile/1", type="loadPosts")
    page.until(lambda: "posts/error" in page.rows, "an error")
    assert {first, second} <= set(page.rows)
    server.request("DELETE", f"/v1/users/1/posts/{first.split('/')[1]}")
    page.until(lambda: first not in page.rows, "the post to go")
    assert "posts/error" in page.rows and second in page.rows

    server.command("profile/1", type="loadPosts")
    page.until(lambda: "posts/loading" in page.rows, "a load")
    server.request("DELETE", f"/v1/users/1/posts/{second.split('/')[1]}")
    page.until(lambda: second not in page.rows, "the other post to go")
    assert "posts/loading" in page.rows


def test_a_screen_loads_each_time_that_it_appears(page, server):
    def openings(view_model, command):
        history = server.request("GET", f"/v1/view-models/{view_model}/revisions")["revisions"]
        return [it["cause"].get("type") for it in history].count(command)

    page.open("podcasts/1")
    # The command has the name that the description says.
    page.until(lambda: openings("podcasts/1", "load") == 1, "a load of the podcasts")
    assert "load" == next(
        it["opening"]
        for it in server.request("GET", "/v1/view-models")["screens"]
        if it["name"] == "podcasts"
    )
    page.open_loaded(1)
    assert openings("profile/1", "appear") == 1

    def states():
        return set(server.request("GET", "/v1/view-models/profile/1")["states"].values())

    for count, away in [(2, "podcasts/1"), (3, "scoreboards/all")]:
        page.run(f"location.hash = '{away}'")
        page.until(lambda: "profile/header" not in page.rows, "another screen")
        page.run("location.hash = 'profile/1'")
        page.until(lambda: openings("profile/1", "appear") == count, "another load")
        # While it loads, the command has no effect.
        page.until(lambda: states() == {"loaded"}, "the end of the load")


def test_the_opening_command_is_sent_only_for_the_sources_that_it_loads(page):
    script = """
        const { fetch } = window;
        window.sent = [];
        window.fetch = async (input, init) => {
          if (init?.method === "POST") sent.push([JSON.parse(init.body).type, "If-Match" in init.headers]);
          const answer = await fetch(input, init);
          if (!input.endsWith("/v1/view-models")) return answer;
          const list = await answer.json();
          list.screens.find(({ name }) => name === "profile").opens = [];
          return Response.json(list);
        };
    """
    with page.at_each_load(script):
        page.open_loaded(1)
    # It refreshes what comes into view, as if all its sources had been loaded before.
    assert page.run("return sent") == [["appear", False]]
