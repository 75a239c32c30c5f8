"""Screens that are edited by hand."""

import pytest
from selenium.webdriver.common.by import By
from test_accessibility import faults


@pytest.fixture
def catalog(page):
    return edited(page, "catalog/1")


@pytest.fixture
def board(page):
    return edited(page, "scoreboard/1")


def edited(page, view_model):
    page.open(view_model)
    page.until_live()
    page.click("#edit")
    return page


def open_row(page, row):
    page.click(f"[data-row='{row}'] .row-edit")
    page.until(lambda: dialogs(page), "the dialog")


def dialogs(page):
    return page.find_all("dialog")


def press(page, title):
    """Presses a button by its text: in the dialog if one is open, or else one that opens it."""
    host = "dialog" if dialogs(page) else "#edits"

    def is_pressed():
        buttons = page.find_all(f"{host} button")
        titled = [it for it in buttons if it.text.replace("\u2068", "").replace("\u2069", "") == title]
        for button in titled[:1]:
            button.click()
        return titled

    page.until(is_pressed, f"the button {title}")
    page.until(lambda: host == "dialog" or dialogs(page), "the dialog")


def make(page, title):
    """Makes an edit by its button in the dialog, which closes."""
    press(page, title)
    page.until(lambda: not dialogs(page), "the dialog to close")


def choose(page, title):
    """Opens the part of the dialog with a title, if it is closed."""

    def is_open():
        for summary in (it for it in page.find_all("dialog details:not([open]) > summary") if it.text == title):
            summary.click()
        return title in [it.text for it in page.find_all("dialog details[open] > summary")]

    page.until(is_open, f"the part {title}")


def enter(page, label, text):
    def shown():
        labels = page.find_all("dialog label")
        return next((it for it in labels if it.is_displayed() and it.text.startswith(label)), None)

    field = page.until(shown, f"the field {label}").find_element(By.CSS_SELECTOR, "input, select")
    if field.tag_name == "input":
        field.clear()
    field.send_keys(text)


def items(server):
    sections = server.request("GET", "/v1/catalogs/1")["sections"]
    return {section["title"]: [it["title"] for it in section["items"]] for section in sections}


def toasts(page):
    return page.run("return document.getElementById('toasts').textContent")


def undo(page):
    page.click("#toasts button")


def test_a_player_is_added_renamed_moved_and_scored_by_hand(board, server):
    press(board, "Add player")
    assert faults(board) == []
    enter(board, "Name", "Noor")
    enter(board, "Score", "12")
    make(board, "Add player")
    board.until(lambda: any("Noor" in board.text(row) for row in board.rows), "the player")
    open_row(board, "player/2")
    # The row has a button for that already.
    assert "Adjust score" not in board.look("document.querySelector('dialog').textContent")
    choose(board, "Rename player")
    enter(board, "Name", "Jona")
    make(board, "Rename player")
    board.until(lambda: "Jona" in board.text("player/2"), "the name")
    assert board.focus == "player/2" and board.look("document.activeElement.ariaLabel") == "Edit Jona"
    open_row(board, "player/2")
    choose(board, "Set score")
    enter(board, "Score", "many")
    press(board, "Set score")
    board.until(lambda: "Score" in toasts(board), "a refusal in the dialog")
    enter(board, "Score", "500")
    make(board, "Set score")
    board.until(lambda: "500" in board.text("player/2"), "the score")
    open_row(board, "player/2")
    make(board, "Move up")
    players = "return [...document.querySelectorAll('[data-type=player]')].map((it) => it.dataset.row)"
    board.until(lambda: board.run(players)[0] == "player/2", "the first place")
    board.console_errors(but=("422",))


def test_an_edit_without_what_it_needs_leads_to_the_field_in_place_of_a_refusal(board):
    press(board, "Add player")
    # A screen reader begins with the title.
    assert board.look("document.activeElement.localName") == "h2"
    press(board, "Add player")
    label = "document.activeElement.labels?.[0].textContent"
    board.until(lambda: board.look(label) == "Name", "the focus on the field")
    assert board.look("document.activeElement.validity.valueMissing")
    assert dialogs(board) and board.look("document.querySelector('.toast')") is None
    enter(board, "Name", "Noor")
    make(board, "Add player")
    board.until(lambda: "Noor" in board.text(board.rows[-1]), "the player")


def test_a_second_press_of_enter_does_not_add_the_same_once_more(board, server):
    board.run("""
        const send = window.fetch;
        const gate = new Promise((resolve) => { window.release = resolve; });
        window.fetch = async (input, init) => {
          if (init?.method === "POST") await gate;
          return send(input, init);
        };
    """)
    press(board, "Add player")
    enter(board, "Name", "Noor\n\n")
    board.run("release()")
    board.until(lambda: not dialogs(board), "the dialog to close")
    board.until_answered()
    players = server.request("GET", "/v1/scoreboards/1")["players"]
    assert [it["name"] for it in players].count("Noor") == 1


