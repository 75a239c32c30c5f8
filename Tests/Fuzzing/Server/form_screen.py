"""The screen `form`: forms, their entries, the companies that they look up, and all commands."""

import canonical
from commands import Outcome, send
from form_bodies import FormBodies
from form_content import content
from form_operations import applied
from form_rows import read_form
from form_state import MOST_FIRMS, FormState
from form_stores import Companies, read_entry, without_place
from lookups import newest_first
from run import Run
from sessions import PersonalActor, holder_of
from shapes import Refused, moment


class Screen(FormState):
    """The state of a form with its rows."""

    def content(self) -> dict:
        return content(self)


class Forms(PersonalActor):
    """Fills in, arranges, sends and rewrites forms."""

    name, holders_path, entries_name = "form", "/v1/forms", "entries"
    unknown_holder, unknown_entry = "unknown-form", "unknown-entry"
    screen_name, most_entries, kind = "form", 1100, "entries"
    source_names = ["activity", "registry", "submission"]
    holder_count = (1, 2)

    def __init__(self, run: Run):
        self.bodies = FormBodies(run)
        self.companies = Companies(run, self.bodies)
        super().__init__(run)

    def parse_holder(self, body, assigned, current):
        return without_place(read_form)(body, assigned, current)

    def new_entries(self, holder):
        store = super().new_entries(holder)
        store.parse = without_place(read_entry)
        store.arranged = newest_first
        return store

    def new_screen(self, id):
        return Screen(self.holders.docs[id])

    def data(self) -> dict:
        forms = [
            {**doc, "activity": list(self.entries[id].docs.values())}
            for id, doc in self.holders.docs.items()
        ]
        return {"forms": forms, "companies": list(self.companies.store.docs.values())}

    def holder_changed(self, id: str):
        for key in self.keys(id):
            self.screens[key].replace(self.holders.docs[id])
            self.run.touch(self.views[key])

    def entries_changed(self, id: str):
        for key in self.keys(id):
            self.screens[key].activity.changed(self.listed_entries(id))
            self.run.touch(self.views[key])

    def listed_entries(self, id: str) -> list:
        return newest_first(self.entries[id].docs.values())

    # Random bodies

    def holder_body(self) -> dict:
        for _ in range(20):
            body = self.bodies.form()
            try:
                read_form(body, 1)
                return body
            except Refused:
                if self.run.chance(0.1) and self.holders_started:
                    return body
        return {"title": self.bodies.text(), "sections": []}

    @property
    def holders_started(self) -> bool:
        return hasattr(self.run, "client")

    def entry_body(self) -> dict:
        run = self.run
        body = {"date": self.random_date(), "text": run.texts.text(200)}
        if run.chance(0.2):
            names = ["é", "a", "\U0010ffff", "\uffff", "K"]
            if run.equal_names:
                names += ["e\u0301", "\u212a"]
            some = run.random.sample(names, run.number(0, len(names)))
            body["answers"] = {name: run.pick([1, 0.5, 1e-7, None, "x", [1.0]]) for name in some}
        return body

    # Steps

    def step(self):
        id = self.holders.any()
        if self.run.chance(0.1):
            self.companies.step()
            self._companies_changed()
        elif id is not None and self.run.chance(0.7):
            self.command(id)
        else:
            super().step()

    def command(self, id: str):
        key = self.some_key(id)
        run, screen = self.run, self.screens[key]
        run.touch(self.views[key])
        kind = run.number(0, 19)
        rows = screen.all_shown()
        fields = [row for row in rows if row.is_field]
        if kind <= 7 and fields:
            row = run.pick(fields)
            value = self.bodies.value(row.spec)
            if isinstance(row.value, str) and run.chance(0.2):
                value = run.texts.twin(row.value) or value
            body = {"type": "didChange", "row": row.spec["id"], "value": value}
        elif kind <= 11 and rows:
            body = self._event(rows)
        elif kind <= 13:
            name = run.pick(["submit", "submit", "submit", "cancelSubmit", "reset"])
            body = {"type": name}
        elif kind <= 14:
            name = run.pick(
                ["loadActivity", "loadNextPage", "loadNextPage", "retryPage", "cancelPage"]
            )
            body = {"type": name}
        elif kind <= 16:
            return self._resize(key)
        else:
            operations = [self.bodies.operation(screen) for _ in range(run.pick([1, 1, 1, 2, 3]))]
            body = {"type": "apply", "operations": operations}
        send(run, self.views[key], body, lambda: self._take(key, body))
        run.note_size("form rows", sum(1 for _ in screen.rows()))
        run.note_size("form sections", len(screen.sections))

    def _event(self, rows: list) -> dict:
        """An event of a row, mostly one that it has at the time."""
        run = self.run
        choices = [("didSelect", row.spec["id"]) for row in rows if row.kind == "group"]
        choices += [("didTap", row.spec["id"]) for row in rows if row.kind == "button"]
        for row in rows:
            part = {"isLoading": "loading", "failed": "failed"}.get(row.lookup.state)
            choices += [("didTap", f"{row.id}/{part}")] * 4 if part else []
            for company in (row.lookup.value or [])[:MOST_FIRMS]:
                choices += [("didSelect", f"{row.id}/company/{company['id']}")] * 3
        if not choices or run.chance(0.15):
            row = run.pick(rows)
            parts = ["", "/", "/loading", "/failed", "/company/1", "/error"]
            ids = [row.id + run.pick(parts), run.texts.other_id(row.id) or "no such"]
            choices = [(run.pick(["didSelect", "didTap", "didChange"]), run.pick(ids))]
        name, id = run.pick(choices)
        value = {"value": "a"} if name == "didChange" else {}
        return {"type": name, "row": id, **value}

    def _resize(self, key):
        """Brings the number of rows or sections of a form beside a threshold."""
        run, screen = self.run, self.screens[key]
        kind = run.pick(["rows", "rows", "sections"])
        ids = [row.spec["id"] for row, _ in screen.rows()]
        sections = [section.id for section in screen.sections]
        operations: list = []
        if kind == "sections" and sections:
            away = min(run.size(50, len(sections)), 50) - len(sections)
            for _ in range(away):
                name = run.pick(["insertSectionBefore", "insertSectionAfter"])
                self.bodies.count += 1
                new = {"id": f"s{self.bodies.count}"}
                operations.append(
                    {"operation": name, "section": run.pick(sections), "newSection": new}
                )
            for section in run.random.sample(sections, max(0, -away)):
                operations.append({"operation": "removeSection", "section": section})
        elif sections:
            away = run.pick([run.size(200, len(ids))] * 4 + [200]) - len(ids)
            new = []
            for _ in range(away):
                self.bodies.count += 1
                new.append({"id": f"r{self.bodies.count}", "kind": "header", "text": "T"})
            operations.append({"operation": "append", "rows": new, "section": run.pick(sections)})
            tops = [row.spec["id"] for section in screen.sections for row in section.rows]
            gone = run.random.sample(tops, min(len(tops), max(0, -away)))
            operations.append({"operation": "remove", "ids": gone})
        body = {"type": "apply", "operations": operations}
        send(run, self.views[key], body, lambda: self._take(key, body))
        run.note_size("form rows", sum(1 for _ in screen.rows()))
        run.note_size("form sections", len(screen.sections))

    def _take(self, key, body: dict) -> Outcome:
        """What a command does to the model."""
        screen, name = self.screens[key], body["type"]
        before = screen.image()
        lookups: list = []
        sent = paged = False
        if name in ("didChange", "didSelect", "didTap"):
            lookups, sent = screen.take(name, str(body["row"]), body.get("value"))
        elif name == "submit":
            sent = screen.submit()
        elif name == "cancelSubmit":
            screen.submission.cancel()
        elif name == "reset":
            screen.reset()
        elif name == "apply":
            screen.apply(body["operations"], applied)
        elif name == "cancelPage":
            screen.activity.cancel()
        else:
            paging = screen.activity
            starts = {"loadActivity": paging.load, "retryPage": paging.retry}
            paged = starts.get(name, paging.load_next)()
        outcome = Outcome(screen.image() != before)
        for row in lookups:
            self._start(outcome, key, "registry", lambda code, row=row: self._found(row, code))
        if sent:
            self._start(outcome, key, "submission", lambda code: self._sent(key, code))
        if paged:
            entries = lambda code: screen.activity.finish(self.listed_entries(holder_of(key)), code)
            self._start(outcome, key, "activity", entries)
        return outcome

    def _start(self, outcome: Outcome, key, source: str, end):
        outcome.accepted = True
        how = self.faults.next(source, holder_of(key))
        if how in ("hang", "late"):
            outcome.hangs = True
        else:
            code = self.faults.code(how)
            self.views[key].note_end(source, code)
            outcome.loads.append(lambda: end(code))

    def _found(self, row, code: str | None):
        found = self.companies.with_number(row.lookup.query)
        row.lookup.end(found if code is None else None, code)

    def _companies_changed(self):
        """A write changed the companies: the rows that were found change with them, and forms that
        found none get a newer revision."""
        for key, screen in self.screens.items():
            for row, _ in screen.rows():
                if row.lookup.state == "loaded":
                    row.lookup.value = self.companies.with_number(row.lookup.query)
            self.run.touch(self.views[key])

    def _sent(self, key, code: str | None):
        """The form was sent: that is an entry, whose date is that of the server's clock."""
        id = holder_of(key)
        run, screen, store = self.run, self.screens[key], self.entries[id]
        if code is None:
            entry = str(store.free())
            self._wait(key, "submission")
            doc = run.get(store.url(entry)).json
            answers = screen.submission.query
            wanted = {"id": store.free(), "text": sent_text(screen.form["title"])}
            wanted |= {"answers": answers, "date": doc.get("date")}
            run.expect(moment(str(doc.get("date"))) == doc.get("date"), "a date", doc)
            same = canonical.encoded(doc) == canonical.encoded(wanted)
            run.expect(same, wanted, doc)
            store.docs[entry] = wanted
            store.ledger.use(entry)
            self.entries_changed(id)
        screen.submission.end(code is None or None, code)

    def _wait(self, key, source: str):
        """Waits by long polls until a source has ended what it does."""
        view = self.views[key]
        token = view.current.token
        while True:
            answer = self.run.call("GET", f"{view.path}/diff?since={token}&wait=20")
            self.run.expect(answer.status == 200, f"an end of the {source}", answer)
            token = answer.json["revision"]
            if self.run.get(view.path).json["states"][source] != "isLoading":
                return

    def finish(self):
        super().finish()
        self.companies.store.check_list()


def sent_text(title: str) -> str:
    """What an entry says of a form that was sent: at most 1,000 bytes."""
    whole = f"{title}: sent"
    if len(whole.encode()) <= 1000:
        return whole
    end = "\u2026: sent"
    return title.encode()[: 1000 - len(end.encode())].decode(errors="ignore") + end
