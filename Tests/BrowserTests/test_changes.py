"""Changes of the list and the elements that they keep."""

import pytest


@pytest.fixture
def loaded(page, server):
    page.open_loaded(1)
    page.remember_rows()
    page.record_animations()
    return page


def test_a_post_slides_in_and_no_other_row_is_touched(loaded, server):
    before = loaded.rows
    row = server.add_post(1, "Slides in")
    loaded.until(lambda: row in loaded.rows, "the post")
    assert loaded.rows == [*before[: before.index("posts/header") + 1], row,
                           *before[before.index("posts/header") + 1 :]]
    assert loaded.same_elements() == set(before)
    loaded.until(lambda: row in loaded.travelled, "a motion of the post")


def test_an_edit_is_shown_in_the_row_that_is_there(loaded, server):
    row = next(row for row in loaded.rows if row.startswith("post/"))
    other = next(it for it in reversed(loaded.rows) if it != row)
    loaded.run("""
        window.touched = false;
        new MutationObserver(() => touched = true).observe(
          rowOf(arguments[0]), {subtree: true, childList: true, characterData: true});
    """, other)
    server.request("PATCH", f"/v1/users/1/posts/{row.split('/')[1]}", {"title": "Edited"})
    loaded.until(lambda: "Edited" in loaded.text(row), "the new title")
    assert loaded.same_elements() == set(loaded.rows)
    assert loaded.run("return touched") is False


def test_a_change_without_errors_of_fields_searches_no_rows(loaded, server):
    """A search of a list of 20,000 rows takes as long as two frames, for each change."""
    loaded.run("""
        window.searches = [];
        const { querySelectorAll } = Element.prototype;
        Element.prototype.querySelectorAll = function (selectors) {
          if (this.id === "rows") searches.push(selectors);
          return querySelectorAll.call(this, selectors);
        };
    """)
    row = server.add_post(1, "Not searched")
    loaded.until(lambda: row in loaded.rows, "the post")
    assert loaded.run("return searches") == []


def test_what_people_write_is_shown_as_text(loaded, server):
    title = "<b>bold</b><img src=x onerror='window.attacked = true'> & \u2028 🦊"
    row = server.add_post(1, title)
    loaded.until(lambda: "onerror" in loaded.text(row), "the title")
    assert loaded.run("return rowOf(arguments[0]).querySelector('b, img')", row) is None
    assert loaded.run("return window.attacked") is None


def test_a_post_that_is_deleted_goes(loaded, server):
    row = next(row for row in loaded.rows if row.startswith("post/"))
    server.request("DELETE", f"/v1/users/1/posts/{row.split('/')[1]}")
    loaded.until(lambda: row not in loaded.rows, "the end of the post")
    assert loaded.same_elements() == set(loaded.rows)


def test_a_player_who_moves_is_seen_moving(page, server):
    open_scoreboard(page)
    first, second = players(page)[:2]
    swap(server, first, second)
    page.until(lambda: players(page)[:2] == [second, first], "another order")
    assert second in page.travelled and first in page.travelled
    assert set(players(page)) <= page.same_elements()


def test_nobody_travels_where_less_motion_is_wished(page, server):
    page.emulate_media(prefers_reduced_motion="reduce")
    open_scoreboard(page)
    first, second = players(page)[:2]
    swap(server, first, second)
    page.until(lambda: players(page)[:2] == [second, first], "another order")
    assert page.travelled == set()


def test_an_item_moves_to_another_section_as_the_same_element(page, server):
    page.open("catalog/1")
    page.until_live()
    page.remember_rows()
    item, target = page.rows[1], page.rows[-1]
    operations = [{"operation": "moveItem", "id": item, "after": target}]
    server.command("catalog/1", type="apply", operations=operations)
    page.until(lambda: page.rows[-1] == item, "the item at the end")
    assert page.same_elements() == set(page.rows)


def test_an_item_that_is_reloaded_gets_another_element_and_keeps_the_focus(page, server):
    open_catalog(page)
    page.run("rowOf('knots').querySelector('button').focus()")
    item = {"id": "knots", "title": "The Book of Knots", "detail": "Paperback"}
    server.command("catalog/1", type="apply", operations=[{"operation": "reloadItems", "items": [item]}])
    others = set(page.rows) - {"knots"}
    page.until(lambda: page.same_elements() == others, "another element for the item alone")
    assert "The Book of Knots" in page.text("knots") and page.focus == "knots"
    page.until(lambda: "“The Book of Knots” reloaded" in page.announcement, "an announcement")


