"""How much the page asks for until it shows rows."""


def asked(page) -> dict:
    """The paths that the page has asked for, without its own, with the bytes that came over the line."""
    script = "return performance.getEntriesByType('resource').map((it) => [it.name, it.transferSize])"
    sizes = [(name.removeprefix(page.base), size) for name, size in page.run(script)]
    assert len(sizes) == len(dict(sizes)), f"something is asked for twice: {sizes}"
    return dict(sizes)


def test_the_first_rows_take_ten_requests(page):
    page.browser_command("Network.clearBrowserCache")
    page.open("profile/1")
    paths = asked(page)
    assert len(paths) + 1 <= 10, paths
    assert "/v1/view-models" in paths
    scripts = [path for path in paths if path.endswith((".js", ".css"))]
    assert len(scripts) == 2 and all("/joined-" in path for path in scripts)


def test_a_second_visit_takes_scripts_and_styles_from_the_cache(page):
    page.open("profile/1")
    page.open("profile/1")
    sizes = [size for path, size in asked(page).items() if "/joined-" in path]
    assert sizes == [0, 0]
