"""Removals that are undone."""

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys
from test_accessibility import faults
from test_editing import board, catalog, dialogs, edited, items, make, open_row, toasts, undo


def test_the_end_of_an_item_is_undone_by_keyboard(page, server):
    operations = [
        {"operation": "appendItems", "items": [{"id": "moss", "title": "Moss"}], "to": "ferns"},
        {"operation": "expandItems", "ids": ["ferns"]},
    ]
    server.command("catalog/1", type="apply", operations=operations)
    before = server.request("GET", "/v1/catalogs/1")
    edited(page, "catalog/1")
    page.act("moss")
    put_back(page, server, "moss", before)
    open_row(page, "ferns")
    make(page, "Remove")
    put_back(page, server, "ferns", before)
    assert page.focus != "BODY"


def put_back(page, server, row, before):
    page.until(lambda: row not in page.rows, "the end of the item")
    page.until(lambda: "removed." in toasts(page), "the offer")
    ActionChains(page.driver).key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL).perform()
    page.until(lambda: server.request("GET", "/v1/catalogs/1") == before, "the item with all below it")
    page.until(lambda: row in page.rows and toasts(page) == "", "the end of the offer")


def test_removals_of_neighbours_are_undone_in_any_order(catalog, server):
    for row in ("ferns", "knots"):
        catalog.act(row)
        catalog.until(lambda: row not in catalog.rows, "the end of the item")
    catalog.until(lambda: catalog.look("document.querySelectorAll('#toasts button').length") == 2, "two offers")
    undo(catalog)
    catalog.until(lambda: "ferns" in catalog.rows, "the first item, whose neighbour is gone")
    undo(catalog)
    catalog.until(lambda: catalog.rows[1:4] == ["ferns", "knots", "tides"], "the second item")

    catalog.act("tides")
    catalog.until(lambda: "tides" not in catalog.rows, "the end of an item")
    operations = [{"operation": "deleteItems", "ids": ["ferns", "knots"]}]
    server.command("catalog/1", type="apply", operations=operations)
    catalog.until(lambda: "knots" not in catalog.rows, "the end of all its neighbours")
    undo(catalog)
    catalog.until(lambda: "tides" in catalog.rows, "the item")


def test_the_end_of_an_item_is_undone_at_its_place_although_its_siblings_are_hidden(page, server):
    mosses = [{"id": name, "title": name.title()} for name in ("bog", "haircap", "sheet")]
    operations = [
        {"operation": "appendItems", "items": mosses, "to": "ferns"},
        {"operation": "expandItems", "ids": ["ferns"]},
    ]
    server.command("catalog/1", type="apply", operations=operations)
    edited(page, "catalog/1")
    page.act("haircap")
    page.until(lambda: "haircap" not in page.rows, "the end of the item")
    server.command("catalog/1", type="apply", operations=[{"operation": "collapseItems", "ids": ["ferns"]}])
    page.until(lambda: "bog" not in page.rows, "the hidden siblings")
    undo(page)

    def shown():
        server.command("catalog/1", type="apply", operations=[{"operation": "expandItems", "ids": ["ferns"]}])
        return page.rows[page.rows.index("ferns") + 1 :][:3]

    page.until(lambda: shown() == ["bog", "haircap", "sheet"], "the item between its siblings")


def test_an_item_is_restored_after_a_dialog_was_closed_by_keyboard(catalog):
    rows = catalog.rows
    catalog.act("knots")
    catalog.until(lambda: "knots" not in catalog.rows, "the end of the item")
    open_row(catalog, "ferns")
    catalog.press(Keys.ESCAPE)
    catalog.until(lambda: not dialogs(catalog), "the end of the dialog")
    undo(catalog)
    catalog.until(lambda: catalog.rows == rows, "the item again")
    catalog.press(Keys.ESCAPE)
    assert catalog.look("document.querySelector('.toast')") is None
    catalog.act("knots")
    catalog.until(lambda: "removed." in toasts(catalog), "another offer")
    catalog.run("document.querySelector('#toasts button').focus()")
    catalog.press(Keys.ESCAPE)
    assert toasts(catalog) == "" and catalog.focus == "rows"


def test_a_key_for_the_input_method_leaves_the_offer_to_undo(catalog):
    catalog.act("knots")
    catalog.until(lambda: "removed." in toasts(catalog), "the offer")
    for signs in ({"isComposing": True}, {"keyCode": 229}):
        catalog.run("""
            const key = new KeyboardEvent('keydown', {key: 'Escape', bubbles: true, ...arguments[0]});
            document.getElementById('rows').dispatchEvent(key)""", signs)
        assert "removed." in toasts(catalog)


