"""Fields that are filled in, corrected and reverted."""

import re

import pytest
from selenium.webdriver.common.keys import Keys


@pytest.fixture
def form(page):
    page.open("form/1")
    page.until_live()
    return page


def test_a_field_refers_to_its_error_until_it_is_corrected(form):
    email = field(form, "email")
    email.send_keys("nonsense", Keys.TAB)
    form.until(lambda: email.get_attribute("aria-invalid") == "true", "a mark of the error")
    error = form.find(f'#{email.get_attribute("aria-describedby")}')
    form.until(lambda: error.text != "", "the text of the error")
    email.clear()
    email.send_keys("ada@example.org", Keys.TAB)
    form.until(lambda: email.get_attribute("aria-invalid") is None, "the end of the mark")
    assert email.get_attribute("aria-describedby") is None


def test_a_field_about_the_user_says_what_it_asks_for(form):
    purposes = "return arguments[0].map((row) => rowOf(row).querySelector('input, select').autocomplete)"
    rows = ["name", "email", "phone", "born", "website", "size"]
    assert form.run(purposes, rows) == ["name", "email", "tel", "bday", "url", ""]


def test_a_required_field_is_announced_as_required_only_once(form):
    form.browser_command("Accessibility.enable")
    nodes = form.browser_command("Accessibility.getFullAXTree")["nodes"]
    form.browser_command("Accessibility.disable")

    def is_required(role, name):
        node = next(it for it in nodes if (it["role"]["value"], it.get("name", {}).get("value")) == (role, name))
        return {it["name"]: it["value"].get("value") for it in node["properties"]}.get("required", False)

    assert is_required("textbox", "Name") and not is_required("textbox", "Phone")
    # Browsers do not expose that a switch is required, so its name has a star.
    assert not is_required("switch", "I have read the statutes *")
    drawn = "return getComputedStyle(rowOf('name').querySelector('label'), '::after').content"
    assert form.run(drawn) == '" *" / ""'


def test_a_text_of_as_many_characters_as_the_server_takes_can_be_entered(form, server):
    own = form.run("return decodeURIComponent(location.hash)")[1:]
    name, text = field(form, "name"), "🌱" * 80
    form.run("rowOf('name').querySelector('input').focus()")
    form.browser_command("Input.insertText", text=text)
    form.press(Keys.TAB)
    form.until(lambda: value(server, own, "name") == text, "the server to know")
    assert name.get_property("value") == text


def test_two_people_fill_in_two_forms_and_can_share_one(form, server):
    own = form.driver.execute_script("return decodeURIComponent(location.hash)")[1:]
    assert re.fullmatch(r"form/1@[\w-]{22}", own)
    name = field(form, "name")
    name.send_keys("Ada", Keys.TAB)
    form.until(lambda: value(server, own, "name") == "Ada", "the server to know")
    assert value(server, "form/1", "name") == ""
    other = "form/1@" + 22 * "b"
    assert value(server, other, "name") == ""
    form.open(other)
    form.until_live()
    form.until(lambda: field(form, "name").get_property("value") == "", "the other form")
    field(form, "name").send_keys("Bea", Keys.TAB)
    form.until(lambda: value(server, other, "name") == "Bea", "the server to know")
    assert value(server, own, "name") == "Ada"


def test_what_another_program_of_the_origin_stores_is_not_a_session(form):
    form.run("localStorage.clear(); localStorage.setItem('session', arguments[0])", 22 * "s")
    form.run("localStorage.setItem('viewdelta.session', '{\"token\":\"a/b\"}')")
    form.open("form/1")
    own = form.run("return decodeURIComponent(location.hash)")
    assert re.fullmatch(r"#form/1@[\w-]{22}", own) and 22 * "s" not in own
    form.open("form/1")
    assert form.run("return decodeURIComponent(location.hash)") == own


