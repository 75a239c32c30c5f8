"""Screenshots for manual review, in both schemes, on a phone and on a desktop."""

import pytest

SIZES = {"phone": (390, 844), "desktop": (1440, 900)}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_pictures_of_all_screens(page, server, screenshots, size, scheme):
    def take(name):
        page.until(lambda: size == "phone" or "Start" in page.inspector, "the history")
        page.until_still()
        file = screenshots / f"{name}-{size}-{scheme}.png"
        assert page.driver.save_screenshot(str(file))
        assert file.stat().st_size > 10_000

    page.resize(*SIZES[size])
    page.emulate_media(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
    for screen in server.request("GET", "/v1/view-models")["screens"]:
        page.open(screen["name"])
        page.until_live()
        page.until(lambda: not any(row.endswith("/loading") for row in page.rows), "the loads' end")
        take(screen["name"])

    for source in ("profile", "posts"):
        server.script_faults(source, "2", ["succeed", "fail"], 60_000)
    page.open("profile/2")
    page.until(lambda: "posts/loading" in page.rows, "a load")
    take("loading")
    for source in ("profile", "posts"):
        server.script_faults(source, "3", ["fail"], 0)
    page.open("profile/3")
    page.until(lambda: {"profile/error", "posts/error"} <= set(page.rows), "two errors")
    take("failed")
