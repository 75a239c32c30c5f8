"""Texts that people write from right to left, or with characters that turn the direction."""

import pytest
import specimens

OVERRIDE = "\u202e"

LEFT_EDGES = """
const [row, word] = arguments;
const walker = document.createTreeWalker(rowOf(row), NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const at = node.data.indexOf(word);
  if (at < 0) continue;
  return [...word].map((_, index) => {
    const range = new Range();
    range.setStart(node, at + index);
    range.setEnd(node, at + index + 1);
    return range.getBoundingClientRect().left;
  });
}
"""


def test_a_text_has_the_direction_of_its_first_letter(page, server):
    page.open_loaded(1)
    row = server.add_post(1, "שלום עולם")
    page.until(lambda: row in page.rows, "the post")
    direction = "return getComputedStyle(rowOf(arguments[0]).querySelector(arguments[1])).direction"
    assert page.run(direction, row, "h4") == "rtl"
    assert page.run(direction, row, "p") == "ltr"
    page.open("form/1")
    page.until_live()
    name = page.find("[data-row='name'] input")
    name.send_keys("שלום")
    assert page.run(direction, "name", "input") == "rtl"


def test_a_name_that_turns_the_direction_does_not_turn_its_neighbours(page, server):
    server.request("PATCH", "/v1/scoreboards/1/players/1", {"name": f"{OVERRIDE}Imani"})
    page.open("scoreboards/all")
    page.until_live()
    name, neighbour = (page.run(LEFT_EDGES, "board/1", word) for word in ("Imani", "leads with"))
    assert name == sorted(name, reverse=True)
    assert neighbour == sorted(neighbour) and min(neighbour) > max(name)
    page.open("scoreboard/1")
    page.until_live()
    initials = "return rowOf('player/1').querySelector('.avatar').textContent"
    assert page.run(initials) == "I"


# How far the end of an input is from its button, and the end of the button's title from the end of the row.
ROOM = """
const [before, after] = document.dir === "rtl" ? ["right", "left"] : ["left", "right"];
const at = (it, side) => it.getBoundingClientRect()[side];
return [...document.querySelectorAll(".row.field:not(.switch)")].flatMap((row) => {
  const [input, button] = [row.querySelector("input"), row.querySelector(":scope > .row-action:not([hidden])")];
  if (!input || !button) return [];
  const title = new Range();
  title.selectNodeContents(button);
  return [Math.abs(at(button, before) - at(input, after)), Math.abs(at(row, after) - at(title, after))];
});
"""


@pytest.mark.parametrize("title", ["Remove", "הסרה"])
def test_a_button_keeps_its_place_beside_an_input_whatever_the_direction_of_its_title(page, title):
    page.open("catalog/1")
    page.until_live()
    specimens.show(page)
    buttons = "document.querySelectorAll('.row-action:not([hidden])')"
    page.run(f"for (const it of {buttons}) it.textContent = arguments[0]", title)
    seen = []
    for direction in ("ltr", "rtl"):
        page.run("document.dir = arguments[0]", direction)
        seen.append(page.run(ROOM))
    assert len(seen[0]) > 0 and seen[0] == pytest.approx(seen[1], abs=1)