def test_escape_gives_back_what_the_server_knows(form, server):
    own = form.driver.execute_script("return decodeURIComponent(location.hash)")[1:]
    name = field(form, "name")
    name.send_keys("Ada", Keys.TAB)
    form.until(lambda: value(server, own, "name") == "Ada", "the server to know")
    form.until_answered()
    name.send_keys(" and someone else", Keys.ESCAPE)
    assert name.get_property("value") == "Ada"


def test_a_text_that_the_server_refuses_stays_and_is_sent_again_by_enter(form, server):
    own = form.run("return decodeURIComponent(location.hash)")[1:]
    form.run("""
        window.sending = window.fetch;
        window.fetch = async (input, init) =>
          init?.method === "POST" ? new Response("", {status: 401, statusText: "Unauthorized"}) : sending(input, init);
    """)
    name, text = field(form, "name"), "A long text"
    name.send_keys(text, Keys.TAB)
    toasts = "return document.getElementById('toasts').innerText"
    form.until(lambda: form.run(toasts) == "Unauthorized", "the refusal")
    assert name.get_property("value") == text
    server.command(own, type="didChange", row="name", value="Another person")
    server.command(own, type="didChange", row="phone", value="030 901820")
    form.until(lambda: field(form, "phone").get_property("value") != "", "the changes")
    assert name.get_property("value") == text
    form.run("window.fetch = sending")
    name.send_keys(Keys.ENTER)
    form.until(lambda: value(server, own, "name") == text, "the server to know")
    form.until_answered()
    name.send_keys("!", Keys.ESCAPE)
    assert name.get_property("value") == text


def test_a_field_that_is_only_visited_keeps_a_value_that_an_input_cannot_show(form, server):
    own = form.run("return decodeURIComponent(location.hash)")[1:]
    server.command(own, type="didChange", row="born", value="1990-05-17")
    form.until(lambda: field(form, "born").get_property("value") == "1990-05-17", "a date")
    values = {"born": "0000-01-01", "name": "Ada\nLovelace"}
    for row, text in values.items():
        server.command(own, type="didChange", row=row, value=text)
    form.until(lambda: field(form, "name").get_property("value") == "AdaLovelace", "the values")
    for row in values:
        form.run("const it = rowOf(arguments[0]).querySelector('input'); it.focus(); it.blur()", row)
    form.until_answered()
    assert {row: value(server, own, row) for row in values} == values
    server.command(own, type="didChange", row="born", value="1990-05-17")
    form.until(lambda: field(form, "born").get_property("value") == "1990-05-17", "the date again")


def test_escape_in_a_composition_leaves_the_entry_alone(form):
    name = field(form, "name")
    name.send_keys("東京")
    # The second one is the key of Safari, where the composition has ended by then.
    for signs in ({"isComposing": True}, {"keyCode": 229}):
        form.run("""rowOf('name').querySelector('input').dispatchEvent(
            new KeyboardEvent('keydown', {key: 'Escape', bubbles: true, ...arguments[0]}))""", signs)
        assert name.get_property("value") == "東京"


def test_what_another_person_enters_leaves_the_selection_where_it_was(form, server):
    own = form.run("return decodeURIComponent(location.hash)")[1:]
    name = field(form, "name")
    name.send_keys("Ada Lovelace", Keys.TAB)
    form.run("const it = rowOf('name').querySelector('input'); it.focus(); it.setSelectionRange(1, 3)")
    form.until(lambda: value(server, own, "name") == "Ada Lovelace", "the server to know")
    server.command(own, type="didChange", row="name", value="Ada King Lovelace")
    form.until(lambda: name.get_property("value") == "Ada King Lovelace", "the other value")
    assert (name.get_property("selectionStart"), name.get_property("selectionEnd")) == (1, 3)