def test_what_a_button_has_changed_is_undone_by_keys_in_a_switch(page):
    page.open("form/1")
    page.until_live()
    name = page.find("[data-row='name'] input")
    name.send_keys("Ada", Keys.TAB)
    page.until_answered()
    page.act("startOver")
    page.until(lambda: "no longer as entered" in toasts(page), "the offer")
    # In a field that is being changed this key means only the field.
    name.send_keys("Bea", Keys.ESCAPE)
    assert "no longer as entered" in toasts(page)
    page.run("rowOf('pickUp').querySelector('input').focus()")
    ActionChains(page.driver).key_down(Keys.CONTROL).key_down(Keys.SHIFT).send_keys("z").key_up(Keys.SHIFT) \
        .key_up(Keys.CONTROL).perform()
    assert "no longer as entered" in toasts(page)
    ActionChains(page.driver).key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL).perform()
    page.until(lambda: name.get_property("value") == "Ada", "the name")


def test_the_end_of_a_board_is_undone_with_its_players(page, server):
    before = server.request("GET", "/v1/scoreboards")
    page.open("scoreboards/all")
    page.until_live()
    page.act("board/2")
    page.until(lambda: "board/2" not in page.rows, "the end of the board")
    undo(page)
    page.until(lambda: server.request("GET", "/v1/scoreboards") == before, "the board with its players")


def test_the_end_of_a_player_is_undone(board, server):
    before = server.request("GET", "/v1/scoreboards/1")
    open_row(board, "player/3")
    make(board, "Remove player")
    board.until(lambda: "player/3" not in board.rows, "the end of the player")
    assert board.focus == "player/4"
    assert faults(board) == []
    undo(board)
    board.until(lambda: server.request("GET", "/v1/scoreboards/1") == before, "the player")
    open_row(board, "player/3")
    make(board, "Remove player")
    board.until(lambda: "removed." in toasts(board), "the offer")
    for player in (2, 4):
        server.command("scoreboard/1", type="removePlayer", player=player)
    board.until(lambda: "player/4" not in board.rows, "the end of its neighbours")
    undo(board)
    board.until(lambda: "player/3" in board.rows, "the player, whose neighbours are gone")


def test_a_form_that_is_started_over_is_filled_in_again(page):
    page.open("form/1")
    page.until_live()
    fill(page, "name", "Ada")
    page.click("[data-row='saws'] button")
    switch(page, "chainsaw")
    fill(page, "licence", "K47")
    switch(page, "pickUp")
    page.until(lambda: "station" in page.rows, "the field of the switch")
    page.act("startOver")
    page.until(lambda: not {"chainsaw", "licence", "station"} & set(page.rows), "an empty form")
    page.until(lambda: "Name, I fetch my share at the farm: no longer" in toasts(page), "the offer")
    # In a field the keys undo what is typed.
    page.type("[data-row='name'] input", Keys.CONTROL, "z")
    assert "no longer" in toasts(page)
    undo(page)
    page.until(lambda: value(page, "licence") == "K47", "the last field")
    assert value(page, "name") == "Ada" and "station" in page.rows


def test_a_form_with_fields_that_are_not_seen_asks_before_it_is_started_over(page):
    page.open("form/1")
    page.until_live()
    fill(page, "name", "Ada")
    page.run("window.confirm = (text) => { window.asked = text; return false; };")
    page.act("form/title")
    page.until(lambda: "collapsed groups cannot" in (page.run("return window.asked") or ""), "the question")
    assert value(page, "name") == "Ada"
    page.run("window.confirm = () => true;")
    page.act("form/title")
    page.until(lambda: value(page, "name") == "", "an empty form")
    # If all of them are seen, there is nothing to ask.
    page.run("window.confirm = () => false;")
    # The offer would cover one of them.
    page.press(Keys.ESCAPE)
    for group in ("saws", "forSoil"):
        page.click(f"[data-row='{group}'] button")
    page.until(lambda: {"chainsaw", "spade"} <= set(page.rows), "the rows of the groups")
    fill(page, "name", "Ada")
    page.act("form/title")
    page.until(lambda: value(page, "name") == "", "an empty form again")


def fill(page, row, text):
    page.type(f"[data-row='{row}'] input", text, Keys.TAB)


def switch(page, row):
    page.type(f"[data-row='{row}'] input", Keys.SPACE)


def value(page, row):
    return page.run("return document.querySelector(`[data-row='${arguments[0]}'] input`)?.value", row)


