"""Random sections, items and operations of catalogs."""

from catalog_operations import MEMBERS, TYPES, applied
from redraws import Reloads
from run import Run
from shapes import Refused
from stores import spoilt


class CatalogBodies:
    """Draws what is written to catalogs."""

    def __init__(self, run: Run):
        self.run = run
        self.number = 0

    def _fresh(self, short: bool = False):
        """An id that may be new; where it must be, one that is."""
        self.number += 1
        if short or self.run.chance(0.3):
            return f"n{self.number}"
        return self.run.texts.id()

    def item(self, short: bool = False) -> dict:
        texts, run = self.run.texts, self.run
        item: dict = {"id": self._fresh(short), "title": "T" if short else texts.text(300)}
        for name in ("detail", "badge"):
            if not short and run.chance(0.2):
                item[name] = run.pick([None, texts.text(100), texts.text(100)])
        if run.chance(0.2):
            item["type"] = run.pick(TYPES)
        return item

    def sections(self, count: int, most_items: int = 3) -> list:
        short, sections = count > 5, []
        for _ in range(count):
            section: dict = {"id": self._fresh(short)}
            if self.run.chance(0.3):
                section["title"] = self.run.texts.text(100)
            number = 1 if short else self.run.number(0, most_items)
            section["items"] = [self.item(short) for _ in range(number)]
            sections.append(section)
        return sections

    def batch(self, sections: list) -> list:
        """Some operations, most of which can be done where they stand."""
        run = self.run
        may_fail, batch = run.chance(0.2), []
        for _ in range(run.pick([1, 1, 2, 5, 12])):
            for _ in range(20):
                operation = self._operation(sections)
                if may_fail and run.chance(0.1):
                    operation = spoilt(run, operation)
                try:
                    sections, _, _ = applied(sections, [operation], Reloads())
                    break
                except Refused:
                    if may_fail:
                        break
            else:
                continue
            batch.append(operation)
        return batch

    def _known(self, sections: list, items: bool):
        """The id of something that is there, or that looks like it, or of nothing."""
        run = self.run
        section = run.pick(sections) if sections else {"id": "no such", "items": []}
        if items and not section["items"]:
            section = next((one for one in sections if one["items"]), section)
        id = run.pick(section["items"])["id"] if items and section["items"] else section["id"]
        return (run.texts.other_id(id) or "no such") if run.chance(0.08) else id

    def _operation(self, sections: list) -> dict:
        run = self.run
        name = run.pick(MEMBERS)
        if name == "deleteAllItems" and run.chance(0.9):
            name = "moveItem"
        is_item = "Item" in name
        operation: dict = {"operation": name}
        for member in MEMBERS[name]:
            if member == "place":
                operation[run.pick(["before", "after"])] = self._known(sections, is_item)
            elif member == "id":
                operation["id"] = self._known(sections, is_item)
            elif member == "ids":
                count = run.number(0, 3)
                operation["ids"] = [self._known(sections, is_item) for _ in range(count)]
            elif member == "title":
                operation["title"] = run.texts.text(100)
            elif member == "section":
                if name != "appendItems" or run.chance(0.6):
                    operation["section"] = self._known(sections, False)
            elif member == "sections":
                operation["sections"] = self.sections(run.number(0, 2))
                if name == "reloadSections":
                    for section in operation["sections"]:
                        section["id"] = self._known(sections, False)
            else:
                operation["items"] = [self.item() for _ in range(run.number(0, 3))]
                if name in ("reloadItems", "reconfigureItems"):
                    for item in operation["items"]:
                        item["id"] = self._known(sections, True)
                        if name == "reconfigureItems" and run.chance(0.8):
                            item.pop("type", None)
                        if name == "reconfigureItems" and run.chance(0.3):
                            del item["title"]
        return operation
