"""The operations of the screen `catalog` on plain lists, by the plainest code there is.

A catalog is a list of sections, each with `id`, perhaps `title`, and `items` as the REST resource
has them. Ids are compared by their texts.
"""

from redraws import Reloads
from shapes import Refused, array, at, identifier, invalid, kept, members, misplaced, one_of
from shapes import optional, required, shown

TYPES = ["catalogItem", "catalogFeature"]
CONTENT = {"id", "type", "title", "detail", "badge"}


def read_item(value, pointer: str) -> dict:
    members(value, pointer, CONTENT)
    return kept(
        id=str(identifier(required(value, "id", pointer), at(pointer, "id"))),
        type=optional(value, "type", lambda kind, place: one_of(kind, place, TYPES), pointer)
        or "catalogItem",
        title=shown(required(value, "title", pointer), at(pointer, "title")),
        detail=optional(value, "detail", shown, pointer),
        badge=optional(value, "badge", shown, pointer),
    )


def read_patch(value, pointer: str) -> dict:
    """What `reconfigureItems` changes; a None takes a member away."""
    members(value, pointer, CONTENT)
    patch = {"id": str(identifier(required(value, "id", pointer), at(pointer, "id")))}
    if "type" in value:
        patch["type"] = one_of(value["type"], at(pointer, "type"), TYPES)
    if "title" in value:
        patch["title"] = shown(value["title"], at(pointer, "title"))
    for name in ("detail", "badge"):
        if name in value:
            patch[name] = optional(value, name, shown, pointer)
    return patch


def read_section(value, pointer: str) -> dict:
    members(value, pointer, {"id", "title", "items"})
    items = optional(value, "items", array, pointer) or []
    place = at(pointer, "items")
    return kept(
        id=str(identifier(required(value, "id", pointer), at(pointer, "id"))),
        title=optional(value, "title", shown, pointer),
        items=[read_item(item, at(place, number)) for number, item in enumerate(items)],
    )


def read_catalog(body, assigned, _) -> dict:
    """A catalog as PUT and POST take it."""
    members(body, "", {"id", "sections"})
    id = assigned if body.get("id") is None else identifier(body["id"], "/id")
    listed = optional(body, "sections", array) or []
    sections = [read_section(one, at("/sections", place)) for place, one in enumerate(listed)]
    if not is_unique(sections):
        raise Refused(422, "invalid-member", within="/sections")
    if not fits(sections):
        raise invalid("/sections")
    return {"id": id, "sections": sections}


def is_unique(sections: list) -> bool:
    ids = [section["id"] for section in sections]
    items = [item["id"] for section in sections for item in section["items"]]
    return len(set(ids)) == len(ids) and len(set(items)) == len(items)


def fits(sections: list) -> bool:
    return len(sections) <= 1000 and sum(len(one["items"]) for one in sections) <= 10_000


READERS = {"sections": read_section, "items": read_item}
MEMBERS = {
    "appendSections": ["sections"],
    "insertSections": ["sections", "place"],
    "deleteSections": ["ids"],
    "moveSection": ["id", "place"],
    "reloadSections": ["sections"],
    "renameSection": ["section", "title"],
    "clearTitle": ["section"],
    "appendItems": ["items", "section"],
    "insertItems": ["items", "place"],
    "deleteItems": ["ids"],
    "deleteAllItems": [],
    "moveItem": ["id", "place"],
    "reloadItems": ["items"],
    "reconfigureItems": ["items"],
}


def read_operation(value, pointer: str) -> dict:
    """An operation with ids as texts; `anchor` and `shift` say beside which element and where."""
    members(value, pointer)
    name = one_of(required(value, "operation", pointer), at(pointer, "operation"), MEMBERS)
    needed = MEMBERS[name]
    allowed = {"operation", *needed} | ({"before", "after"} if "place" in needed else set())
    members(value, pointer, allowed - {"place"})
    read = {"name": name}
    for member in needed:
        place = at(pointer, member)
        if member in READERS:
            reader = read_patch if name == "reconfigureItems" else READERS[member]
            listed = array(required(value, member, pointer), place)
            read[member] = [reader(one, at(place, number)) for number, one in enumerate(listed)]
        elif member == "ids":
            listed = array(required(value, member, pointer), place)
            read[member] = [str(identifier(one, at(place, i))) for i, one in enumerate(listed)]
        elif member == "title":
            read[member] = shown(required(value, member, pointer), place)
        elif member == "id" or (member == "section" and name != "appendItems"):
            read[member] = str(identifier(required(value, member, pointer), place))
        elif member == "section":
            section = optional(value, member, identifier, pointer)
            read[member] = None if section is None else str(section)
        else:
            read |= read_place(value, pointer)
    return read


def read_place(value: dict, pointer: str) -> dict:
    before, after = value.get("before"), value.get("after")
    if before is not None and after is not None:
        raise invalid(at(pointer, "after"))
    if before is None and after is None:
        raise invalid(at(pointer, "before"))
    name = "before" if after is None else "after"
    anchor = str(identifier(value[name], at(pointer, name)))
    return {"anchor": anchor, "shift": int(name == "after"), "anchor name": name}


