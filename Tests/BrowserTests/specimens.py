"""Rows of all types in all states, shown by the page as if a server had sent them."""

from itertools import count

from page import Page

numbers = count(1)

RETRY = {"title": "Retry", "command": {"type": "retry"}}
REMOVE = {"title": "Remove", "command": {"type": "remove"}}
DETAIL = "The source is unavailable."
DAY = {"date": "2026-03-03T13:30:00Z", "dateText": "3 March 2026"}
LONG = "unbroken" * 50


def row(type: str, **fields) -> dict:
    """A row with an id of its own."""
    return {"id": f"{type}/{next(numbers)}", "type": type, **fields}


def field(type: str, label: str, value, **fields) -> dict:
    """A row that is edited in an input; a text with `input` unless it says otherwise."""
    change = {"argument": "value", "command": {"type": "didChange"}}
    texts = {"label": label, "value": value, "required": False, "change": change}
    return row(type, **{"input": {"type": "text"}, **texts, **fields})


def load(text: str, friends: str, isLoading: bool, **fields) -> dict:
    """The header of a profile."""
    name, number = ({"isLoading": isLoading, "text": it} for it in (text, friends))
    texts = {"friendsCountText": f"{friends} friends"} if friends else {}
    return row("profileHeader", username=name, friendsCount=number, **texts, **fields)


EMAIL = field("textField", "E-mail", "nobody", required=True)
OPTIONS = [{"id": "half", "title": "Half a share"}, {"id": "full", "title": "A full share"}]

SECTIONS = {
    "A profile": [
        load("ada", "42", False, avatarURL="/pictures/ada.svg"),
        load("ada", "42", True),
        load("", "", True),
        load("", "", False),
        row("profileAttribute", name="Website", value="ada.example.com"),
        row("profileError", text="Couldn't load profile.", detail=DETAIL, code="unavailable", action=RETRY),
    ],
    "Posts": [
        row("contentHeader", text="Posts", action={"title": "Load more", "command": {"type": "load"}}),
        row("contentLoading"),
        row("contentLoading", text="Loading…", action={"title": "Cancel", "command": {"type": "cancel"}}),
        row("contentEmpty", text="No posts yet", action=RETRY),
        row("contentError", text="Couldn't load posts.", detail=DETAIL, code="unavailable", action=RETRY),
        row("post", title="Names before places", body="A position says where a thing is.\nToday.", **DAY),
        row("post", title="Without a day", body="An identity says which thing it is tomorrow."),
    ],
    "Podcasts": [
        row("podcastsHeader", text="Podcasts", refreshPolicyText="Stays on screen while it is refreshed",
            action={"title": "Blank on refresh", "command": {"type": "setRefreshPolicy"}}),
        row("podcast", title="Small Diffs", author="Marta Silva", artworkURL="/pictures/small-diffs.svg",
            podcastURL="https://example.com/", latestEpisode={"title": "The third operand", **DAY}),
        row("podcast", title="Salt and Smoke"),
    ],
    "Scoreboards": [
        row("scoreboardsHeader", text="Scoreboards"),
        row("scoreboardsEmpty", text="No scoreboards yet"),
        row("scoreboard", title="Pub quiz", playerCountText="3 players", to="scoreboard/1",
            leaderText="The Late Entries leads with 48", action=REMOVE),
        row("scoreboardHeader", title="Pub quiz", playerCountText="3 players"),
        row("playersEmpty", text="No players yet"),
        row("player", name="Ruth", rank=1, rankText="Rank 1", scoreText="1,305", action=REMOVE),
        row("player", name="Jonas", rank=12, rankText="Rank 12", scoreText="8", action=REMOVE),
    ],
    "Catalogs": [
        row("catalogFeature", title="Atlas of the Night Sky", badge="New", detail="Hardcover", action=REMOVE),
        row("catalogItem", title="The Book of Knots", detail="Paperback", isExpanded=True, action=REMOVE),
        row("catalogItem", title="One for sailors", badge="Last one", level=1, isExpanded=False, action=REMOVE),
        row("catalogItem", title="One for climbers", level=2, action=REMOVE),
    ],
    "Forms": [
        row("formTitle", text="Join the co-operative", action={"title": "Start over", "command": {"type": "press"}}),
        row("formHeader", text="Who you are, and how we reach you"),
        row("formNotice", text="Thank you. We have your form.", action=REMOVE),
        field("textField", "Name", "Ada Oyelaran", required=True),
        field("textField", "Town", "", input={"type": "text", "placeholder": "Where you live"}, action=REMOVE),
        EMAIL,
        row("fieldError", field=EMAIL["id"], code="invalid-email", text="That is not an e-mail address."),
        field("phoneField", "Phone", "030 901820", input={"type": "tel"}),
        field("dateField", "Date of birth", "1990-05-17", input={"type": "date"}),
        field("dropdownField", "Share", "full", input={"type": "select", "options": OPTIONS}),
        field("switchField", "I have read the rules", True, input={"type": "checkbox"}, required=True),
        field("switchField", "I have a van", False, input={"type": "checkbox"}, action=REMOVE),
        field("taxNumberField", "Tax number", "DE136695976"),
        row("company", name="Kornblume Mühle GmbH", detail="Lübeck · DE136695976",
            action={"title": "Choose", "command": {"type": "press"}}),
        row("moreCompanies", text="More firms have this number."),
        row("formGroup", text="For the soil", isCollapsed=False, action=RETRY),
        field("switchField", "Spades", False, depth=1, input={"type": "checkbox"}),
        row("formGroup", text="For the wood", isCollapsed=True, depth=1, action=RETRY),
        field("sectionHeader", "Title of this section", "Account", action=REMOVE),
        field("avatarField", "Picture", "/favicon.svg", picture="/favicon.svg", cap=72),
        row("formInfo", label="Your address", text="Only those see it who bring your share."),
        row("link", text="Privacy", detail="What other members see", to="settings/privacy"),
        row("link", text="General", to="settings/general"),
        row("formSplitter"),
        row("formOffer", title="Get the letter", text="News from the farm, once a week.",
            action={"title": "Subscribe", "command": {"type": "press"}}),
        row("formButton", text="Join", action={"title": "Join", "command": {"type": "press"}}),
        row("formButton", text="Start over", action={"title": "Start over", "command": {"type": "press"}}),
    ],
    "Activity": [
        row("activityEntry", text="The form was sent.", **DAY),
        row("pageProgress", text="Loading more…", isLoading=True),
        row("pageProgress", text="10 of 40", action={"title": "Load more", "command": {"type": "press"}}),
        row("pageEnd", text="That is all."),
    ],
    "Rows of a type that the page does not know": [
        row("album", title="quidem molestiae enim", userId=1, tags=["new", "sold"], note=None, action=REMOVE),
        row("album"),
    ],
}


