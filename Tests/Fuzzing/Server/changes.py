"""Applies a diff as the contract says, and judges it by the rules of UITableView's batch updates.

A content is what a digest is of: an object with `sections` and `states`, and what is seen through a
window also has `window`. Nothing here changes one in place, so that contents can share what did not
change.
"""

from bisect import bisect_left
from collections import defaultdict


class Broken(Exception):
    """A document that breaks a rule of the contract."""


def demand(holds: bool, message: str, *details):
    if not holds:
        raise Broken(" ".join([message, *map(repr, details)]))


def applied(old: dict, diff: dict) -> dict:
    """The content that a diff makes of an old one."""
    groups = {"states", "sections", "rows"}
    fixed = {"kind", "screen", "from", "revision", "rowCount", "digest"}
    demand(diff["kind"] == "diff", "this is no diff:", diff["kind"])
    window = {"window"} & set(old)
    fixed |= window
    others = fixed | groups | {"animated"}
    demand(fixed <= set(diff) <= others, "a diff has other members:", sorted(diff))
    demand(diff.get("animated", False) is False, "a hint is none:", diff.get("animated"))
    demand(all(diff[name] for name in groups & set(diff)), "an empty group is listed:", diff)
    sections, rows = Operations(diff, "sections", "section"), Operations(diff, "rows", "row")
    new = rearranged(old["sections"], sections, rows)
    check_economy(old["sections"], new, sections, rows)
    for update in sections.updates:
        check_places(update, old["sections"][update["from"]], new[update["to"]])
        new[update["to"]] = updated(new[update["to"]], update, {"id", "rows"})
    for update in rows.updates:
        (start, row), (end, place) = update["from"], update["to"]
        check_places(update, old["sections"][start]["rows"][row], new[end]["rows"][place])
        new[end]["rows"][place] = updated(new[end]["rows"][place], update, {"id", "type"})
    check_reloads(old["sections"], new, sections, rows)
    content = {"sections": new, "states": changed_states(old["states"], diff.get("states", {}))}
    content |= {name: diff[name] for name in window}
    count = sum(len(section["rows"]) for section in new)
    demand(count == diff["rowCount"], "a wrong rowCount:", diff["rowCount"], count)
    return content


class Operations:
    """The operations of one kind of element, with what can be said of them alone."""

    def __init__(self, diff: dict, name: str, element: str):
        group = diff.get(name, {})
        kinds = {"deletes", "inserts", "moves", "reloads", "updates"}
        demand(set(group) <= kinds, "other groups:", sorted(group))
        demand(all(group.values()), "an empty group is listed:", sorted(group))
        lists = {kind: group.get(kind, []) for kind in kinds}
        moved = {"id", "from", "to"}
        members = {"deletes": {"id", "at"}, "inserts": {"at", element}, "moves": moved, "reloads": moved}
        for kind, wanted in members.items():
            same = all(set(one) == wanted for one in lists[kind])
            demand(same, f"{kind} with other members than {sorted(wanted)}:", lists[kind])
        deletes, inserts, self.moves = lists["deletes"], lists["inserts"], lists["moves"]
        self.reloads, self.updates = lists["reloads"], lists["updates"]
        for places, words in [
            ([place_of(one["at"]) for one in reversed(deletes)], "deletes, descending"),
            ([place_of(one["at"]) for one in inserts], "inserts"),
            ([place_of(one["to"]) for one in self.moves], "moves"),
            ([place_of(one["to"]) for one in self.reloads], "reloads"),
            ([place_of(one["to"]) for one in self.updates], "updates"),
        ]:
            ascending = all(a < b for a, b in zip(places, places[1:]))
            demand(ascending, f"the places of {name} are not in order: {words}", places)
        self.deleted = {place_of(one["at"]): one["id"] for one in deletes}
        self.inserted = {place_of(one["at"]): one[element] for one in inserts}
        self.leaving = {place_of(one["from"]): one["id"] for one in self.moves}
        self.arriving = {place_of(one["to"]): one["id"] for one in self.moves}
        self._check_ids(lists, [one[element]["id"] for one in inserts])

    def _check_ids(self, lists: dict, inserted: list):
        gone = [one["id"] for one in lists["deletes"] + self.moves]
        come = inserted + [one["id"] for one in self.moves]
        demand(len(set(gone)) == len(gone), "an id stands twice in deletes and moves:", gone)
        demand(len(set(come)) == len(come), "an id stands twice in inserts and moves:", come)
        demand(len(self.leaving) == len(self.moves), "two moves begin in one place:", self.moves)
        demand(not set(self.leaving) & set(self.deleted), "a delete and a move begin in one place")
        moves = {one["id"]: one for one in self.moves}
        for update in self.updates + self.reloads:
            start, end = place_of(update["from"]), place_of(update["to"])
            demand(start not in self.deleted, "what is deleted stays:", update)
            demand(end not in self.inserted, "what is inserted stays:", update)
            if move := moves.get(update["id"]):
                same = (move["from"], move["to"]) == (update["from"], update["to"])
                demand(same, "a move of the same id disagrees:", update, move)


def place_of(at):
    return tuple(at) if isinstance(at, list) else at