def test_a_change_of_one_text_leaves_the_line_breaks_of_another(catalog, server):
    broken = [{"operation": "reconfigureItems", "items": [{"id": "knots", "detail": "Paper\nback"}]}]
    server.command("catalog/1", type="apply", operations=broken)
    catalog.until(lambda: "Paper back" in catalog.text("knots"), "the line break")
    open_row(catalog, "knots")
    enter(catalog, "Title", "Knots")
    make(catalog, "Change")
    catalog.until(lambda: items(server)["Books"][0] == "Knots", "the title")
    books = next(it for it in server.request("GET", "/v1/catalogs/1")["sections"] if it["title"] == "Books")
    assert books["items"][0]["detail"] == "Paper\nback"


def test_items_and_sections_are_added_changed_moved_and_removed_by_hand(catalog, server):
    press(catalog, "Add section")
    enter(catalog, "Title", "Games")
    make(catalog, "Add section")
    catalog.until(lambda: "Games" in items(server), "the section")
    press(catalog, "Section “Games”")
    choose(catalog, "Add an item")
    enter(catalog, "Title", "Go")
    make(catalog, "Add an item")
    catalog.until(lambda: items(server)["Games"] == ["Go"], "the item")
    press(catalog, "Section “Books”")
    choose(catalog, "Rename section")
    enter(catalog, "Title", "Volumes")
    make(catalog, "Rename section")
    books = ["The Book of Knots", "Ferns and Mosses", "Reading the Tides"]
    catalog.until(lambda: items(server).get("Volumes") == books, "the title")
    open_row(catalog, "knots")
    enter(catalog, "Title", "Knots")
    enter(catalog, "Detail", "")
    # What another client changes meanwhile stays.
    lent = [{"operation": "reconfigureItems", "items": [{"id": "knots", "badge": "Lent"}]}]
    server.command("catalog/1", type="apply", operations=lent)
    catalog.until(lambda: "LENT" in catalog.text("knots").upper(), "the change by another client")
    make(catalog, "Change")
    catalog.until(lambda: "Book" not in catalog.text("knots"), "the change")
    assert "Paperback" not in catalog.text("knots") and "LENT" in catalog.text("knots").upper()
    open_row(catalog, "knots")
    make(catalog, "Move down")
    catalog.until(lambda: items(server)["Volumes"] == [books[1], "Knots", books[2]], "the place")
    press(catalog, "Section “Volumes”")
    make(catalog, "Remove section")
    catalog.until(lambda: "Volumes" not in items(server), "the end of the section")
    undo(catalog)
    catalog.until(lambda: list(items(server)) == ["Featured", "Volumes", "Maps", "Games"], "the section")
    assert items(server)["Volumes"] == [books[1], "Knots", books[2]]


def test_the_focus_returns_to_a_row_that_was_drawn_anew_behind_its_dialog(catalog, server):
    open_row(catalog, "knots")
    catalog.run("window.former = rowOf('knots')")
    item = {"id": "knots", "title": "The Book of Knots"}
    server.command("catalog/1", type="apply", operations=[{"operation": "reloadItems", "items": [item]}])
    catalog.until(lambda: catalog.look("!former.isConnected"), "another element for the item")
    press(catalog, "Close")
    catalog.until(lambda: catalog.focus == "knots", "the focus on the item")


# The list of screens without the commands that need no row.
EDITS_OF_ROWS = """
    const send = window.fetch;
    window.fetch = async (input, init) => {
      const answer = await send(input, init);
      if (!String(input).endsWith("/v1/view-models")) return answer;
      const { screens } = await answer.json();
      for (const it of screens) it.commands = it.commands.filter(({ schema }) => schema.required.includes("player"));
      return Response.json({ screens });
    };
"""


def test_rows_are_edited_on_a_screen_to_which_nothing_is_added(page):
    with page.at_each_load(EDITS_OF_ROWS):
        edited(page, "scoreboard/1")
    open_row(page, "player/2")
    choose(page, "Rename player")
    page.open("profile/1")
    page.until_live()
    assert not page.find("#edit").is_displayed()


def test_the_dialog_of_a_row_goes_with_the_view_and_leaves_the_focus_on_the_rows(page, server):
    edited(page, "scoreboard/2")
    page.click(".row-edit")
    page.until(lambda: dialogs(page), "the dialog")
    server.request("DELETE", "/v1/scoreboards/2")
    page.until(lambda: page.connection == "gone", "to be told")
    page.until(lambda: not dialogs(page), "the dialog to close")
    assert page.run("return document.activeElement.id") == "rows"
    # The browser itself logs the 410 to the console.
    assert all("410" in error for error in page.leave())