@pytest.mark.parametrize("rest", ["", "way"])
def test_a_field_that_moves_while_a_user_types_sends_what_was_typed_once_it_is_left(page, server, rest):
    # As in browsers that cannot move an element without removing it.
    with page.at_each_load("delete Element.prototype.moveBefore;"):
        page.open("form/1")
    page.until_live()
    own = page.run("return decodeURIComponent(location.hash)")[1:]
    swapped = [{"operation": "swap", "row": "name", "other": "phone"}]
    server.command(own, type="apply", operations=swapped)
    page.until(lambda: page.rows.index("phone") < page.rows.index("name"), "another order")
    delay_commands(page)
    field(page, "name").send_keys("Half")
    server.command(own, type="apply", operations=swapped)
    page.until(lambda: page.rows.index("phone") > page.rows.index("name"), "the first order")
    assert page.focus == "name" and field(page, "name").get_property("value") == "Half"
    assert page.run("return posts") == []
    page.press(rest, Keys.TAB)
    until_known(page, server, own, "name", f"Half{rest}")
    assert page.run("return posts") == [f"Half{rest}"]


def delay_commands(page):
    """Holds each command for turns that the test gives: before the server gets it, or until its answer comes."""
    page.run("""
        const send = window.fetch;
        const delays = [[0, 1], [1, 1], [1, 0]];
        const held = [];
        const turns = async (count) => {
          for (let turn = 0; turn < count; turn++) await new Promise((resolve) => held.push(resolve));
        };
        window.posts = [];
        window.turn = () => {
          for (const resolve of held.splice(0)) resolve();
        };
        window.fetch = async (input, init) => {
          if (init?.method !== "POST") return send(input, init);
          const [before, after] = delays[posts.length % delays.length];
          posts.push(JSON.parse(init.body).value);
          await turns(before);
          const answer = await send(input, init);
          await turns(after);
          return answer;
        };
    """)


def until_known(page, server, own, row, wanted):
    """Gives turns until the server has a value. Its answer may be held still."""

    def is_known():
        page.run("turn()")
        return value(server, own, row) == wanted

    page.until(is_known, "the server to know")


AT_FIRST_PART = "const it = rowOf('born').querySelector('input'); it.blur(); it.focus()"


def test_a_date_is_sent_once_it_is_complete(form, server):
    delay_commands(form)
    own = form.run("return decodeURIComponent(location.hash)")[1:]
    born = field(form, "born")
    for year in ("1985", "2004"):
        form.run(AT_FIRST_PART)
        for key in f"0315{year}":
            form.press(key)
            form.run("turn()")
        form.press(Keys.ENTER)
        until_known(form, server, own, "born", f"{year}-03-15")
        assert born.get_property("value") == f"{year}-03-15"
    # Also one that is clicked before it is left.
    form.run(AT_FIRST_PART)
    form.press("04")
    form.run("turn()")
    born.click()
    form.run("document.activeElement.blur()")
    until_known(form, server, own, "born", "2004-04-15")
    assert form.run("return posts") == ["1985-03-15", "2004-03-15", "2004-04-15"]


def test_a_switch_stays_as_it_was_left(form, server):
    delay_commands(form)
    own = form.run("return decodeURIComponent(location.hash)")[1:]
    agree = field(form, "agree")
    before = agree.is_selected()
    for presses in range(1, 6):
        agree.click()
        assert agree.is_selected() == (before if presses % 2 == 0 else not before)
        form.run("turn()")
    until_known(form, server, own, "agree", not before)
    form.until(lambda: form.run("turn()") or form.is_answered, "the last answer")
    form.run("window.seen = []; const it = rowOf('agree').querySelector('input');"
             "const look = () => { seen.push(it.checked); requestAnimationFrame(look); }; look()")
    form.until(lambda: len(form.run("return seen")) > 20, "some frames")
    assert set(form.run("return seen")) == {not before}


