"""The display of loads: in progress, done, failed, retried."""


def test_a_profile_loads_before_ones_eyes(page, server):
    server.script_faults("profile", "1", ["succeed"], 900)
    server.script_faults("posts", "1", ["succeed"], 1200)
    page.open("profile/1")
    page.until(lambda: "posts/loading" in page.rows, "a row that shows the load")
    page.until(lambda: page.text("profile/header").strip(), "the profile")
    page.until(lambda: any(row.startswith("post/") for row in page.rows), "posts")
    assert "posts/loading" not in page.rows


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