def applied(sections: list, batch, reloads: Reloads) -> tuple[list, int, Reloads]:
    """The sections after a batch, how many ids it ignored, and how often each element that is still
    there was reloaded; raises `Refused`."""
    try:
        operations = [
            read_operation(one, at("/operations", place))
            for place, one in enumerate(array(batch, "/operations"))
        ]
    except Refused as refusal:
        raise misplaced(refusal.pointer or "", refusal.within) from None
    if len(operations) > 200:
        raise misplaced("/operations")
    sections = [{**section, "items": list(section["items"])} for section in sections]
    ignored = 0
    for place, operation in enumerate(operations):
        pointer = at("/operations", place)
        known = keys_of(sections)
        try:
            ignored += done(sections, operation)
        except KeyError as error:
            member = error.args[0]
            raise misplaced(at(pointer, member) if member else "", pointer) from None
        if not is_unique(sections):
            raise misplaced(within=pointer)
        if operation["name"] in ("reloadSections", "reloadItems"):
            named = keys_of(operation.get("sections", [{"items": operation.get("items")}])) & known
            reloads = Reloads(reloads, reloads.lives)
            reloads.update({key: reloads.get(key, 0) + 1 for key in named})
        reloads = still_there(reloads, known, sections)
    if not fits(sections):
        raise misplaced("/operations")
    return sections, ignored, reloads


def keys_of(sections: list) -> set:
    """The sections and items by their ids, which one of each may share."""
    items = {("item", item["id"]) for section in sections for item in section["items"]}
    return items | {("section", section["id"]) for section in sections if "id" in section}


def still_there(reloads: Reloads, before: set, sections: list) -> Reloads:
    """The reloads of what is still there, of all that was there before."""
    known = keys_of(sections)
    if before <= known:
        return reloads
    kept = {key: count for key, count in reloads.items() if key in known}
    return reloads.without(before - known, kept)


def section_at(sections: list, id: str, member: str) -> int:
    for place, section in enumerate(sections):
        if section["id"] == id:
            return place
    raise KeyError(member)


def item_at(sections: list, id: str, member: str) -> tuple[int, int]:
    for place, section in enumerate(sections):
        for row, item in enumerate(section["items"]):
            if item["id"] == id:
                return place, row
    raise KeyError(member)


def done(sections: list, operation: dict) -> int:
    """Does one operation in place; a KeyError names the member that is at fault, if it is sure."""
    name = operation["name"]
    if "anchor" in operation:
        find = section_at if "Section" in name else item_at
        moved = operation.get("id")
        if moved is not None:
            find(sections, moved, "id")
        anchor = find(sections, operation["anchor"], operation["anchor name"])
        if moved == operation["anchor"]:
            raise KeyError(operation["anchor name"])
        if moved is not None:
            start = find(sections, moved, "id")
            if name == "moveSection":
                element = sections.pop(start)
            else:
                element = sections[start[0]]["items"].pop(start[1])
            anchor = find(sections, operation["anchor"], "")
        new = operation.get("sections") or operation.get("items") or []
        elements = [element] if moved is not None else new
        if "Section" in name:
            at_place = anchor + operation["shift"]
            sections[at_place:at_place] = elements
        else:
            at_place = anchor[1] + operation["shift"]
            sections[anchor[0]]["items"][at_place:at_place] = elements
    elif name == "appendSections":
        sections += operation["sections"]
    elif name == "reloadSections":
        places = [section_at(sections, one["id"], "") for one in operation["sections"]]
        if len(set(places)) < len(places):
            raise KeyError("")
        for place, section in zip(places, operation["sections"]):
            sections[place] = section
    elif name in ("renameSection", "clearTitle"):
        place = section_at(sections, operation["section"], "section")
        sections[place] = kept(**{**sections[place], "title": operation.get("title")})
    elif name == "deleteSections":
        gone = set(operation["ids"]) & {section["id"] for section in sections}
        sections[:] = [section for section in sections if section["id"] not in gone]
        return len(operation["ids"]) - len(gone)
    elif name == "appendItems":
        if not sections:
            raise KeyError("section")
        id = operation["section"]
        place = len(sections) - 1 if id is None else section_at(sections, id, "section")
        sections[place]["items"] += operation["items"]
    elif name in ("deleteItems", "deleteAllItems"):
        all_items = {item["id"] for section in sections for item in section["items"]}
        gone = set(operation.get("ids", all_items)) & all_items
        for section in sections:
            section["items"] = [item for item in section["items"] if item["id"] not in gone]
        return len(operation["ids"]) - len(gone) if name == "deleteItems" else 0
    else:
        replace_items(sections, operation["items"], name == "reloadItems")
    return 0


def replace_items(sections: list, items: list, is_reload: bool):
    places = [item_at(sections, item["id"], "") for item in items]
    if len(set(places)) < len(places):
        raise KeyError("")
    for (place, row), item in zip(places, items):
        old = sections[place]["items"][row]
        if not is_reload:
            if item.get("type", old["type"]) != old["type"]:
                raise KeyError("")
            item = kept(**{**old, **item})
        sections[place]["items"][row] = item