def test_a_switch_does_not_go_back_to_a_former_press_of_which_the_server_tells(form, server):
    delay_commands(form)
    own = form.run("return decodeURIComponent(location.hash)")[1:]
    before = field(form, "agree").is_selected()
    # The server gets the second press only after a turn.
    form.run("const it = rowOf('agree').querySelector('input'); it.click(); it.click()")
    form.until(lambda: value(server, own, "agree") is (not before), "the server to know the first press")
    server.command(own, type="didChange", row="name", value="Ada")
    form.until(lambda: field(form, "name").get_property("value") == "Ada", "what the server tells after it")
    assert field(form, "agree").is_selected() == before
    until_known(form, server, own, "agree", before)


def value(server, name, row):
    """The value of a field that the server has."""
    sections = server.request("GET", f"/v1/view-models/{name}")["sections"]
    rows = {each["id"]: each for section in sections for each in section["rows"]}
    return rows[row]["value"]


def field(page, row):
    return page.find(f"[data-row='{row}'] input")

def test_a_choice_that_is_no_longer_offered_stays_to_be_seen_until_it_is_offered_again(form, server):
    own = form.run("return decodeURIComponent(location.hash)")[1:]
    server.command(own, type="didChange", row="size", value="double")
    form.until(lambda: options(form, "size")[-1] == ("double", "Two shares", True, True), "the choice")
    share = {"id": "size", "kind": "dropdown", "label": "Share", "required": True, "placeholder": "Choose one"}

    def offer(*names):
        given = {"options": [{"id": it, "title": f"{it} share".capitalize()} for it in names]} if names else {}
        replaced = {"operation": "replace", "row": "size", "with": {**share, **given}}
        server.command(own, type="apply", operations=[replaced])

    offer()
    form.until(lambda: len(options(form, "size")) == 2, "no options")
    assert options(form, "size") == [("", "Choose one", True, False), ("double", "Two shares", False, True)]
    form.until(lambda: "size/error" in form.rows, "the error")
    assert form.run("return rowOf('size').querySelector('select').ariaInvalid") == "true"
    # Another window, or this one later, never had its title.
    form.open(own)
    form.until_live()
    assert options(form, "size")[-1] == ("double", "double", False, True)
    offer("half", "double")
    offered = [("half", "Half share", True, False), ("double", "Double share", True, True)]
    form.until(lambda: options(form, "size")[1:] == offered, "the options")
    form.until(lambda: "size/error" not in form.rows, "the end of the error")


def test_another_choice_takes_the_place_of_one_that_is_no_longer_offered(form):
    form.run("""
        return import("/page/rows/field.js").then(({ field }) => {
          const rooms = (names) => names.map((name) => ({ id: name.toLowerCase(), title: name }));
          const change = { command: {}, argument: "value" };
          const row = (value, ...names) =>
            ({ label: "Room", value, change, input: { type: "select", options: rooms(names) } });
          const host = document.createElement("div");
          host.dataset.row = "room";
          document.body.append(host);
          const send = async ({ value }) => {
            window.chosen = value;
            show(row(value, "Lake"));
            return true;
          };
          const show = field(host, { send });
          show(row("garden", "Lake", "Garden"));
          show(row("garden", "Lake"));
        });
    """)
    lake, garden = ("lake", "Lake", True), ("garden", "Garden", False)
    assert options(form, "room")[1:] == [(*lake, False), (*garden, True)]
    form.choose("[data-row='room'] select", "Lake")
    form.until(lambda: options(form, "room")[1:] == [(*lake, True)], "the other choice")
    form.run("const it = rowOf('room').querySelector('select'); it.value = ''; it.dispatchEvent(new Event('change'))")
    assert form.look("chosen === null")


def options(page, row):
    """The value and the text of each option of a choice, and whether it can be chosen and is chosen."""
    read = """
        return [...document.querySelectorAll(`[data-row="${arguments[0]}"] option`)]
          .map((it) => [it.value, it.text, !it.disabled, it.selected]);
    """
    return [tuple(it) for it in page.run(read, row)]
