"""What a diff has to draw again: rows and sections that stay, and were reloaded in between."""

from changes import demand


class Reloads(dict):
    """How often each section and item that is there was reloaded, by its kind and id.

    `lives` says how often those that were deleted have come again; it is no part of what is compared.
    """

    def __init__(self, counts=(), lives: dict | None = None):
        super().__init__(counts)
        self.lives = lives or {}

    def without(self, gone: set, counts: dict | None = None) -> "Reloads":
        """The reloads once something was deleted."""
        lives = {**self.lives, **{key: self.lives.get(key, 0) + 1 for key in gone}}
        return Reloads(self if counts is None else counts, lives)


def check_redraws(start, end, diff: dict):
    """Checks the reloads of a diff from one `Kept` to another, either of which may be the older one."""
    lists = {kind: diff.get(group, {}).get("reloads", []) for kind, group in GROUPS.items()}
    listed = {(kind, one["id"]) for kind, found in lists.items() for one in found}
    before, after = start.hidden, end.hidden
    if before is None or after is None:
        demand(before is not after or not listed, "something is reloaded that never is:", listed)
        return
    old, new = _homes(start.content), _homes(end.content)
    sections = {key[1] for key in old if key[0] == "section" and key in new}
    for key in old.keys() & new.keys():
        again = before.lives.get(key, 0) != after.lives.get(key, 0)
        changed = before.get(key) != after.get(key)
        demand(changed or again or key not in listed, "what was not reloaded is listed:", key)
        (home, kind), (place, now) = old[key], new[key]
        stays = key[0] == "section" or home in sections and place in sections and kind == now
        covered = key[0] == "item" and home == place and ("section", home) in listed
        if changed and not again and stays and not covered:
            demand(key in listed, "what was reloaded is not listed:", key)


GROUPS = {"section": "sections", "item": "rows"}


def _homes(content: dict) -> dict:
    """All sections, and all rows with their section and type."""
    homes: dict = {("section", section["id"]): (None, None) for section in content["sections"]}
    for section in content["sections"]:
        for row in section["rows"]:
            homes["item", row["id"]] = section["id"], row["type"]
    return homes
