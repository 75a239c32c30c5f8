"""Windows through which clients see some rows of a view model, as the OpenAPI document has them."""

from typing import NamedTuple

from run import Run

MOST_START, MOST_COUNT = 2**31 - 1, 1000


class Window(NamedTuple):
    """So many rows from one on, of those of all sections together."""

    start: int
    count: int

    def __str__(self) -> str:
        return f"{self.start},{self.count}"

    @property
    def json(self) -> dict:
        return self._asdict()

    def of(self, content: dict) -> dict:
        """What is seen of a content: its states, and its sections with the rows of the window."""
        total = sum(len(section["rows"]) for section in content["sections"])
        sections, first = [], 0
        for section in content["sections"]:
            rows = section["rows"]
            places = range(first, first + len(rows))
            seen = [row for place, row in zip(places, rows) if self._has(place)]
            # One without rows belongs to the row after it, or to the end of the last window.
            is_last = first == total <= self.start + self.count
            if seen or not rows and (self._has(first) if first < total else is_last):
                sections.append({**section, "rows": seen})
            first += len(rows)
        return {**content, "sections": sections, "window": {**self.json, "total": total}}

    def _has(self, place: int) -> bool:
        return self.start <= place < self.start + self.count


def drawn(run: Run, content: dict | None) -> Window:
    """A window of a content, often one that begins or ends with a section, or is beyond the end."""
    ends = [0]
    for section in (content or {"sections": []})["sections"]:
        ends.append(ends[-1] + len(section["rows"]))
    start = run.pick([0, run.pick(ends), run.number(0, ends[-1]), run.number(0, ends[-1] + 2)])
    if run.chance(0.02):
        start = MOST_START
    counts = [1, 2, run.number(1, 40), abs(run.pick(ends) - start), MOST_COUNT]
    return Window(start, min(max(run.pick(counts), 1), MOST_COUNT))


def drawn_pair(run: Run, content: dict | None) -> tuple[Window, Window]:
    """The window that a client has, and the one that it scrolls to, which may be the same."""
    window = drawn(run, content)
    if run.chance(0.4):
        return window, window
    if run.chance(0.5):
        start = window.start + run.number(-3, 3)
        return window, Window(min(max(start, 0), MOST_START), window.count)
    return window, drawn(run, content)


def query(since: str, window: Window | None, next: Window | None) -> str:
    """The parameters of a client that holds a revision."""
    parameters = f"since={since}"
    if window:
        parameters += f"&window={window}"
    if window != next:
        parameters += f"&next={next}"
    return parameters
