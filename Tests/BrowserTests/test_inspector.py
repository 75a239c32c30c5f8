"""The panels of the inspector and their controls."""

import json
import subprocess

import late_answer
import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


@pytest.fixture
def loaded(page):
    page.open_loaded(1)
    return page


def test_the_timeline_tells_the_cause_and_the_cost_of_each_revision(loaded, server):
    server.add_post(1, "Told in the timeline")
    loaded.until(lambda: "Write to posts" in loaded.inspector, "the write")
    history = server.request("GET", "/v1/view-models/profile/1/revisions")["revisions"]
    entries = "#panels .timeline > li"
    loaded.until(lambda: len(loaded.find_all(entries)) == len(history), "all revisions")
    newest, *_, oldest = (entry.text for entry in loaded.find_all(entries))
    assert "Start" in oldest
    assert texts(loaded, "#panels p")[0].startswith(f"{len(history) - 1} changes in ")
    assert "1 op" in newest and f'{history[-1]["bytes"]} B' in newest


def test_the_focus_stays_in_the_timeline_if_its_entry_disappears(page, server):
    page.open("scoreboard/1")
    page.until_live()
    page.until(lambda: "Start" in page.inspector, "the history")
    server.command("scoreboard/1", type="adjustScore", player=2, by=1)
    page.until_history(server, "scoreboard/1")
    page.run("const it = document.querySelector('#panels .timeline > li:last-child > button'); it.click(); it.focus()")
    for _ in range(26):
        server.command("scoreboard/1", type="adjustScore", player=2, by=1)
    page.until(lambda: "Start" not in page.inspector, "the end of the first entry")
    assert page.run("return document.activeElement.matches('.timeline > li:last-child > button')")
    # The revision that was chosen is not shown any more.
    page.until_history(server, "scoreboard/1")


def test_the_time_and_the_arguments_of_a_revision_are_read_without_a_pointer(page, server):
    page.open("catalog/1")
    page.until_live()
    section = {"id": "new", "title": "Told without a pointer"}
    server.command("catalog/1", type="apply", operations=[{"operation": "appendSections", "sections": [section]}])
    page.until(lambda: "Told without a pointer" in page.inspector, "the arguments of the newest revision")
    entries = page.find_all("#panels .timeline button")
    entries[-1].send_keys(Keys.ENTER)
    about = "#panels .operations > li:first-child"
    at = server.request("GET", "/v1/view-models/catalog/1/revisions")["revisions"][0]["at"]
    time = page.run("return new Date(arguments[0]).toLocaleTimeString()", at)
    page.until(lambda: texts(page, about) == [time], "the time of the first revision")
    assert page.run("return document.querySelector('#panels .timeline [title]')") is None


@pytest.mark.parametrize("answer", ["Response.json({kind: 'reset'})", "new Response('', {status: 410})"])
def test_a_revision_that_the_server_no_longer_keeps_is_said_to_be_lost(loaded, server, answer):
    loaded.until_history(server, "profile/1")
    loaded.run(f"""
        const send = window.fetch;
        window.fetch = async (input, init) => String(input).includes("until=") ? {answer} : send(input, init);
        document.querySelectorAll("#panels .timeline button")[1].click();
    """)
    lost = "The server no longer keeps this revision."
    loaded.until(lambda: lost in texts(loaded, "#panels .operations > li"), "the words for it")


def test_an_answer_that_is_late_takes_nothing_from_the_timeline(loaded, server):
    newest = "return document.querySelector('#panels .timeline [data-revision]')?.dataset.revision"
    loaded.run("""
        const send = window.fetch;
        window.late = 0;
        window.fetch = async (input, init) => {
          if (!String(input).includes("/revisions?")) return send(input, init);
          const answer = await send(input, init);
          if (late++ === 0) await new Promise((resolve) => { window.release = resolve; });
          return answer;
        };
    """)
    server.add_post(1, "First")
    loaded.until(lambda: loaded.run("return late") >= 1, "the first request")
    server.add_post(1, "Second")

    def last():
        revisions = server.request("GET", "/v1/view-models/profile/1/revisions")["revisions"]
        return revisions[-1]["revision"]

    loaded.until(lambda: loaded.run(newest) == last(), "the second answer")
    loaded.run("""
        window.entries = 0;
        const timeline = document.querySelector("#panels .timeline [data-revision]").parentElement;
        new MutationObserver(() => { entries += 1; }).observe(timeline, {childList: true});
        release();
    """)
    server.add_post(1, "Third")
    loaded.until(lambda: loaded.run(newest) == last(), "the third answer")
    assert loaded.run("return entries") == 1


