"""Screenshots for manual review: all screens, and all rows in all their states, in each appearance."""

import base64

import pytest
import specimens

SIZES = {"phone": (390, 844), "desktop": (1440, 900)}
APPEARANCES = {
    "phone": {
        "light": ({}, "ltr"),
        "dark": ({"prefers_color_scheme": "dark"}, "ltr"),
        "forced-colors-dark": ({"prefers_color_scheme": "dark", "forced_colors": "active"}, "ltr"),
    },
    "desktop": {
        "light": ({}, "ltr"),
        "rtl": ({}, "rtl"),
        "forced-colors": ({"forced_colors": "active"}, "ltr"),
    },
}


@pytest.fixture
def take(page, screenshots):
    """Takes a picture of the whole page."""

    def take(name):
        page.make_still()
        sides = page.run(
            "const { scrollWidth: width, scrollHeight: height } = document.documentElement;"
            "return { width, height };"
        )
        clip = {"x": 0, "y": 0, "scale": 1, **sides}
        picture = page.browser_command("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        file = screenshots / f"{name}.png"
        file.write_bytes(base64.b64decode(picture["data"]))
        assert file.stat().st_size > 10_000

    return take


@pytest.mark.parametrize("size, scheme", [("phone", "dark"), ("desktop", "light")])
def test_pictures_of_all_screens(page, server, take, size, scheme):
    page.resize(*SIZES[size])
    page.emulate_media(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
    for screen in server.request("GET", "/v1/view-models")["screens"]:
        page.open(screen["name"])
        page.until_live()
        page.until(lambda: not any(row.endswith("/loading") for row in page.rows), "the loads' end")
        page.until(lambda: size == "phone" or "Start" in page.inspector, "the history")
        page.until_inspected()
        take(f"{screen['name']}-{size}-{scheme}")


@pytest.mark.parametrize("size", SIZES)
def test_pictures_of_all_rows_in_all_states(page, take, size):
    page.resize(*SIZES[size])
    page.emulate_media(prefers_reduced_motion="reduce")
    page.open("scoreboards/all")
    page.until_live()
    specimens.show(page)
    for appearance, (media, direction) in APPEARANCES[size].items():
        page.emulate_media(prefers_reduced_motion="reduce", **media)
        page.run("document.documentElement.dir = arguments[0]", direction)
        take(f"rows-{size}-{appearance}")
