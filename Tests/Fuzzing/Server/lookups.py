"""What the screen `form` loads: look-ups of an input that changes, and a list page by page."""

from dataclasses import dataclass

PAGE = 20


@dataclass
class Lookup:
    """Something that is looked up for an input; only what is found for the newest one counts."""

    query: object = None
    state: str = "notRequested"
    value: object = None
    code: str | None = None
    # How often it was started, to tell a result that comes too late.
    started: int = 0

    def ask(self, query) -> bool:
        """Whether a look-up starts."""
        if query == self.query and self.state != "failed":
            return False
        self.query, self.state, self.value, self.code = query, "notRequested", None, None
        return query is not None and self.start()

    def start(self) -> bool:
        self.state, self.value, self.code = "isLoading", None, None
        self.started += 1
        return True

    def retry(self) -> bool:
        return self.query is not None and self.state == "failed" and self.start()

    def cancel(self):
        if self.state == "isLoading":
            self.end(None, "cancelled")

    def end(self, value, code: str | None = None):
        self.state = "loaded" if code is None else "failed"
        self.value, self.code = value, code

    def image(self) -> tuple:
        return (self.query, self.state, self.value, self.code)


def position(entry: dict) -> tuple:
    """Entries stand in the order of these, the greatest first."""
    id = str(entry["id"]).encode()
    return entry["date"], len(id), id


def newest_first(entries) -> list:
    return sorted(entries, key=position, reverse=True)


@dataclass
class Paging:
    """A long list: what is shown of it, and how far that is."""

    state: str = "notRequested"
    shown: list | None = None
    # Where the page asked for begins, and where what is shown ends; None is an end of the list.
    request: tuple | None = None
    end: tuple | None = None
    code: str | None = None

    def load(self) -> bool:
        return self.state != "isLoading" and self._start(None)

    def load_next(self) -> bool:
        return self.state == "loaded" and self.end is not None and self._start(self.end)

    def retry(self) -> bool:
        return self.state == "failed" and self._start(self.request)

    def _start(self, request) -> bool:
        self.state, self.request, self.code = "isLoading", request, None
        return True

    def cancel(self) -> bool:
        if self.state != "isLoading":
            return False
        if self.shown is None:
            self.state, self.code = "failed", "cancelled"
        else:
            self.state = "loaded"
        return True

    def finish(self, entries: list, code: str | None = None):
        """The page comes, out of all entries in their order, or does not."""
        if code is not None:
            self.state, self.code = "failed", code
            return
        rest = entries
        if self.request is not None:
            rest = [entry for entry in entries if position(entry) < self.request]
        page = rest[:PAGE]
        known = {str(entry["id"]) for entry in self.shown or []} if self.request else set()
        before = self.shown or [] if self.request else []
        self.shown = before + [entry for entry in page if str(entry["id"]) not in known]
        self.end = position(page[-1]) if len(rest) > len(page) else None
        self.state = "loaded"

    def changed(self, entries: list):
        """A write changed the list; what is shown reaches as far as before, or to the end if nothing is left behind."""
        if self.shown is not None:
            self.shown = [
                entry for entry in entries if self.end is None or position(entry) >= self.end
            ]
            if self.state == "loaded" and len(self.shown) == len(entries):
                self.end = None