def test_a_section_that_is_reloaded_is_drawn_anew_with_its_items(page, server):
    open_catalog(page)
    order = page.rows
    section = {"id": "maps", "title": "Charts", "items": [{"id": "alps", "title": "The Western Alps"}]}
    operations = [{"operation": "reloadSections", "sections": [section]}]
    server.command("catalog/1", type="apply", operations=operations)
    page.until(lambda: "lisbon" not in page.rows, "the end of the other item")
    assert page.rows == [row for row in order if row not in ("lisbon", "islands")]
    assert page.same_elements() == set(page.rows) - {"alps"}
    page.until(lambda: page.run(
        "return document.querySelector('[data-section=maps] h3').textContent") == "Charts", "the title")


def test_a_change_that_is_not_animated_moves_nothing(page, server):
    open_catalog(page)
    first, *_, last = page.rows
    move = {"type": "apply", "operations": [{"operation": "moveItem", "id": first, "after": last}]}
    server.command("catalog/1", **move, animated=False)
    page.until(lambda: page.rows[-1] == first, "the item at the end")
    assert page.travelled == set()
    back = [{"operation": "moveItem", "id": first, "before": page.rows[0]}]
    server.command("catalog/1", type="apply", operations=back)
    page.until(lambda: first in page.travelled, "a motion of the item")


def test_an_item_shows_the_items_below_it_and_hides_them(page, server):
    open_catalog(page)
    below = [{"id": "one", "title": "One"}, {"id": "two", "title": "Two"}]
    operations = [{"operation": "appendItems", "items": below, "to": "knots"}]
    server.command("catalog/1", type="apply", operations=operations)
    fold = "rowOf('knots').querySelector('[aria-expanded]')"
    page.until(lambda: page.run(f"return {fold}?.ariaExpanded") == "false", "a button that folds")
    before = page.rows
    page.run(f"{fold}.focus()")
    page.press("\ue007")
    page.until(lambda: "two" in page.rows, "the items below")
    assert page.rows[page.rows.index("knots") + 1 :][:2] == ["one", "two"]
    indent = "return rowOf(arguments[0]).getBoundingClientRect().left"
    assert page.run(indent, "one") > page.run(indent, "knots")
    assert page.run("return rowOf('one').ariaLevel") == "2"
    assert page.run(f"return {fold}.ariaExpanded") == "true" and page.focus == "knots"
    page.press("\ue007")
    page.until(lambda: page.rows == before, "the end of the items below")
    assert page.same_elements() == set(before)


def test_an_item_loads_the_items_below_it_and_says_if_that_fails(page, server):
    open_catalog(page)
    item = {"id": "coasts", "title": "Coasts", "loadsChildren": True}
    item["children"] = [{"id": "north", "title": "North"}, {"id": "south", "title": "South"}]
    operations = [{"operation": "insertItems", "items": [item], "after": "lisbon"}]
    server.command("catalog/1", type="apply", operations=operations)
    server.script_faults("children", "1", ["fail", "hang"], 0)
    fold = "rowOf('coasts').querySelector('[aria-expanded]')"
    page.click("[data-row='coasts'] [aria-expanded=false]")
    page.until(lambda: "coasts/error" in page.rows, "the failure")
    assert "Couldn't load the items." in page.run("return rowOf('coasts/error').innerText")
    page.click("[data-row='coasts/error'] button")
    page.until(lambda: "coasts/loading" in page.rows, "the load")
    assert page.rows[page.rows.index("coasts") + 1] == "coasts/loading"
    page.click("[data-row='coasts/loading'] button")
    page.until(lambda: "coasts/loading" not in page.rows, "the end of the load")
    page.run(f"{fold}.click()")
    page.until(lambda: "south" in page.rows, "the items below")
    assert page.rows[page.rows.index("coasts") + 1 :][:2] == ["north", "south"]
    assert page.run(f"return {fold}.ariaExpanded") == "true"


def open_catalog(page):
    page.open("catalog/1")
    page.until_live()
    page.remember_rows()
    page.record_animations()


def open_scoreboard(page):
    page.open("scoreboard/1")
    page.until_live()
    page.remember_rows()
    page.record_animations()


def swap(server, first, second):
    first, second = (int(row.split("/")[1]) for row in (first, second))
    server.command("scoreboard/1", type="movePlayer", player=second, before=first)


def players(page):
    return [row for row in page.rows if row.startswith("player/")]
