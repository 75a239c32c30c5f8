"""Pictures and links: those of the server, and those of others."""

import http.server
import threading

import pytest
from page import Page
from server import Server

PICTURE = b'<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path d="M0 0h8v8H0z"/></svg>'


@pytest.fixture
def pictures():
    """Another server, which has one picture, and the list of what it was asked for."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "image/svg+xml")
            self.send_header("Content-Length", str(len(PICTURE)))
            self.end_headers()
            self.wfile.write(PICTURE)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()


def width(page, row: str) -> int:
    """The width of the drawn picture of a row in its own pixels; 0 if there is none."""
    return page.run("return rowOf(arguments[0])?.querySelector('img')?.naturalWidth ?? 0", row)


def link(page, row: str, attribute: str, part: str = ".avatar") -> str | None:
    """An attribute of the link in a part of a row."""
    script = "return rowOf(arguments[0])?.querySelector(`${arguments[1]} a`)?.getAttribute(arguments[2])"
    return page.run(script, row, part, attribute)


def test_the_pictures_of_the_demo_are_drawn_and_open(page, server):
    page.open_loaded(1)
    page.until(lambda: width(page, "profile/header") > 0, "the avatar")
    assert link(page, "profile/header", "href") == f"{page.base}/pictures/ada.svg"
    assert link(page, "profile/header", "rel") == "noopener noreferrer"
    page.open("podcasts/1")
    page.until(lambda: width(page, "podcast/1") > 0, "the artwork")
    assert link(page, "podcast/1", "href", "h3") == "https://example.com/podcasts/small-diffs"
    assert link(page, "podcast/1", "rel", "h3") == "noopener noreferrer"
    assert link(page, "podcast/3", "href", "h3") is None


def test_a_picture_follows_each_write(page, server):
    page.open_loaded(1)
    page.until(lambda: width(page, "profile/header") > 0, "the avatar")
    server.request("PATCH", "/v1/users/1", {"avatarURL": "/pictures/none.svg"})
    failed = "The picture cannot be loaded."
    page.until(lambda: link(page, "profile/header", "title") == failed, "the initials")
    assert page.text("profile/header").startswith("A")
    server.request("PATCH", "/v1/users/1", {"avatarURL": "/pictures/chiyo.svg"})
    page.until(lambda: width(page, "profile/header") > 0, "another avatar")
    assert link(page, "profile/header", "title") is None
    server.request("PATCH", "/v1/users/1", {"avatarURL": None})
    page.until(lambda: link(page, "profile/header", "href") is None, "no link")
    assert width(page, "profile/header") == 0
    # The browser logs the file that is not there.
    assert all("none.svg" in error for error in page.console_errors())


def test_a_picture_of_another_server_is_not_asked_for_unless_the_operator_names_it(
    page, driver, server, pictures
):
    host, asked = pictures
    address = f"http://{host}/eve.svg"
    server.request("PATCH", "/v1/users/1", {"avatarURL": address})
    page.open_loaded(1)
    why = f"Pictures from {host} are not shown"
    page.until(lambda: (link(page, "profile/header", "title") or "").startswith(why), "the reason")
    assert link(page, "profile/header", "href") == address
    assert width(page, "profile/header") == 0 and asked == []

    other = Server("--image-host", host).start()
    try:
        other.request("PATCH", "/v1/users/1", {"avatarURL": address})
        shown = Page(driver, other.base)
        shown.open_loaded(1)
        shown.until(lambda: width(shown, "profile/header") == 8, "the picture")
        assert asked == ["/eve.svg"]
        driver.get("about:blank")
    finally:
        other.kill()
