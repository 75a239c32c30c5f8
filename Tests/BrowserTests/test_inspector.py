"""What the inspector shows of a view model, and what can be done with it."""

import json
import subprocess

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select


@pytest.fixture
def loaded(page):
    page.open_loaded(1)
    return page


def test_the_timeline_tells_the_cause_and_the_cost_of_each_revision(loaded, server):
    server.add_post(1, "Told in the timeline")
    history = server.request("GET", "/v1/view-models/profile/1/revisions")["revisions"]
    entries = "#panels .timeline > li"
    loaded.until(lambda: len(find_all(loaded, entries)) == len(history), "all revisions")
    newest, *_, oldest = (entry.text for entry in find_all(loaded, entries))
    assert "Start" in oldest
    assert "1 op" in newest and f'{history[-1]["bytes"]} B' in newest


def test_the_state_of_each_source_is_lit(loaded, server):
    def lit():
        return [cell.text for cell in find_all(loaded, "#panels th[aria-current]")]

    loaded.until(lambda: lit() == ["loaded", "loaded"], "two loaded sources")
    server.script_faults("posts", "1", ["fail"], 0)
    server.command("profile/1", type="loadPosts")
    loaded.until(lambda: sorted(lit()) == ["failed", "loaded"], "a failed source")


def test_the_state_of_the_connection_is_lit(loaded):
    (lit,) = find_all(loaded, "#panels .states [aria-current]")
    assert lit.text == "listening"


def test_faults_can_be_switched_on(loaded, server):
    source = "#panels [data-source='posts']"
    loaded.until(lambda: find_all(loaded, source), "a control")
    _, loads = find_all(loaded, f"{source} select")
    Select(loads).select_by_visible_text("Fail")
    script = "/v1/faults/posts/1"
    loaded.until(lambda: server.request("GET", script)["then"] == "fail", "the server to know")
    loaded.driver.find_element(By.ID, "refresh").click()
    loaded.until(lambda: "posts/error" in loaded.rows, "a failure")


def test_the_curl_line_gives_what_is_shown(loaded, server):
    (code,) = find_all(loaded, "#panels code[aria-label='The view model']")
    line = code.get_property("textContent")
    output = subprocess.run(line, shell=True, capture_output=True, timeout=20, check=True).stdout
    assert json.loads(output) == server.request("GET", "/v1/view-models/profile/1")


def find_all(page, selector):
    return page.driver.find_elements(By.CSS_SELECTOR, selector)
