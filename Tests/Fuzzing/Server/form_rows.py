"""Reads the description of a form, and lays it out as the REST resource has it."""

import re

from canonical import encoded
from form_fields import FIELDS, TEXTS, can_answer, is_date, is_empty, judged, laid_out, read
from shapes import array, at, boolean, identifier, invalid, kept, members, number, one_of
from shapes import optional, own_id, required, shown, string, whole

RESERVED = {"form", "submission", "activity", "entry"}
FACE = {"label", "placeholder", "required", "errorText", "default"}
KINDS = {
    "header": {"text"},
    "text": FACE | {"inputType", "characters", "minLength", "maxLength", "min", "max"},
    "phone": FACE | {"countryCode", "minDigits", "maxDigits"},
    "date": FACE | {"min", "max"},
    "dropdown": FACE | {"options"},
    "switch": FACE,
    "taxNumber": FACE | {"fills"},
    "button": {"text", "does"},
    "group": {"text", "collapsed", "rows"},
}


def read_form(body, assigned, _=None) -> dict:
    """A form as PUT and POST take it."""
    members(body, "", {"id", "title", "sections"})
    form = {"id": own_id(body, assigned), "title": shown(required(body, "title"), "/title")}
    listed = optional(body, "sections", array) or []
    sections = [read_section(one, at("/sections", place)) for place, one in enumerate(listed)]
    check(sections)
    form["sections"] = [{**one, "rows": by_weight(one["rows"])} for one in sections]
    return form


def own(value, pointer: str):
    """An id that is not one of the screen itself."""
    id = identifier(value, pointer)
    if str(id) in RESERVED:
        raise invalid(pointer)
    return id


def read_section(value, pointer: str) -> dict:
    members(value, pointer, {"id", "title", "rows"})
    id = own(required(value, "id", pointer), at(pointer, "id"))
    title = optional(value, "title", shown, pointer)
    rows = optional(value, "rows", read_rows, pointer) or []
    return kept(id=id, title=title, rows=rows)


def read_rows(value, pointer: str, depth: int = 0) -> list:
    listed = array(value, pointer)
    return [read_row(one, at(pointer, place), depth) for place, one in enumerate(listed)]


def read_row(value, pointer: str, depth: int = 0) -> dict:
    members(value, pointer)
    kind = one_of(required(value, "kind", pointer), at(pointer, "kind"), KINDS)
    members(value, pointer, {"id", "kind", "weight", "visibility"} | KINDS[kind])
    row = {"id": own(required(value, "id", pointer), at(pointer, "id")), "kind": kind}
    weights = lambda one, place: whole(one, place, -1_000_000, 1_000_000)
    row["weight"] = optional(value, "weight", weights, pointer) or None
    row["visibility"] = optional(value, "visibility", read_visibility, pointer)
    if kind in FIELDS:
        row |= read_face(value, pointer)
        row |= OWN[kind](value, pointer) if kind in OWN else {}
        row["default"] = read_default(kept(**row), value, pointer)
    else:
        row["text"] = shown(required(value, "text", pointer), at(pointer, "text"))
    if kind == "button":
        does = required(value, "does", pointer)
        row["does"] = one_of(does, at(pointer, "does"), ["submit", "reset"])
    if kind == "group":
        row["collapsed"] = optional(value, "collapsed", boolean, pointer) or None
        if value.get("rows") is not None:
            if depth >= 8:
                raise invalid(at(pointer, "rows"))
            row["rows"] = read_rows(value["rows"], at(pointer, "rows"), depth + 1) or None
    return kept(**row)


def read_visibility(value, pointer: str):
    if value in ("visible", "hidden"):
        return None if value == "visible" else value
    if not isinstance(value, dict):
        raise invalid(pointer)
    members(value, pointer, {"row", "equals"})
    wanted = required(value, "equals", pointer)
    if not isinstance(wanted, (bool, str)):
        raise invalid(at(pointer, "equals"))
    row = identifier(required(value, "row", pointer), at(pointer, "row"))
    return {"row": row, "equals": wanted}


def read_face(value: dict, pointer: str) -> dict:
    return {
        "label": shown(required(value, "label", pointer), at(pointer, "label")),
        "placeholder": optional(value, "placeholder", shown, pointer),
        "required": optional(value, "required", boolean, pointer) or None,
        "errorText": optional(value, "errorText", shown, pointer),
    }


def read_default(field: dict, value: dict, pointer: str):
    if value.get("default") is None:
        return None
    default = read(field, value["default"], at(pointer, "default"))
    if is_empty(field, default):
        return None
    if judged(field, default):
        raise invalid(at(pointer, "default"))
    return laid_out(field, default)


