"""The screen `catalog`: sections and items under their own ids, written whole or by operations."""

from catalog_bodies import CatalogBodies
from catalog_operations import applied, keys_of, read_catalog, still_there
from commands import Outcome, send
from loading import action
from redraws import Reloads
from run import Run, segment
from shapes import Refused
from stores import Store, spoilt
from views import View


def row(item: dict) -> dict:
    operation = {"operation": "deleteItems", "ids": [item["id"]]}
    return {**item, "action": action("Remove", type="apply", operations=[operation])}


class Catalogs:
    """Grows and shrinks catalogs, and does everything to them that there is an operation for."""

    name = "catalog"

    def __init__(self, run: Run):
        self.run = run
        self.store = Store(run, "/v1/catalogs", "unknown-catalog", read_catalog)
        self.store.summary = lambda doc: {
            "id": doc["id"],
            "numberOfItems": sum(len(section["items"]) for section in doc["sections"]),
            "numberOfSections": len(doc["sections"]),
        }
        self.views: dict[str, View] = {}
        self.bodies = CatalogBodies(run)
        # How often sections and items of each catalog were reloaded.
        self.reloads: dict[str, Reloads] = {}
        # What grows or shrinks in each catalog, and to which size.
        self.targets: dict[str, tuple[str, int]] = {}
        for number in range(run.number(1, 2)):
            body = {"id": run.pick([number, f"é{number}"]), "sections": self.bodies.sections(3)}
            try:
                self.store.seed(read_catalog(body, None, None))
            except Refused:  # Two of its ids were drawn twice.
                self.store.seed({"id": body["id"], "sections": []})
            self._appeared(str(body["id"]))

    def data(self) -> dict:
        return {"catalogs": list(self.store.docs.values())}

    def _appeared(self, id: str):
        if id not in self.views:
            self.views[id] = View(
                self.run,
                "catalog",
                id,
                lambda: self._content(id),
                lambda: id in self.store.deleted,
                lambda: self.reloads.get(id, Reloads()),
            )

    def _content(self, id: str) -> dict | None:
        if id not in self.store.docs:
            return None
        sections = []
        for section in self.store.docs[id]["sections"]:
            shown = {name: section[name] for name in ("id", "title") if name in section}
            sections.append({**shown, "rows": [row(item) for item in section["items"]]})
        state = "items" if any(section["rows"] for section in sections) else "no items"
        # No item here has others below it, so none are ever loaded.
        states = {"catalog": state if sections else "no sections", "children": "notRequested"}
        return {"states": states, "sections": sections}

    # Steps

    def step(self):
        run, store = self.run, self.store
        id = store.any()
        kind = run.number(0, 19)
        if id is None or kind == 0 and len(store.docs) < 4:
            body: dict = {"sections": self.bodies.sections(run.pick([0, 1, 3]))}
            if run.chance(0.6):
                twin = run.texts.other_id(id or "")
                gone = list(store.deleted - set(store.docs))
                body["id"] = run.pick([run.texts.id(), twin or run.texts.id(), *gone[:1]])
            id = store.create(spoilt(run, body) if run.chance(0.1) else body)
            if id is None:
                return
            self._appeared(id)
        elif kind == 1 and run.chance(0.4):
            if store.delete(id):
                self.targets.pop(id, None)
                self.reloads.pop(id, None)
                self.views[id].end()
        elif kind == 2:
            self._write(id)
        elif kind <= 9:
            self._resize(id)
        elif kind <= 17:
            self._send(id, self.bodies.batch(store.docs[id]["sections"]))
        elif kind == 18:
            store.check(id)
            store.check_list()
            strange = store.strange_id()
            if strange not in store.docs:
                store.check(strange)
                store.replace(strange, {})
        if kind != 2 or run.chance(0.5):
            self._ask(id)
        run.touch(self.views[id])

    def _write(self, id: str):
        """PUT or PATCH of a whole catalog."""
        run, doc = self.run, self.store.docs[id]
        sections = [{**section, "items": list(section["items"])} for section in doc["sections"]]
        run.random.shuffle(sections)
        if run.chance(0.5):
            sections = sections[: run.number(0, len(sections))] + self.bodies.sections(
                run.number(0, 2)
            )
        body = {"id": doc["id"], "sections": sections}
        if run.chance(0.1):
            body = spoilt(run, body)
        before = keys_of(doc["sections"])
        (self.store.replace if run.chance(0.5) else self.store.patch)(id, body)
        sections = self.store.docs[id]["sections"]
        self.reloads[id] = still_there(self.reloads.get(id, Reloads()), before, sections)

    def _send(self, id: str, batch):
        doc = self.store.docs[id]

        def take() -> Outcome:
            old = self.reloads.get(id, Reloads())
            sections, ignored, reloads = applied(doc["sections"], batch, old)
            changed = (sections, reloads) != (doc["sections"], old)
            self.reloads[id] = reloads
            self.store.docs[id] = {**doc, "sections": sections}
            self.store.tags.pop(id, None)
            return Outcome(changed, {"ignored": ignored})

        body = {"type": "apply", "operations": batch}
        if self.run.chance(0.3):
            body["animated"] = self.run.pick([True, False, None])
        send(self.run, self.views[id], body, take)

    def _resize(self, id: str):
        """Brings the number of sections, or of items in one section, beside a threshold and over
        it: far away in one batch, near it in single operations."""
        run, sections = self.run, self.store.docs[id]["sections"]
        kind, target = self.targets.get(id, ("", 0))
        items = sections[0]["items"] if sections else []
        size = len(sections) if kind == "sections" else len(items)
        if not kind or size == target or kind == "items" and not sections:
            kind = run.pick(["sections", "items"]) if sections else "sections"
            size = len(sections) if kind == "sections" else len(items)
            target = run.size(1000 if kind == "sections" else 1100, size)
            self.targets[id] = kind, target
        away = target - size
        count = abs(away) if abs(away) <= 3 and run.chance(0.5) else max(abs(away) - 2, 1)
        if kind == "sections":
            operation = self._resize_sections(sections, away, count)
        elif away > 0:
            operation = {"operation": "appendItems", "section": sections[0]["id"]}
            operation["items"] = [self.bodies.item(short=count > 5) for _ in range(count)]
        else:
            ids = [item["id"] for item in items]
            operation = {"operation": "deleteItems", "ids": self._part(ids, count)}
        self._send(id, [operation])
        sections = self.store.docs[id]["sections"]
        run.note_size("sections", len(sections))
        run.note_size("items", max([0, *(len(section["items"]) for section in sections)]))

    def _resize_sections(self, sections: list, away: int, count: int) -> dict:
        if away <= 0:
            ids = [section["id"] for section in sections]
            return {"operation": "deleteSections", "ids": self._part(ids, count)}
        new = self.bodies.sections(count, most_items=1 if count > 5 else 3)
        if sections and self.run.chance(0.5):
            place = self.run.pick(["before", "after"])
            anchor = self.run.pick(sections)["id"]
            return {"operation": "insertSections", "sections": new, place: anchor}
        return {"operation": "appendSections", "sections": new}

    def _part(self, ids: list, count: int) -> list:
        """Some of the ids: the first, the last, or any."""
        kind = self.run.number(0, 2)
        count = min(count, len(ids))
        return [ids[:count], ids[len(ids) - count :], self.run.random.sample(ids, count)][kind]

    def _ask(self, id: str):
        """What can be asked about a catalog without reading all of it."""
        run, path = self.run, self.store.url(id)
        if id not in self.store.docs:
            missing = Refused(404, "unknown-catalog")
            return run.expect_refused(run.call("GET", f"{path}/items"), missing)
        sections = self.store.docs[id]["sections"]
        all_items = [item["id"] for section in sections for item in section["items"]]
        counts = {"numberOfItems": len(all_items)}
        kind = run.number(0, 5)
        if kind == 0:
            counts |= {"numberOfSections": len(sections)}
            ids = [section["id"] for section in sections]
            answer = {**counts, "sectionIdentifiers": ids}
            run.expect_pages(f"{path}/sections", answer, "sectionIdentifiers")
        elif kind == 1:
            answer = {**counts, "itemIdentifiers": all_items}
            run.expect_pages(f"{path}/items", answer, "itemIdentifiers")
        elif kind == 2 or not sections:
            part = run.pick(["section", "item"])
            strange = run.texts.other_id(run.pick(all_items or ["é"])) or "no such"
            if strange not in all_items and strange not in [one["id"] for one in sections]:
                answer = run.call("GET", f"{path}/{part}s/{segment(strange)}")
                run.expect_refused(answer, Refused(404, f"unknown-{part}"))
        else:
            self._ask_part(path, sections)

    def _ask_part(self, path: str, sections: list):
        run = self.run
        index = run.number(0, len(sections) - 1)
        section = sections[index]
        ids = [item["id"] for item in section["items"]]
        answer = {"id": section["id"], "index": index, "itemIdentifiers": ids}
        answer |= {"numberOfItems": len(ids)}
        answer |= {"title": section["title"]} if "title" in section else {}
        run.expect_pages(f"{path}/sections/{segment(section['id'])}", answer, "itemIdentifiers")
        if not ids:
            return
        place = run.number(0, len(ids) - 1)
        before = sum(len(one["items"]) for one in sections[:index])
        item = section["items"][place]
        answer = {"id": item["id"], "index": before + place, "indexInSection": place}
        answer |= {"item": item, "section": section["id"], "isVisible": True, "level": 0}
        run.expect_json(run.get(f"{path}/items/{segment(item['id'])}"), answer)

    def finish(self):
        self.store.check_list()
        for id in self.store.docs:
            self.store.check(id)
        for view in self.views.values():
            view.check()