def test_what_cannot_be_undone_is_asked_first(page, server):
    page.open("catalog/1")
    page.until_live()
    form = """
        const form = document.querySelector('#panels .command form');
        form.querySelector('textarea').value = '[{"operation":"deleteAllItems"}]';
        form.requestSubmit();
    """
    page.find("#panels .command form textarea")
    page.run(f"window.confirm = (text) => {{ window.asked = text; return false; }}; {form}")
    page.until(lambda: "cannot be undone" in (page.run("return window.asked") or ""), "the question")
    assert items(server)["Maps"] != []
    page.run(f"window.confirm = () => true; {form}")
    page.until(lambda: items(server)["Maps"] == [], "the end of all items")


# Holds what the page loads of a catalog, which says what a removal removes.
HOLD_CATALOG = """
    const send = window.fetch;
    const gate = new Promise((resolve) => { window.release = resolve; });
    window.fetch = async (input, init) => {
      if (String(input).endsWith("/catalogs/1")) await gate;
      return send(input, init);
    };
"""


def test_what_is_removed_is_gone_though_the_screen_is_left_at_once(page, server):
    page.open("catalog/1")
    page.until_live()
    page.run(HOLD_CATALOG)
    page.act("knots")
    button = "return rowOf('knots').querySelector('.row-action').ariaBusy"
    assert page.run(button) == "true"
    page.run("location.hash = '#scoreboard/1'")
    page.until(lambda: "player/1" in page.rows, "another screen")
    page.run("release()")
    page.until(lambda: "The Book of Knots" not in items(server)["Books"], "the end of the item")
    page.until_answered()
    assert toasts(page) == ""


def test_what_was_removed_is_back_though_the_screen_is_left_at_once(page, server):
    page.open("catalog/1")
    page.until_live()
    page.act("knots")
    page.until(lambda: "removed." in toasts(page), "the offer")
    page.run(HOLD_CATALOG)
    undo(page)
    page.run("location.hash = '#scoreboard/1'")
    page.until(lambda: "player/1" in page.rows, "another screen")
    assert page.look("!dispatchEvent(new Event('beforeunload', {cancelable: true}))")
    page.run("release()")
    page.until_answered()
    assert "The Book of Knots" in items(server)["Books"]
    assert toasts(page) == ""


def test_a_screen_that_is_left_takes_its_dialog_and_its_offers_along(catalog, server):
    focus = "document.activeElement.textContent"
    catalog.run("document.querySelector('#edits button').focus()")
    section = {"id": "games", "title": "Games"}
    server.command("catalog/1", type="apply", operations=[{"operation": "appendSections", "sections": [section]}])
    catalog.until(lambda: "Games" in catalog.look("document.getElementById('edits').textContent"), "the section")
    assert catalog.look(focus) == "Add section"
    catalog.run("[...document.querySelectorAll('#edits button')].at(-1).focus()")
    server.command("catalog/1", type="apply", operations=[{"operation": "deleteSections", "ids": ["games"]}])
    catalog.until(lambda: catalog.look(focus) == "Edit", "the focus on the button that shows the edits")
    catalog.act("knots")
    catalog.until(lambda: "removed." in toasts(catalog), "the offer")
    open_row(catalog, "ferns")
    catalog.run("location.hash = '#scoreboard/1'")
    catalog.until(lambda: "player/1" in catalog.rows, "another screen")
    assert toasts(catalog) == "" and dialogs(catalog) == []
    catalog.click("#edit")
    assert "Add player" in catalog.look("document.getElementById('edits').innerText")


def test_a_double_click_offers_once_to_undo_a_removal(page, server):
    page.open("catalog/1")
    page.until_live()
    page.run(HOLD_CATALOG + "rowOf('knots').querySelector('.row-action').click();" * 2 + "release()")
    page.until(lambda: "removed." in toasts(page), "the offer")
    page.run("rowOf('ferns').querySelector('.row-action').click()")
    page.until(lambda: "Ferns" in toasts(page), "the offer for another item")
    assert toasts(page).count("removed.") == 2
    assert not {"ferns", "knots"} & set(page.rows)
    ActionChains(page.driver).key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL).perform()
    page.until(lambda: "ferns" in page.rows, "the last item")
    assert "knots" not in page.rows


@pytest.mark.loses_connection
def test_what_is_removed_while_the_server_is_away_is_asked_first_and_removed_later(page, server):
    page.open("catalog/1")
    page.until_live()
    page.run("window.confirm = (text) => { window.asked = text; return true; };")
    with page.offline():
        page.until(lambda: page.connection == "offline", "to be offline")
        page.act("knots")
        page.until(lambda: "cannot be undone" in (page.run("return window.asked") or ""), "the question")
        assert "1 action waits" in page.banner and toasts(page) == ""
    page.until(lambda: "knots" not in page.rows, "the end of the item")
    page.until_answered()
    assert toasts(page) == ""