def read_bounds(value: dict, pointer: str, names: tuple, reader) -> dict:
    bounds = {name: optional(value, name, reader, pointer) for name in names}
    least, most = bounds.values()
    if least is not None and most is not None and most < least:
        raise invalid(at(pointer, names[1]))
    return bounds


def read_text(value: dict, pointer: str) -> dict:
    types = ["text", "email", "url", "number"]
    kind = optional(value, "inputType", lambda one, place: one_of(one, place, types), pointer)
    sorts = ["letters", "digits", "lettersAndDigits"]
    characters = optional(
        value, "characters", lambda one, place: one_of(one, place, sorts), pointer
    )
    length = lambda one, place: whole(one, place, 1, 1000)
    row = read_bounds(value, pointer, ("minLength", "maxLength"), length)
    if kind != "number" and (value.get("min") is not None or value.get("max") is not None):
        raise invalid(at(pointer, "min"))
    row |= read_bounds(value, pointer, ("min", "max"), number)
    return row | {"inputType": kind if kind != "text" else None, "characters": characters}


def read_phone(value: dict, pointer: str) -> dict:
    def code(one, place):
        if not re.fullmatch("[1-9][0-9]{0,2}", string(one, place)):
            raise invalid(place)
        return one

    digits = lambda one, place: whole(one, place, 4, 15)
    least = optional(value, "minDigits", digits, pointer) or 8
    most = optional(value, "maxDigits", digits, pointer) or 15
    if least > most:
        raise invalid(pointer)
    return {
        "countryCode": optional(value, "countryCode", code, pointer),
        "minDigits": least if least != 8 else None,
        "maxDigits": most if most != 15 else None,
    }


def read_date(value: dict, pointer: str) -> dict:
    def day(one, place):
        if not is_date(string(one, place)):
            raise invalid(place)
        return one

    return read_bounds(value, pointer, ("min", "max"), day)


def read_dropdown(value: dict, pointer: str) -> dict:
    place = at(pointer, "options")
    listed, options = optional(value, "options", array, pointer), []
    if listed is None:
        return {"options": None}
    for index, one in enumerate(listed):
        members(one, at(place, index), {"id", "title"})
        option = {name: shown(required(one, name, place), place) for name in ("id", "title")}
        if option["id"] in [other["id"] for other in options]:
            raise invalid(place)
        options.append(option)
    if not 1 <= len(options) <= 100:
        raise invalid(place)
    return {"options": options}


def read_fills(value: dict, pointer: str) -> dict:
    def fills(one, place):
        members(one, place, {"name", "city"})
        return {name: identifier(one[name], at(place, name)) for name in one}

    return {"fills": optional(value, "fills", fills, pointer) or None}


OWN = {
    "text": read_text,
    "phone": read_phone,
    "date": read_date,
    "dropdown": read_dropdown,
    "taxNumber": read_fills,
}


def by_weight(rows: list) -> list:
    """The rows, and those beneath them, in the order of their weights."""
    rows = [{**one, "rows": by_weight(one["rows"])} if "rows" in one else one for one in rows]
    return sorted(rows, key=lambda row: row.get("weight", 0))


def walk(rows: list, group: str | None = None, depth: int = 0):
    """All rows with the ids of the groups that they stand in, groups before what is in them."""
    for row in rows:
        yield row, group, depth
        yield from walk(row.get("rows", []), str(row["id"]), depth + 1)


def check(sections: list):
    """What has to hold for a form as a whole; raises `Refused` without a place."""
    whole_form = invalid("")
    whole_form.pointer = None
    rows = [one for section in sections for one in walk(section["rows"])]
    known = {str(row["id"]): row for row, _, _ in rows}
    ids = {str(section["id"]) for section in sections}
    fits = len(sections) <= 50 and len(rows) <= 200 and all(depth <= 8 for _, _, depth in rows)
    fits = fits and len(encoded(sections)) <= 256 * 1024
    if not fits or len(known) < len(rows) or len(ids) < len(sections):
        raise whole_form
    needs = {}
    for row, group, _ in rows:
        needs[str(row["id"])] = {group} - {None}
        seen = row.get("visibility")
        if isinstance(seen, dict):
            other = known.get(str(seen["row"]))
            if not other or other["kind"] not in FIELDS or not can_answer(other, seen["equals"]):
                raise whole_form
            needs[str(row["id"])].add(str(seen["row"]))
        for id in row.get("fills", {}).values():
            other = known.get(str(id))
            if not other or other["kind"] not in TEXTS or other is row:
                raise whole_form
    while settled := [id for id, others in needs.items() if not others & set(needs)]:
        for id in settled:
            del needs[id]
    if needs:
        raise whole_form
