"""Random forms, rows, operations and values."""

from form_fields import FIELDS, can_answer, check_digit, judged, read
from form_operations import MEMBERS
from form_rows import KINDS
from form_state import FormState
from run import Run
from shapes import Refused
from stores import spoilt

VALUES = {
    "email": ["a@b.de", "a@b", "@b.de", "a@@b.de", "a b@c.de", "é@é.fr", "a@b..de", "a@-b.de", " a@b.de\u3000"],
    "url": ["https://a.de", "http://a.de/b?c#d", "a.de", "https://a", "https://ä.de:80",
            "https://a b.de", "HTTPS://[::1]:80/ä", "https://a.de:0", "https://u@a.de", "https://a.de/\\"],
    "number": ["0", "40", "-1", "1.5", "1,5", "1e5", "+3", "٣", "5\u0301", "007", "12345678901234567", " 2 "],
    "phone": ["030 901820", "+49 (30) 901820", "0049 30 901820", "123", "+0", "+1234567890123456",
              "+49\u00a030 901820", "+49 30 90\u0301", "+1234"],
    "date": ["2026-02-28", "2026-02-30", "1899-12-31", "2026-2-3", " 2000-01-01 ", "2000-01-01T00:00:00Z"],
}  # fmt: skip


class FormBodies:
    """Draws what is written to forms and entered into them."""

    def __init__(self, run: Run):
        self.run = run
        pairs = ["é", "e\u0301", "K", "\u212a", ";", "\u037e"] if run.texts.equal_ids else []
        self.ids = [*(f"f{number}" for number in range(12)), *pairs, 1, "2", "ก็", "👨\u200d👩"]
        self.numbers = [self._tax_number(number) for number in (12345678, 98765432, 55555555)]
        self.count = 0

    @staticmethod
    def _tax_number(number: int) -> str:
        return f"DE{number}{check_digit(str(number))}"

    def text(self) -> str:
        """A label, or a title."""
        return self.run.texts.text(60)

    def name(self) -> str:
        """A text that may be entered into a field."""
        return self.run.texts.plain(1, 8)

    def fresh_id(self):
        self.count += 1
        return f"r{self.count}" if self.run.chance(0.6) else self.run.pick(self.ids)

    def form(self) -> dict:
        run = self.run
        sections: list = []
        known: list = []
        for number in range(run.pick([0, 1, 2, 3])):
            section: dict = {"id": run.pick([f"s{number}", run.pick(self.ids)]), "rows": []}
            if run.chance(0.5):
                section["title"] = self.text()
            for id in run.random.sample(self.ids, run.number(0, 6)):
                section["rows"].append(self.row(id, known))
            sections.append(section)
        form = {"title": self.text(), "sections": unique(sections)}
        return spoilt(run, form) if run.chance(0.05) else form

    def row(self, id, known: list, depth: int = 0) -> dict:
        """A row of any kind, mostly a right one, that may name some of the rows known before; it
        is one of them then."""
        run = self.run
        kinds = [*KINDS, "text", "text", "switch", "switch", "dropdown", "taxNumber", "taxNumber"]
        kind = run.pick(kinds)
        row: dict = {"id": id, "kind": kind}
        if run.chance(0.3):
            row["weight"] = run.number(-2, 2)
        if run.chance(0.3):
            fields = [one for one in known if one["kind"] in FIELDS]
            when = self._condition(run.pick(fields)) if fields else "visible"
            row["visibility"] = run.pick(["hidden", "visible", when, when])
        if kind in FIELDS:
            row |= self._face()
            getattr(self, f"_{kind}", lambda row, known: None)(row, known)
            if run.chance(0.3):
                row["default"] = self.value(row)
                if judged_or_unread(row) and run.chance(0.95):
                    del row["default"]
        else:
            row["text"] = self.text()
        if kind == "button":
            row["does"] = run.pick(["submit", "submit", "reset"])
        if kind == "group":
            if run.chance(0.4):
                row["collapsed"] = run.chance(0.6)
            count = run.number(0, 3) if depth < 9 else 0
            row["rows"] = [self.row(self.fresh_id(), known, depth + 1) for _ in range(count)]
        known.append(row)
        return spoilt(run, row) if run.chance(0.005) else row

    def _condition(self, other: dict) -> dict:
        """The condition that another row has some value, mostly one that it can have."""
        run = self.run
        values: list = ["a", "abc", True]
        if run.chance(0.95):
            values = [one for one in [True, False, "a", "abc", ""] if can_answer(other, one)]
            values += [option["id"] for option in other.get("options", [])]
        return {"row": other["id"], "equals": run.pick(values or ["a"])}

    def _face(self) -> dict:
        run = self.run
        face: dict = {"label": self.text()}
        for name in ("placeholder", "errorText"):
            if run.chance(0.2):
                face[name] = self.text()
        if run.chance(0.3):
            face["required"] = run.chance(0.7)
        return face

    def _text(self, row: dict, _):
        run = self.run
        kind = run.pick(["text", "text", "email", "url", "number"])
        if kind != "text" or run.chance(0.3):
            row["inputType"] = kind
        if run.chance(0.3):
            row["minLength"] = run.number(1, 5)
        if run.chance(0.3):
            row["maxLength"] = run.pick([3, 5, 10, 1000])
        if run.chance(0.2) and kind == "text":
            row["characters"] = run.pick(["letters", "digits", "lettersAndDigits"])
        if kind == "number":
            if run.chance(0.4):
                row["min"] = run.pick([0, 0.5, -1, 1e-7, -1e308])
            if run.chance(0.4):
                row["max"] = run.pick([40, 1.5, 1e308, 2, 1e21])

    def _phone(self, row: dict, _):
        run = self.run
        if run.chance(0.5):
            row["countryCode"] = "49"
        if run.chance(0.3):
            row["minDigits"] = run.pick([4, 8, 9])
        if run.chance(0.3):
            row["maxDigits"] = run.pick([9, 12, 15])

    def _date(self, row: dict, _):
        if self.run.chance(0.4):
            row["min"] = self.run.pick(["1900-01-01", "2026-01-01"])
        if self.run.chance(0.4):
            row["max"] = self.run.pick(["2026-12-31", "2000-01-01"])

    def _dropdown(self, row: dict, _):
        ids = [
            "a",
            "b",
            "x",
            *(["é", "e\u0301", "K", "\u212a"] if self.run.texts.equal_texts else []),
        ]
        ids = self.run.random.sample(ids, self.run.number(1, len(ids)))
        row["options"] = [{"id": id, "title": self.text()} for id in ids]

    def _taxNumber(self, row: dict, known: list):
        names = self.run.random.sample(["name", "city"], self.run.number(0, 2))
        fields = [one["id"] for one in known if one["kind"] in ("text", "phone", "date")]
        if names and fields:
            row["fills"] = {name: self.run.pick(fields) for name in names}

    def value(self, row: dict):
        """A value for a field, which may be wrong."""
        run, kind = self.run, row["kind"]
        if run.chance(0.04):
            return run.pick([None, True, 1, "", "x" * 8000, "x" * 8001, [], "  "])
        if kind == "switch":
            return run.chance(0.5)
        if kind == "dropdown":
            return run.pick([None, "no such", *(one["id"] for one in row.get("options", []))])
        if kind == "taxNumber":
            number = run.pick(self.numbers)
            spaced = f"{number[:2].lower()} {number[2:5]}.{number[5:]} "
            return run.pick(
                [number, number, spaced, number[:-1] + "x", f"{number[:3]}9{number[4:]}", ""]
            )
        if row.get("characters") and run.chance(0.4):
            # A digit with a mark is no digit, and neither is that of another script.
            return run.pick(
                ["5", "55", "a5", "5\u0301", "5\ufe0f\u20e3", "٥", "é", "e\u0301", "字"]
            )
        choices = VALUES.get(kind) or VALUES.get(row.get("inputType"), [])
        if choices and run.chance(0.8):
            return run.pick(choices)
        text = run.texts.plain(0, run.pick([3, 6, 12]))
        return run.pick([text, text, f" {text}\u00a0", text.replace("7", "")])

    # Operations

    def operation(self, state: FormState) -> dict:
        run = self.run
        name = run.pick(MEMBERS)
        if name in ("clear", "removeSection") and run.chance(0.8):
            name = "swap"
        known = [row.spec for row, _ in state.rows()]
        rows = [row["id"] for row in known] or ["no such"]
        groups = [row.spec["id"] for row, _ in state.rows() if row.kind == "group"]
        sections = [section.id for section in state.sections] or ["no such"]
        operation: dict = {"operation": name}
        for member in sorted(MEMBERS[name]):
            if member == "rows":
                operation["rows"] = self.new_rows(run.number(0, 3), known, name == "append")
            elif member == "with":
                id = operation.get("row", run.pick(rows))
                row = self.row(run.pick([id, id, self.fresh_id()]), known)
                row.pop("weight", None)
                operation["with"] = row
            elif member in ("row", "other"):
                others = [id for id in rows if id != operation.get("other")]
                operation[member] = self._near(others or rows)
            elif member == "ids":
                operation["ids"] = run.random.sample(rows, min(len(rows), run.number(0, 2)))
            elif member == "newSection":
                new = self.new_rows(run.number(0, 2), known, True)
                operation["newSection"] = {"id": self.fresh_id(), "rows": new}
            elif member == "title":
                operation["title"] = self.text()
            elif member == "section":
                if "Section" in name or name == "clearTitle" or run.chance(0.4):
                    operation["section"] = self._near(sections)
            elif groups and "section" not in operation and run.chance(0.3):
                operation["group"] = self._near(groups)
        return spoilt(run, operation) if run.chance(0.03) else operation

    def _near(self, ids: list):
        id = self.run.pick(ids)
        twin = self.run.texts.other_id(str(id)) or "no such"
        return twin if self.run.chance(0.05) else id

    def new_rows(self, count: int, known: list, has_weight: bool) -> list:
        rows = [self.row(self.fresh_id(), known) for _ in range(count)]
        if not has_weight:
            for row in rows:
                row.pop("weight", None)
        return rows


def judged_or_unread(row: dict) -> bool:
    """Whether the default of a row cannot be one."""
    try:
        return judged(row, read(row, row["default"], "")) is not None
    except Refused:
        return True


def unique(sections: list) -> list:
    """The sections without those, and without the rows, whose ids others have already."""
    seen: set = set()
    names: set = set()

    def first(rows: list) -> list:
        kept = []
        for row in rows:
            if str(row.get("id")) in seen:
                continue
            seen.add(str(row.get("id")))
            inner = isinstance(row.get("rows"), list)
            kept.append({**row, "rows": first(row["rows"])} if inner else row)
        return kept

    result = []
    for section in sections:
        if str(section["id"]) not in names:
            names.add(str(section["id"]))
            result.append({**section, "rows": first(section["rows"])})
    return result