@pytest.mark.journal
@pytest.mark.loses_connection
def test_the_timeline_goes_on_after_a_crash_of_a_server_with_a_journal(loaded, server):
    entries = "[...document.querySelectorAll('#panels .timeline [data-revision]')]"

    def revisions():
        return loaded.run(f"return {entries}.map((it) => it.dataset.revision)")

    def operations(revision):
        loaded.run(f"""
            document.querySelector("#panels .operations").replaceChildren();
            {entries}.find((it) => it.dataset.revision === arguments[0]).firstChild.click();
        """, revision)
        loaded.until(lambda: texts(loaded, "#panels .operations > li"), "operations")
        return texts(loaded, "#panels .operations > li")

    def newest():
        return server.request("GET", "/v1/view-models/profile/1/revisions")["revisions"][-1]["revision"]

    row = server.add_post(1, "Before the crash")
    loaded.until(lambda: revisions()[:1] == [newest()], "the post in the timeline")
    before = {revision: operations(revision) for revision in reversed(revisions())}
    assert len(before) > 3 and any(row in line for line in before[newest()])
    loaded.remember_rows()
    loaded.run(f"window.entries = {entries}")

    server.kill()
    loaded.until(lambda: loaded.connection == "backingOff", "a lost connection")
    server.start()
    loaded.reconnect()
    row = server.add_post(1, "After the crash")
    loaded.until(lambda: row in loaded.rows, "the next post")
    assert loaded.same_elements() == set(loaded.rows) - {row}
    loaded.until(lambda: revisions()[:1] == [newest()], "the next post in the timeline")
    assert loaded.run(f"return {entries}.slice(1).every((it, at) => it === entries[at])")
    assert "Server restarted" not in loaded.inspector
    assert {revision: operations(revision) for revision in before} == before
    loaded.open_loaded(1)
    loaded.until(lambda: set(before) < set(revisions()), "the revisions on a new page")
    assert {revision: operations(revision) for revision in before} == before


def test_the_state_of_each_source_is_lit(loaded, server):
    def lit():
        return [cell.text for cell in loaded.find_all("#panels th[aria-current]")]

    loaded.until(lambda: lit() == ["loaded", "loaded"], "two loaded sources")
    server.script_faults("posts", "1", ["fail"], 0)
    server.command("profile/1", type="loadPosts")
    loaded.until(lambda: sorted(lit()) == ["failed", "loaded"], "a failed source")


def test_the_state_of_each_machine_is_lit_as_the_snapshot_says(page, server):
    def lit():
        return [cell.text for cell in page.find_all("#panels th[data-state][aria-current]")]

    board = server.request("POST", "/v1/scoreboards", {"title": "Empty"})["id"]
    for view_model, states in {
        "scoreboards/all": ["several"],
        f"scoreboard/{board}": ["no players"],
        "catalog/1": ["items", "notRequested"],
        "podcasts/1": ["loaded", "keepPrevious"],
    }.items():
        page.open(view_model)
        page.until(lambda: sorted(lit()) == sorted(states), f"the states of {view_model}")
        page.until(
            lambda: list(server.request("GET", f"/v1/view-models/{view_model}")["states"].values())
            == states,
            "the same in the snapshot",
        )
    page.open(f"scoreboard/{board}")
    server.request("POST", f"/v1/scoreboards/{board}/players", {"name": "One"})
    page.until(lambda: lit() == ["one"], "the first player")


def test_the_state_of_the_connection_is_lit(loaded):
    loaded.until(lambda: texts(loaded, "#panels .states [aria-current]") == ["listening"], "the state")


def test_faults_can_be_switched_on(loaded, server):
    source = "#panels [data-source='posts']"
    loaded.choose(f"{source} label:nth-of-type(2) select", "Fail")
    script = "/v1/faults/posts/1"
    loaded.until(lambda: server.request("GET", script)["then"] == "fail", "the server to know")
    loaded.click("#refresh")
    loaded.until(lambda: "posts/error" in loaded.rows, "a failure")


def test_a_fault_that_the_server_refuses_is_not_shown(loaded):
    source = "#panels [data-source='posts']"
    loads = f"{source} label:nth-of-type(2) select"
    loaded.find(loads)
    loaded.run("""
        const send = window.fetch;
        window.fetch = async (input, init) =>
          String(input).includes("/faults/") ? new Response("", {status: 403, statusText: "Forbidden"}) : send(input, init);
    """)
    loaded.choose(loads, "Fail")
    toasts = "return document.getElementById('toasts').innerText"
    loaded.until(lambda: loaded.run(toasts) == "Forbidden", "the refusal")
    loaded.until(lambda: loaded.find(loads).get_property("value") == "succeed", "the former outcome")


def test_an_answer_that_is_late_does_not_bring_back_former_faults(loaded, server):
    loads = "#panels [data-source='posts'] label:nth-of-type(2) select"
    loaded.find(loads)
    late_answer.hold(loaded, "/faults/posts/1")
    server.add_post(1, "One")
    loaded.until(lambda: loaded.look("asked") == 1, "the first answer")
    server.script_faults("posts", "1", ["fail"], 0)
    server.add_post(1, "Two")
    shown = "document.querySelector('#panels [data-source=posts]').innerText"
    loaded.until(lambda: "Next: fail" in loaded.look(shown), "the failure to come")
    late_answer.give(loaded)
    assert "Next: fail" in loaded.look(shown)


