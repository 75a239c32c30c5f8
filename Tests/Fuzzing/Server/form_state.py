"""What the screen `form` knows: rows with what was entered into them, and what users do to them."""

from copy import deepcopy
from dataclasses import dataclass

import form_fields
from canonical import encoded
from form_fields import FIELDS
from lookups import Lookup, Paging
from shapes import Refused, misplaced

# The largest number of firms that are shown for a tax number.
MOST_FIRMS = 20


class Row:
    """A row of a form with its state and the rows beneath it."""

    def __init__(self, spec: dict):
        self.spec = {name: value for name, value in spec.items() if name != "rows"}
        self.children = [Row(one) for one in spec.get("rows", [])]
        self.id, self.kind = str(spec["id"]), spec["kind"]
        self.value = form_fields.initial(spec) if self.is_field else None
        self.fault: tuple | None = None
        # Whether the value was entered, and whether it was entered or judged.
        self.entered = self.touched = False
        # Whether a user or an error has collapsed the group; None if it is as it begins.
        self.folded: bool | None = None
        self.lookup = Lookup()

    @property
    def collapsed(self) -> bool:
        return self.spec.get("collapsed", False) if self.folded is None else self.folded

    @property
    def is_field(self) -> bool:
        return self.spec["kind"] in FIELDS

    @property
    def weight(self) -> int:
        return self.spec.get("weight", 0)

    def weighing(self, weight: int) -> "Row":
        self.spec = {name: value for name, value in self.spec.items() if name != "weight"}
        if weight:
            self.spec["weight"] = weight
        return self

    def sorted(self) -> "Row":
        self.children = sorted((one.sorted() for one in self.children), key=lambda row: row.weight)
        return self

    def description(self) -> dict:
        rows = [child.description() for child in self.children]
        return {**self.spec, **({"rows": rows} if rows else {})}

    def enter(self, value) -> bool:
        """Gives whether a look-up starts."""
        self.fault = form_fields.judged(self.spec, value)
        self.value = form_fields.laid_out(self.spec, value)
        self.entered = self.touched = True
        if self.kind == "taxNumber":
            return self.lookup.ask(form_fields.tax_number(self.value))
        return False

    def adopt(self, old: "Row"):
        """Takes over what was done to the row that had its id and kind."""
        self.folded, self.lookup = old.folded, old.lookup
        if self.is_field and old.touched and not old.entered:
            # It has the default of the new description.
            self.fault, self.touched = form_fields.judged(self.spec, self.value), True
        elif self.is_field and old.entered:
            try:
                form_fields.read(self.spec, old.value, "")
            except Refused:
                return
            lookup, self.lookup = self.lookup, Lookup()
            self.enter(old.value)
            self.lookup = lookup

    def image(self) -> tuple:
        return (
            encoded(self.spec),
            self.value,
            self.fault,
            self.entered,
            self.touched,
            self.folded,
            self.lookup.image(),
        )


@dataclass
class Section:
    id: object
    title: str | None
    rows: list

    def description(self) -> dict:
        title = {} if self.title is None else {"title": self.title}
        return {"id": self.id, "rows": [row.description() for row in self.rows], **title}


def sections_of(form: dict) -> list:
    return [
        Section(one["id"], one.get("title"), [Row(row) for row in one["rows"]])
        for one in form["sections"]
    ]


def walk(rows: list, group: Row | None = None):
    for row in rows:
        yield row, group
        yield from walk(row.children, row)


