"""The stage, as it shows what the library tells it of a view model."""

import pytest
from clock import CLOCK, pass_time

# The stage of the page with a view model whose events the test chooses.
STAGE = """
const [done] = arguments;
import("/page/stage.js").then(({ Stage }) => {
  const status = { state: "loading", event: null, isProven: false, retryAt: null };
  const opened = [];
  const open = () => {
    const viewModel = Object.assign(new EventTarget(), { status, snapshot: null, send: async () => ({}), close() {} });
    opened.push(viewModel);
    return viewModel;
  };
  window.outdated = 0;
  const stage = new Stage({ open }, { named: () => null }, () => { outdated += 1; });
  const screen = { name: "rows", summary: "Rows.", opening: "load", opens: ["rows"], commands: [] };
  window.show = (key, keys = []) => stage.show({ screen, key, keys });
  // The commands have a view model of their own.
  const shown = () => opened.at(-2);
  const tell = (name, detail) => shown().dispatchEvent(new CustomEvent(name, { detail }));
  window.change = (kind, rows, state = "loaded") => {
    const before = shown().snapshot;
    const after = { kind: "snapshot", states: { rows: state }, sections: [{ id: "all", rows }] };
    shown().snapshot = after;
    tell("change", { kind, before, after, diff: kind === "diff" ? {} : null });
  };
  window.become = (state, more = {}) => {
    shown().status = { ...status, state, ...more };
    tell("status", shown().status);
  };
  window.refuse = (error) => tell("problem", { error });
  show("a");
  done();
});
"""


@pytest.fixture
def stage(page):
    with page.at_each_load(CLOCK):
        page.open("scoreboards/all")
    page.until_live()
    pass_time(page, 1000)  # What the page has to announce itself.
    page.driver.execute_async_script(STAGE)
    return page


def become(stage, state, **more):
    stage.run("become(...arguments)", state, more)
    return stage.status, stage.banner


def has_button(stage):
    return stage.look("document.querySelector('#banner button')?.checkVisibility() ?? false")


NOTE = {"id": "note", "type": "note", "text": "A note"}


def test_what_is_shown_is_called_live_only_once_the_server_has_answered(stage):
    busy = "document.getElementById('rows').ariaBusy"
    assert become(stage, "loading") == ("Loading", "") and stage.look(busy) == "true"
    stage.run("change('snapshot', arguments[0])", [NOTE])
    assert become(stage, "listening") == ("Connecting", "") and stage.look(busy) == "false"
    assert become(stage, "listening", isProven=True) == ("Live", "")
    status, banner = become(stage, "backingOff", event="failed")
    assert status == "Retrying soon" and banner.startswith("The connection is lost. The last known state is shown.")
    assert has_button(stage)
    assert become(stage, "suspended") == ("Paused", "")


def test_a_refusal_is_told_unless_the_state_says_why(stage):
    refusal = {"status": 429, "code": "too-many", "title": "Too many."}
    become(stage, "backingOff", event="busy")
    stage.run("refuse(arguments[0])", refusal)
    assert stage.banner.startswith("The server is busy.")
    become(stage, "backingOff", event="failed")
    stage.run("refuse(arguments[0])", refusal)
    assert stage.banner.startswith("Too many.")


def test_a_view_that_is_gone_is_not_tried_again(stage):
    become(stage, "backingOff", event="failed")
    assert become(stage, "gone") == ("Not found", "There is no “rows/a”. Add another key to the address: #rows/KEY.")
    assert not has_button(stage)


def test_a_screen_that_is_left_leaves_nothing_behind(stage):
    stage.run("change('snapshot', [])")
    become(stage, "backingOff", event="failed")
    stage.run("document.getElementById('notice').append('A notice')")
    left = "['banner', 'notice', 'rows', 'nothing'].map((id) => document.getElementById(id).innerText)"
    assert "" not in [text for at, text in enumerate(stage.look(left)) if at != 2]
    stage.run("change('reset', arguments[0]); change('diff', [])", [NOTE])
    # Its keys are unknown.
    stage.run("show(null)")
    assert stage.look(left) == ["", "", "", ""] and stage.status == "Loading"
    pass_time(stage, 1000)
    assert stage.announcement == ""
    stage.run("show('b')")
    assert stage.banner == ""
    stage.run("change('snapshot', [])")
    stage.until(lambda: "There is nothing" in stage.look("document.getElementById('nothing').innerText"), "the next view")


def test_a_view_is_empty_only_if_no_rows_can_come(stage):
    nothing = "document.getElementById('nothing').innerText"
    seen = {}
    for state in ("loaded", "failed", "isLoading", "notRequested"):
        stage.run("show(arguments[0]); change('snapshot', [], arguments[0])", state)
        seen[state] = stage.look(nothing) == "There is nothing to show."
    assert seen == {"loaded": True, "failed": True, "isLoading": False, "notRequested": False}


def test_other_data_is_loaded_again_after_a_restart_a_loss_and_an_end_and_after_nothing_else(stage):
    def outdated(script, *arguments):
        stage.run(script, *arguments)
        return stage.look("outdated")

    assert outdated("become('listening', {isProven: true}); change('snapshot', arguments[0])", [NOTE]) == 0
    assert outdated("change('diff', arguments[0]); change('snapshot', arguments[0])", [NOTE]) == 0
    assert outdated("change('reset', arguments[0])", [NOTE]) == 1
    assert outdated("become('backingOff'); become('connecting')") == 1
    assert outdated("become('listening'); become('listening', {isProven: true})") == 2
    assert outdated("become('gone')") == 3


def test_a_window_is_named_by_the_title_of_what_it_shows(stage):
    stage.run("show('7', [{key: '7', title: 'Ada'}])")
    assert stage.driver.title == "\u2068Ada\u2069 · Rows · ViewDelta"
