"""Actors on a store of holders with entries, each holder with a screen that loads from it."""

from commands import Outcome, send
from loading import Faults
from run import Run, segment
from shapes import Refused
from stores import Ledger, Store, respelt, spoilt, twin_body
from views import View


# Ids that are the greatest number, or a text that only looks like a number.
STRANGE_NUMBERS = [2**53, 2**53 - 1, str(2**53), "+300", "0300", "3e2", "\u0663\u0660\u0660"]


class SourceActor:
    """What users with posts, listeners with podcasts and forms with activity have in common."""

    name = holders_path = entries_name = unknown_holder = unknown_entry = ""
    screen_name = kind = ""
    most_entries = 0
    source_names: list = []
    holder_count = (1, 3)

    def __init__(self, run: Run):
        self.run = run
        self.holders = self.new_holders()
        self.entry_ledger = Ledger()
        self.entries: dict[str, Store] = {}
        self.screens: dict = {}
        self.views: dict[str, View] = {}
        self.faults = Faults()
        self.targets: dict[str, int] = {}
        for _ in range(run.number(*self.holder_count)):
            self._seed()

    def _seed(self):
        """A holder and entries that the data file brings."""
        id = self.run.texts.id()
        if str(id) in self.holders.docs:
            return
        self.holders.seed(self._right(self.holder_body, id, self.parse_holder))
        self._appeared(str(id))
        for _ in range(self.run.pick([0, 1, 5, self.run.size(self.most_entries)])):
            store = self.entries[str(id)]
            store.seed(self._right(self.entry_body, self.entry_ledger.next, store.parse))

    def _right(self, body, id, parse) -> dict:
        """A random body that is not refused, with an id."""
        while True:
            try:
                return parse({**body(), "id": id}, None, None)
            except Refused:
                pass

    # What a store of its own kind says differently

    def key_of(self, id: str) -> str:
        """The key of the view model of a holder."""
        return id

    def parse_holder(self, body, assigned, current):
        raise NotImplementedError

    def new_holders(self) -> Store:
        return Store(self.run, self.holders_path, self.unknown_holder, self.parse_holder)

    def new_entries(self, holder) -> Store:
        path = f"{self.holders_path}/{segment(holder)}/{self.entries_name}"
        return Store(self.run, path, self.unknown_entry, None, self.entry_ledger)

    # The life of holders

    def _appeared(self, id: str):
        self.entries[id] = self.new_entries(self.holders.docs[id]["id"])
        self.screens[id] = self.new_screen(id)
        if id not in self.views:
            self.views[id] = View(
                self.run,
                self.screen_name,
                self.key_of(id),
                lambda: self.screens[id].content() if id in self.screens else None,
                lambda: id in self.holders.deleted,
            )

    def _vanished(self, id: str):
        del self.entries[id], self.screens[id]
        self.targets.pop(id, None)
        self.views[id].end()

    def holder_changed(self, id: str):
        """A write changed a holder: the screen hears of it."""
        self.screens[id].sources["profile"].changed(self.holders.docs[id])

    def entries_changed(self, id: str):
        source = self.screens[id].sources[self.entries_name]
        source.changed(self.loaded(self.entries_name, id)[0])

    # Steps

    def step(self):
        run = self.run
        kind = run.number(0, 19)
        id = self.holders.any()
        if id is None or kind == 0:
            self._create_holder()
        elif kind == 1 and len(self.holders.docs) > 1 or kind == 1 and run.chance(0.2):
            if self.holders.delete(id):
                self._vanished(id)
        elif kind <= 3:
            self._change_holder(id)
        elif kind <= 5:
            self._script(id)
        elif kind <= 10:
            self.command(id)
        elif kind <= 16:
            self._entries(id)
        elif kind == 17:
            self.check_feed(id)
            self.holders.check_list()
        elif kind == 18:
            self._refusals(id)
        else:
            self.command_refused(id)
        for id in [id] if id else []:
            run.touch(self.views[id])

    def _create_holder(self):
        run = self.run
        body = self.holder_body()
        if len(self.holders.docs) > 4:
            return
        if run.chance(0.6):
            # At best the id of one that was deleted, or one that looks like one that is there.
            gone = list(self.holders.deleted - set(self.holders.docs))
            twin = run.texts.other_id(self.holders.any() or "")
            body["id"] = run.pick([run.texts.id(), twin or run.texts.id(), *gone[:1]])
        if run.chance(0.04):
            # An id that looks like the key of a session of another holder.
            body["id"] = run.pick([*STRANGE_NUMBERS, f"{self.holders.any()}@{'s' * 22}"])
        if run.chance(0.1):
            body = spoilt(run, body)
        id = self.holders.create(body)
        if id is not None:
            self._appeared(id)
            run.touch(self.views[id])

    def _change_holder(self, id: str):
        run, holders = self.run, self.holders
        body = self.holder_body()
        kind = run.number(0, 5)
        if kind == 0:
            body = dict(holders.docs[id])
        elif kind <= 2:
            body = twin_body(run, holders.docs[id]) or body
        if run.chance(0.15):
            body = spoilt(run, body)
        if run.chance(0.1):
            body["id"] = respelt(holders.docs[id]["id"])
        put = run.chance(0.5)
        if (holders.replace if put else holders.patch)(id, body):
            self.holder_changed(id)

    def _entries(self, id: str):
        """Grows or shrinks the entries of a holder to a size, or changes some of them."""
        run, store = self.run, self.entries[id]
        count = len(store.docs)
        if id not in self.targets or count == self.targets[id]:
            self.targets[id] = run.size(self.most_entries, count)
        away = self.targets[id] - count
        run.note_size(self.kind, count)
        if run.chance(0.4) and count:
            return self._change_entry(id)
        steps = abs(away) if abs(away) <= 3 or run.chance(0.5) else abs(away) - 2
        for _ in range(min(max(steps, 1), 60)):
            if away >= 0 or not store.docs:
                self.create_entry(id)
            elif store.delete(self.pick_entry(store)):
                self.entries_changed(id)
            run.note_size(self.kind, len(store.docs))

    def check_feed(self, id: str):
        """Compares all entries of a holder."""
        self.entries[id].check_list()

    def pick_entry(self, store: Store) -> str:
        ids = list(store.docs)
        return self.run.pick([ids[0], ids[-1], self.run.pick(ids)])

    def create_entry(self, id: str):
        run, store = self.run, self.entries[id]
        body = self.entry_body()
        if run.chance(0.3):
            twin = run.texts.other_id(store.any() or "")
            body["id"] = run.pick([run.texts.id(), twin or run.texts.id(), store.any() or 1])
        if run.chance(0.005):
            body["id"] = run.pick(STRANGE_NUMBERS)
        if run.chance(0.05):
            body = spoilt(run, body)
        if store.create(body) is not None:
            self.entries_changed(id)

    def _change_entry(self, id: str):
        run, store = self.run, self.entries[id]
        entry = self.pick_entry(store)
        body = self.entry_body()
        kind = run.number(0, 5)
        if kind == 0:
            body = dict(store.docs[entry])
        elif kind <= 2:
            body = twin_body(run, store.docs[entry]) or body
        if run.chance(0.15):
            body = spoilt(run, body)
        if (store.replace if run.chance(0.5) else store.patch)(entry, body):
            self.entries_changed(id)

    def _refusals(self, id: str):
        """What is not there."""
        strange = self.holders.strange_id()
        if strange not in self.holders.docs:
            self.holders.check(strange)
            self.holders.patch(strange, self.holder_body())
            self.holders.delete(strange)
        store = self.entries[id]
        strange = store.strange_id()
        if strange not in store.docs:
            store.check(strange)
            store.replace(strange, self.entry_body())
            store.delete(strange)

    def command_refused(self, id: str):
        """A command that the screen does not have, or that has one member too many."""
        body, pointer = self.run.pick(
            [({"type": "sing"}, "/type"), ({"type": 1}, "/type"), ({}, "/type"),
             ({"type": "cancelProfile", "why": 1}, None)]
        )  # fmt: skip

        def take():
            raise Refused(422, "invalid-command", pointer)

        send(self.run, self.views[id], body, take)

    def _script(self, id: str):
        """Scripts how the next loads of a source end."""
        source = self.run.pick(self.source_names)
        path = f"/v1/faults/{source}/{segment(id)}"
        if self.run.chance(0.3):
            answer = self.run.call("DELETE", path)
            self.run.expect(answer.status == 204, "204", answer)
            self.faults.scripts.pop((source, id), None)
            return
        fog = {"code": "fog", "detail": "No <b>view</b>."}
        outcomes = [
            self.run.pick(["succeed", "fail", fog, "hang", "late"])
            for _ in range(self.run.number(0, 3))
        ]
        script = {
            "outcomes": outcomes,
            "then": self.run.pick(["succeed", "succeed", "fail", "hang"]),
        }
        self.run.expect_json(self.run.call("PUT", path, script), script)
        self.faults.scripts[source, id] = script
        self.run.expect_json(self.run.get(path), script)

    def take_loads(self, id: str, names: list) -> Outcome:
        """Loads of some sources; gives what ends, and how."""
        outcome = Outcome(False)
        for name in names:
            source = self.screens[id].sources[name]
            if not source.load():
                continue
            outcome.accepted = True
            end = self.faults.next(name, id)
            if end in ("hang", "late"):
                outcome.hangs = True
                continue

            def finish(source=source, name=name, end=end):
                code = self.faults.code(end)
                value, code = self.loaded(name, id) if code is None else (None, code)
                source.end(value, code)
                self.views[id].note_end(name, code)

            outcome.loads.append(finish)
        return outcome

    def random_date(self) -> str:
        """A date that is not that of the server's clock."""
        run = self.run
        year = run.pick([1970, 1999, 2001, 2016, 2090])
        day = f"{year}-{run.number(1, 12):02}-{run.number(1, 28):02}"
        return run.pick(
            [day, day + "T12:00:00Z", day + "T23:59:59.999Z", day + "T00:30:00+01:00", "2001-02-03"]
        )

    def finish(self):
        """Compares all that there is."""
        self.holders.check_list()
        for id, store in self.entries.items():
            self.check_feed(id)
            for entry in list(store.docs)[:3]:
                store.check(entry)
        for view in self.views.values():
            view.check()