class FormState:
    """One form on its screen. Commands give the rows whose look-ups start."""

    def __init__(self, form: dict):
        self.form = form
        self.sections = sections_of(form)
        self.submission = Lookup()
        self.activity = Paging()

    def rows(self):
        for section in self.sections:
            yield from walk(section.rows)

    def row(self, id: str) -> Row | None:
        return next((row for row, _ in self.rows() if row.id == id), None)

    def image(self) -> str:
        """All that a command may change, to be compared."""
        parts = [(section.id, section.title) for section in self.sections]
        rows = [(row.image(), group.id if group else None) for row, group in self.rows()]
        return repr((self.form, parts, rows, self.submission.image(), self.activity))

    # What is shown

    def visible(self) -> dict:
        """The rows that may be shown, by their ids; whether a group is collapsed does not count."""
        rows = {row.id: (row, group) for row, group in self.rows()}
        known: dict[str, bool] = {}

        def is_visible(id: str) -> bool:
            if id not in known:
                row, group = rows[id]
                rule = row.spec.get("visibility", "visible")
                known[id] = (group is None or is_visible(group.id)) and rule != "hidden"
                if isinstance(rule, dict) and known[id]:
                    other = str(rule["row"])
                    same = other in rows and rows[other][0].value == rule["equals"]
                    known[id] = same and is_visible(other)
            return known[id]

        return {id: row for id, (row, _) in rows.items() if is_visible(id)}

    def carried(self, visible: dict) -> set:
        """The rows that are hidden for good, and whose values are sent all the same."""
        hidden, carried = set(), set()
        for row, group in self.rows():
            rule = row.spec.get("visibility", "visible")
            beneath_hidden = group is not None and group.id in hidden
            beneath_visible = group is None or group.id in visible
            is_hidden = (
                beneath_hidden
                if rule == "visible"
                else rule == "hidden" and (beneath_hidden or beneath_visible)
            )
            if is_hidden:
                hidden.add(row.id)
                filled = row.is_field and not form_fields.is_empty(row.spec, row.value)
                if filled and not form_fields.judged(row.spec, row.value):
                    carried.add(row.id)
        return carried

    def shown(self, rows: list, visible: dict, depth: int = 0):
        """The rows of a list that are shown, each with how deep it stands."""
        for row in rows:
            if row.id in visible:
                yield row, depth
                if not row.collapsed:
                    yield from self.shown(row.children, visible, depth + 1)

    def all_shown(self) -> list:
        visible = self.visible()
        return [row for one in self.sections for row, _ in self.shown(one.rows, visible)]

    # What users do

    def arrange(self, sections: list, is_keeping: bool):
        """Puts other rows in the place of these; what was entered stays in rows that stay."""
        old = {row.id: row for row, _ in self.rows()}
        self.sections = sections
        for row, _ in self.rows():
            previous = old.get(row.id)
            if is_keeping and previous is not None and previous.kind == row.kind:
                row.adopt(previous)
        self._show_errors()

    def _show_errors(self):
        """Opens the groups around wrong values that can be seen, if nobody has collapsed them."""
        groups = {row.id: group for row, group in self.rows()}
        for row in self.visible().values():
            group = groups[row.id]
            while row.fault is not None and group is not None:
                if group.collapsed and group.folded is None:
                    group.folded = False
                group = groups[group.id]

    def replace(self, form: dict):
        is_same = encoded(form["sections"]) == encoded(self.form["sections"])
        self.form = form
        if not is_same:
            self.arrange(sections_of(form), True)

    def reset(self):
        self.arrange(sections_of(self.form), False)
        self.submission.ask(None)

    def apply(self, batch, operations):
        """Arranges the rows anew by `operations`, which may raise `Refused`."""
        self.arrange(operations(deepcopy(self.sections), batch), True)

    def submit(self) -> bool:
        """Whether the answers are sent."""
        if self.submission.state == "isLoading":
            return False
        visible = self.visible()
        wrong = False
        for row, group in self.rows():
            if row.id not in visible or not row.is_field:
                continue
            row.fault, row.touched = form_fields.judged(row.spec, row.value), True
            wrong = wrong or row.fault is not None
        if wrong:
            self.unfold()
            return False
        sent = set(visible) | self.carried(visible)
        fields = [row for row, _ in self.rows() if row.is_field and row.id in sent]
        answers = {row.id: form_fields.submitted(row.spec, row.value) for row in fields}
        return self.submission.ask(answers)

    def unfold(self):
        """Opens the groups around wrong values that can be seen."""
        visible = self.visible()

        def is_wrong(row: Row) -> bool:
            inside = [is_wrong(child) for child in row.children]
            if any(inside) and row.collapsed:
                row.folded = False
            return any(inside) or row.id in visible and row.is_field and row.fault is not None

        for section in self.sections:
            for row in section.rows:
                is_wrong(row)

    def take(self, event: str, id: str, value) -> tuple[list, bool]:
        """An event of a row; gives the look-ups that start, and whether the form is sent."""
        name, _, part = id.partition("/")
        if not part:
            name = id
        row = next((row for row in self.all_shown() if row.id == name), None)
        if row is None:
            raise misplaced("/row")
        before = {row.id: row.value for row, _ in self.rows() if row.is_field}
        lookups, sent = [], False
        if event == "didChange" and row.is_field and not part:
            try:
                value = form_fields.read(row.spec, value, "/value")
            except Refused:
                raise misplaced(within="/value") from None
            if row.enter(value):
                lookups.append(row)
        elif event == "didSelect" and row.kind == "group" and not part:
            row.folded = not row.collapsed
        elif event == "didSelect" and row.kind == "taxNumber":
            lookups += self._fill(row, part)
        elif event == "didTap" and row.kind == "button" and not part:
            if row.spec["does"] == "submit":
                sent = self.submit()
            else:
                self.reset()
        elif event == "didTap" and (part, row.lookup.state) == ("loading", "isLoading"):
            row.lookup.cancel()
        elif event == "didTap" and (part, row.lookup.state) == ("failed", "failed"):
            row.lookup.retry()
            lookups.append(row)
        else:
            raise misplaced("/row")
        after = {row.id: row.value for row, _ in self.rows() if row.is_field}
        if after != before and self.submission.state != "isLoading":
            self.submission.ask(None)
        return lookups, sent

    def _fill(self, row: Row, part: str) -> list:
        companies = {f"company/{one['id']}": one for one in (row.lookup.value or [])[:MOST_FIRMS]}
        if row.lookup.state != "loaded" or part not in companies:
            raise misplaced("/row")
        starting = []
        for name, id in sorted(row.spec.get("fills", {}).items()):
            other = self.row(str(id))
            if other is not None and other.enter(companies[part][name]):
                starting.append(other)
        return starting