def rearranged(old: list, sections: Operations, rows: Operations) -> list:
    """The sections and rows in their new places, before any update."""
    lifted: dict = {}
    by_section = defaultdict(dict)
    for (section, row), id in (rows.deleted | rows.leaving).items():
        demand(section not in sections.deleted, "a row of a deleted section is listed:", id)
        demand(section < len(old), "there is no such section:", section)
        by_section[section][row] = id
    kept = [
        {**section, "rows": lift(section["rows"], by_section.get(place, {}), lifted)}
        for place, section in enumerate(old)
    ]
    moved: dict = {}
    left = lift(kept, sections.deleted | sections.leaving, moved)
    places = {place: moved[id] for place, id in sections.arriving.items()} | sections.inserted
    new = fill(left, places)
    incoming = defaultdict(dict)
    for (section, row), element in rows.inserted.items():
        incoming[section][row] = element
    for (section, row), id in rows.arriving.items():
        demand(row not in incoming[section], "a move and an insert end in one place:", id)
        incoming[section][row] = lifted[id]
    for section, elements in incoming.items():
        demand(section < len(new), "there is no such new section:", section)
        demand(section not in sections.inserted, "rows of an inserted section are listed")
        new[section] = {**new[section], "rows": fill(new[section]["rows"], elements)}
    # An inserted section is the diff's own object, which the updates of others must not touch.
    return [{**section, "rows": list(section["rows"])} for section in new]


def lift(elements: list, places: dict, lifted: dict) -> list:
    """The elements without those at some places, which are noted by their ids."""
    for place, id in places.items():
        demand(place < len(elements), "there is nothing at the old place", place, "of", id)
        found = elements[place]["id"]
        demand(found == id, "another element is at the old place", place, id, found)
        lifted[id] = elements[place]
    return [element for place, element in enumerate(elements) if place not in places]


def fill(left: list, places: dict) -> list:
    """The elements that are left, with others put in at their final places."""
    new, rest = [], iter(left)
    for place in range(len(left) + len(places)):
        if place in places:
            new.append(places[place])
        else:
            element = next(rest, None)
            demand(element is not None, "no element is left for the new place", place)
            new.append(element)
    return new


def updated(old: dict, update: dict, fixed: set) -> dict:
    """An element after an update of its members."""
    members = {"id", "from", "to", "set", "unset"}
    demand(set(update) <= members, "an update has other members:", update)
    changes, gone = update.get("set"), update.get("unset")
    demand(changes or gone, "an update changes nothing:", update)
    demand(changes != {} and gone != [], "an empty set or unset is listed:", update)
    named = set(changes or {}) | set(gone or [])
    demand(not named & fixed, "an update changes what must stay:", update)
    demand(len(named) == len(changes or {}) + len(gone or []), "a member is named twice:", update)
    new = dict(old)
    for name in gone or []:
        demand(name in new, "a member is unset that is not there:", update)
        del new[name]
    for name, value in (changes or {}).items():
        demand(
            name not in old or old[name] != value or type(old[name]) is not type(value),
            "a member is set to what it is:",
            update,
        )
        new[name] = value
    return new


def check_places(update: dict, old: dict, new: dict):
    both = old["id"] == update["id"] == new["id"]
    demand(both, "an update misses its element:", update, old["id"], new["id"])


def check_reloads(old: list, new: list, sections: Operations, rows: Operations):
    """What is drawn again is in both, and a row is not listed beside its section."""
    whole = {one["from"]: one["to"] for one in sections.reloads}
    for reload in sections.reloads:
        check_places(reload, old[reload["from"]], new[reload["to"]])
    for reload in rows.reloads:
        (start, row), (end, place) = reload["from"], reload["to"]
        before, after = old[start]["rows"][row], new[end]["rows"][place]
        check_places(reload, before, after)
        demand(before["type"] == after["type"], "a row of another type is reloaded:", reload)
        demand(whole.get(start) != end, "a row of a reloaded section is listed:", reload)


def changed_states(old: dict, changes: dict) -> dict:
    for name, state in changes.items():
        demand(old.get(name) != state, "a state that did not change is listed:", name)
    return {name: state for name, state in (old | changes).items() if state is not None}


def check_economy(old: list, new: list, sections: Operations, rows: Operations):
    """Checks that nothing is deleted, inserted or moved that could stay."""
    old_sections = {section["id"]: place for place, section in enumerate(old)}
    places = [old_sections[one["id"]] for one in new if one["id"] in old_sections]
    demand(len(set(one["id"] for one in new)) == len(new), "a section id is there twice")
    demand(
        not set(sections.deleted.values()) & {one["id"] for one in new},
        "a section is deleted and inserted",
    )
    demand(len(sections.moves) == moves_needed(places), "sections move that could stay")
    stays = {one["id"] for one in new} & set(old_sections)
    homes = {
        row["id"]: (section["id"], place, row["type"])
        for section in old
        for place, row in enumerate(section["rows"])
    }
    seen: set = set()
    needed = 0
    for section in new:
        order = []
        for row in section["rows"]:
            demand(row["id"] not in seen, "a row id is there twice:", row["id"])
            seen.add(row["id"])
            home = homes.get(row["id"])
            if home and section["id"] in stays and home[0] in stays and home[2] == row["type"]:
                if home[0] == section["id"]:
                    order.append(home[1])
                else:
                    needed += 1
        needed += moves_needed(order)
    demand(len(rows.moves) == needed, "rows move that could stay:", len(rows.moves), needed)
    types = {row["id"]: row["type"] for section in new for row in section["rows"]}
    ends = {row["id"]: section["id"] for section in new for row in section["rows"]}
    for id in rows.deleted.values():
        same = types.get(id) == homes[id][2] and ends[id] in stays
        demand(not same, "a row is deleted and inserted that could stay:", id)
    for row in rows.inserted.values():
        home = homes.get(row["id"])
        same = home is not None and home[2] == row["type"] and home[0] in stays
        demand(not same, "a row is inserted that could move:", row["id"])


def moves_needed(places: list) -> int:
    """How many elements have to move: all but a longest run that is in order already."""
    tails: list = []
    for place in places:
        at = bisect_left(tails, place)
        tails[at : at + 1] = [place]
    return len(places) - len(tails)