def test_two_quick_presses_make_two_failures(loaded, server):
    source = "#panels [data-source='posts']"
    loaded.find(source)
    loaded.run(f"const it = document.querySelector(\"{source} button\"); it.click(); it.click();")
    script = "/v1/faults/posts/1"
    loaded.until(
        lambda: server.request("GET", script)["outcomes"] == ["fail", "fail"], "two failures to come"
    )


def test_a_closed_inspector_asks_for_nothing(loaded, server):
    loaded.until_told(server)
    newest = server.request("GET", "/v1/view-models/profile/1/revisions")["revisions"][-1]["revision"]
    asked = "performance.getEntriesByType('resource').some(({ name }) => name.includes('until=' + arguments[0]))"
    # The other requests of the open one lead to this one.
    loaded.until(lambda: loaded.run(f"return {asked}", newest), "the operations of the newest revision")
    loaded.run("""
        const send = window.fetch;
        window.inspected = [];
        window.fetch = (input, init) => {
          if (/revisions|faults|incidents|diff\\?since=.*until/.test(input)) inspected.push(input);
          return send(input, init);
        };
        document.getElementById("inspector").open = false;
    """)

    def change(title):
        server.add_post(1, title)
        # The announcement comes later than the inspector's requests would.
        loaded.until(lambda: f"“{title}” added" in loaded.announcement, "the change")

    change("Seen while its last requests end")
    loaded.run("inspected.length = 0")
    change("Seen by the list alone")
    assert loaded.look("inspected") == []
    loaded.run("document.getElementById('inspector').open = true")
    loaded.until(lambda: loaded.look("inspected.length") > 0, "what was put off")
    loaded.run("document.getElementById('inspector').open = false")
    change("Left behind a closed inspector")
    loaded.run("location.hash = '#scoreboard/1'")
    loaded.until(lambda: "player/1" in loaded.rows, "another screen")
    loaded.run("inspected.length = 0; document.getElementById('inspector').open = true")
    loaded.until(lambda: loaded.look("inspected.some((path) => path.includes('/scoreboard/1/'))"), "its history")
    assert not loaded.look("inspected.some((path) => path.includes('/profile/1/'))")


def test_the_curl_line_gives_what_is_shown(loaded, server):
    def output(title):
        (line,) = loaded.until(lambda: texts(loaded, f"#panels code[aria-label='{title}']"), "the line")
        return json.loads(subprocess.run(line, shell=True, capture_output=True, timeout=60, check=True).stdout)

    assert output("The view model") == server.request("GET", "/v1/view-models/profile/1")
    loaded.until_history(server, "profile/1")
    assert output("The chosen diff")["kind"] == "diff"


def texts(page, selector):
    texts = "[...document.querySelectorAll(arguments[0])].map((it) => it.textContent)"
    return page.run(f"return {texts}", selector)


def test_what_a_command_without_arguments_does_is_read_without_a_pointer(loaded):
    commands = "#panels .plain-command"
    about = loaded.until(
        lambda: next((it for it in loaded.find_all(commands) if "cancelPosts" in it.text), None), "the command")
    assert "Cancels the running load of posts." in about.text
    assert about.find_element(By.TAG_NAME, "button").get_attribute("title") == ""


@pytest.mark.parametrize("player", ["007", "12345678901234567890"])
def test_an_id_is_sent_as_it_was_entered(page, server, player):
    server.request("POST", "/v1/scoreboards/1/players", {"id": player, "name": "Bond"})
    page.open("scoreboard/1")
    page.until_live()
    page.until(lambda: "setScore" in page.inspector, "the commands")
    page.run("""
        const form = [...document.querySelectorAll("details.command")]
          .find((it) => it.querySelector("code").textContent === "setScore").querySelector("form");
        const field = (name) => [...form.querySelectorAll("label")]
          .find((it) => it.textContent.startsWith(name)).querySelector("input");
        field("Player").value = arguments[0];
        field("Score").value = "77";
        form.requestSubmit();
    """, player)
    page.until(lambda: "77" in page.text(f"player/{player}"), "the score")


@pytest.mark.parametrize("row, entered, value", [("name", "Ada", "Ada"), ("agree", "true", True)])
def test_a_command_whose_argument_is_a_text_or_a_boolean_takes_both(page, server, row, entered, value):
    page.open("form/1")
    page.until_live()
    page.until(lambda: "didChange" in page.inspector, "the commands")
    own = page.run("return decodeURIComponent(location.hash)")[1:]
    page.run(
        """
        const form = [...document.querySelectorAll("details.command")]
          .find((it) => it.textContent.startsWith("didChange")).querySelector("form");
        for (const label of form.querySelectorAll("label")) {
          label.querySelector("input, select").value = label.textContent.startsWith("Row") ? arguments[0] : arguments[1];
        }
        form.requestSubmit();
        """,
        row, entered)

    def known():
        sections = server.request("GET", f"/v1/view-models/{own}")["sections"]
        return next(it["value"] for section in sections for it in section["rows"] if it["id"] == row)

    page.until(lambda: known() == value, "the value")