def stretched(value, name: str = ""):
    """The same, with a long word in place of each text for people."""
    if isinstance(value, dict):
        return {name: stretched(it, name) for name, it in value.items()}
    if isinstance(value, list):
        return [stretched(it, name) for it in value]
    isText = isinstance(value, str) and value and not name.endswith(("URL", "date", "picture"))
    return LONG if isText and name not in ("id", "type", "to", "field", "isLoading") else value


def show(page: Page, rows=lambda rows: rows):
    """Shows the rows, changed on the way, and above them the head of the page in each state."""
    sections = [
        {"id": title, "title": rows(title), "rows": rows(all)} for title, all in SECTIONS.items()
    ]
    failure = page.driver.execute_async_script(SHOW, sections)
    assert failure is None, failure


# Stage and list are those of the page; made up is only what they hear from the library.
SHOW = """
const [sections, done] = arguments;
const show = async () => {
  const { Stage } = await import("/page/stage.js");
  const { connectionStates } = await import("/viewdelta.js");
  const after = { kind: "snapshot", screen: "rows/all", rowCount: 0, states: {}, sections };
  const status = { state: "listening", event: null, isProven: true, retryAt: null };
  const viewModel = Object.assign(new EventTarget(), { status, snapshot: after, send: async () => ({}) });
  const tell = (name, detail) => viewModel.dispatchEvent(new CustomEvent(name, { detail }));
  const summary = "Rows of all types, in all states, without a server.";
  const stage = new Stage({ open: () => viewModel }, { named: () => null }, () => {});
  stage.show({ screen: { name: "rows", summary, opening: "load", commands: [] }, key: "all", keys: [] });
  tell("change", { kind: "snapshot", before: null, after, diff: null });
  const heads = [...document.querySelectorAll(".stage-head, #banner")];
  const rows = document.getElementById("rows");
  for (const state of connectionStates) {
    tell("status", { ...status, state, retryAt: Date.now() + 9_500 });
    rows.before(...heads.map((it) => it.cloneNode(true)));
  }
};
show().then(() => done(null), (error) => done(String(error.stack)));
"""
