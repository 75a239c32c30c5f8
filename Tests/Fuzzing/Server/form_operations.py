"""The operations on the rows of a form, by the plainest code there is."""

from form_rows import check, read_row, read_section
from form_state import Row, Section, walk
from shapes import Refused, array, identifier, members, misplaced, one_of, required, shown

MEMBERS = {
    "insertBefore": {"rows", "row"},
    "insertAfter": {"rows", "row"},
    "insertAtStart": {"rows", "section", "group"},
    "insertAtEnd": {"rows", "section", "group"},
    "append": {"rows", "section", "group"},
    "replace": {"row", "with"},
    "swap": {"row", "other"},
    "remove": {"ids"},
    "clear": {"section", "group"},
    "appendSection": {"newSection"},
    "insertSectionBefore": {"newSection", "section"},
    "insertSectionAfter": {"newSection", "section"},
    "renameSection": {"section", "title"},
    "clearTitle": {"section"},
    "removeSection": {"section"},
}
WITH_PLACES = {"insertBefore", "insertAfter", "insertAtStart", "insertAtEnd"}


def read_operation(value) -> dict:
    """An operation; ids become texts, descriptions rows."""
    members(value, "")
    name = one_of(required(value, "operation"), "/operation", MEMBERS)
    members(value, "", MEMBERS[name] | {"operation"})
    read: dict = {"name": name}
    if "rows" in MEMBERS[name]:
        rows = [read_row(one, "") for one in array(required(value, "rows"), "/rows")]
        if name in WITH_PLACES:
            check_weightless(value["rows"])
        read["rows"] = [Row(row) for row in rows]
    if name == "replace":
        read["with"] = Row(read_row(required(value, "with"), "/with"))
        check_weightless([value["with"]])
    if name == "remove":
        read["ids"] = [str(identifier(id, "")) for id in array(required(value, "ids"), "/ids")]
    if "newSection" in MEMBERS[name]:
        read["new"] = read_section(required(value, "newSection"), "")
    if name == "renameSection":
        read["title"] = shown(required(value, "title"), "/title")
    for member in {"row", "other", "section", "group"} & MEMBERS[name]:
        is_needed = member in ("row", "other") or "Section" in name or name == "clearTitle"
        id = required(value, member) if is_needed else value.get(member)
        read[member] = str(identifier(id, "")) if id is not None or is_needed else None
    if read.get("group") is not None and read.get("section") is not None:
        raise Refused(422, "")
    return read


def check_weightless(values: list):
    if any(value.get("weight") is not None for value in values):
        raise Refused(422, "")


def applied(sections: list, batch) -> list:
    """The sections after a batch, which are changed in place; raises `Refused`."""
    try:
        if not isinstance(batch, list) or len(batch) > 200:
            raise Refused(422, "")
        operations = [read_operation(one) for one in batch]
        for operation in operations:
            Arranger(sections).do(operation)
        check([section.description() for section in sections])
    except (Refused, LookupError):
        raise misplaced(within="/operations") from None
    return sections


class Arranger:
    """Does one operation. A LookupError says that something is not there, or there already."""

    def __init__(self, sections: list):
        self.sections = sections

    def siblings(self, id: str) -> tuple[list, int]:
        """The list in which a row stands, and where."""
        lists = [section.rows for section in self.sections]
        lists += [row.children for one in self.sections for row, _ in walk(one.rows)]
        for rows in lists:
            for place, row in enumerate(rows):
                if row.id == id:
                    return rows, place
        raise LookupError(id)

    def section(self, id: str) -> int:
        for place, section in enumerate(self.sections):
            if str(section.id) == id:
                return place
        raise LookupError(id)

    def container(self, operation: dict, default: int) -> list:
        if operation["group"] is not None:
            rows, place = self.siblings(operation["group"])
            if rows[place].kind != "group":
                raise LookupError("no group")
            return rows[place].children
        if operation["section"] is not None:
            return self.sections[self.section(operation["section"])].rows
        return self.sections[default].rows

    def check_new(self, rows: list):
        known = [row.id for section in self.sections for row, _ in walk(section.rows)]
        new = [row.id for row, _ in walk(rows)]
        if len(set(known + new)) < len(known) + len(new):
            raise LookupError("taken")

    def do(self, operation: dict):
        getattr(self, operation["name"])(operation)

    def insertBefore(self, operation: dict, shift: int = 0):
        rows, place = self.siblings(operation["row"])
        self.check_new(operation["rows"])
        weight = rows[place].weight
        rows[place + shift : place + shift] = placed(operation["rows"], weight)

    def insertAfter(self, operation: dict):
        self.insertBefore(operation, 1)

    def insertAtStart(self, operation: dict):
        rows = self.container(operation, 0)
        self.check_new(operation["rows"])
        rows[:0] = placed(operation["rows"], rows[0].weight if rows else 0)

    def insertAtEnd(self, operation: dict):
        rows = self.container(operation, -1)
        self.check_new(operation["rows"])
        rows += placed(operation["rows"], rows[-1].weight if rows else 0)

    def append(self, operation: dict):
        rows = self.container(operation, -1)
        self.check_new(operation["rows"])
        for row in operation["rows"]:
            place = sum(1 for other in rows if other.weight <= row.weight)
            rows.insert(place, row.sorted())

    def replace(self, operation: dict):
        rows, place = self.siblings(operation["row"])
        old = rows.pop(place)
        self.check_new([operation["with"]])
        rows.insert(place, operation["with"].sorted().weighing(old.weight))

    def swap(self, operation: dict):
        (rows, place), (others, other) = (
            self.siblings(operation["row"]),
            self.siblings(operation["other"]),
        )
        one, two = rows[place], others[other]
        beneath = {row.id for row, _ in walk([one])} & {row.id for row, _ in walk([two])}
        if beneath:
            raise LookupError("one beneath the other")
        weights = one.weight, two.weight
        rows[place], others[other] = two.weighing(weights[0]), one.weighing(weights[1])

    def remove(self, operation: dict):
        for id in operation["ids"]:
            rows, place = self.siblings(id)
            del rows[place]

    def clear(self, operation: dict):
        if operation["group"] is None and operation["section"] is None:
            for section in self.sections:
                section.rows.clear()
        else:
            self.container(operation, 0).clear()

    def insertSectionBefore(self, operation: dict, shift: int = 0):
        self.insert_section(operation, self.section(operation["section"]) + shift)

    def insert_section(self, operation: dict, place: int):
        new = operation["new"]
        if str(new["id"]) in [str(section.id) for section in self.sections]:
            raise LookupError("taken")
        rows = [Row(row) for row in new["rows"]]
        self.check_new(rows)
        rows = sorted((row.sorted() for row in rows), key=lambda row: row.weight)
        section = Section(new["id"], new.get("title"), rows)
        self.sections.insert(place, section)

    def appendSection(self, operation: dict):
        self.insert_section(operation, len(self.sections))

    def renameSection(self, operation: dict):
        self.sections[self.section(operation["section"])].title = operation.get("title")

    def clearTitle(self, operation: dict):
        self.renameSection(operation)

    def insertSectionAfter(self, operation: dict):
        self.insertSectionBefore(operation, 1)

    def removeSection(self, operation: dict):
        del self.sections[self.section(operation["section"])]


def placed(rows: list, weight: int) -> list:
    return [row.sorted().weighing(weight) for row in rows]
