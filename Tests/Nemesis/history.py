"""All that was sent, answered, seen and done to the servers, in the order of the clock."""

import asyncio
import hashlib
import json
import re
from collections import Counter
from pathlib import Path

import canonical

MARK = re.compile(r"m-\d+-\d+[a-z]?")


class History:
    """The events of a run. Each is an object with `at`, the seconds since the start, and `what`.

    A content, which many events see, is kept once: as its hash, and as the facts of it that the
    promises speak of.
    """

    def __init__(self, is_single: bool):
        # Whether there is one server, which is never behind another one.
        self.is_single = is_single
        self.events: list[dict] = []
        self.facts: dict[str, dict] = {}
        # Who has seen a revision of a screen first.
        self.contents: dict[tuple, dict] = {}
        self._start = asyncio.get_running_loop().time()

    @property
    def now(self) -> float:
        return asyncio.get_running_loop().time() - self._start

    def add(self, what: str, **members) -> dict:
        event = {"at": round(self.now, 4), "what": what, **members}
        self.events.append(event)
        return event

    def see(self, content: dict, **members) -> dict:
        """Notes that a client has a content, and at which revision."""
        event = self.add("seen", content=self.content(content), **members)
        return self.contents.setdefault((event["screen"], event["revision"]), event)

    def content(self, content: dict) -> str:
        """The hash of a content, whose facts are kept."""
        body = canonical.encoded({"sections": content["sections"], "states": content["states"]})
        name = hashlib.sha256(body).hexdigest()[:16]
        if name not in self.facts:
            self.facts[name] = facts_of(content)
        return name

    def write(self, path: Path):
        """Writes a line for each event, and one for the facts of each content."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w") as file:
            for event in self.events:
                file.write(json.dumps(event) + "\n")
            for name, facts in self.facts.items():
                file.write(json.dumps({"what": "content", "content": name, **facts}) + "\n")


def facts_of(content: dict) -> dict:
    """What the promises speak of: marks of writers, scores, and what is said of each scoreboard."""
    rows = [row for section in content["sections"] for row in section["rows"]]
    texts = (str(row.get(name, "")) for row in rows for name in ("name", "title"))
    return {
        "isLoaded": content["states"].get("posts", "loaded") == "loaded",
        "marks": dict(Counter(text for text in texts if MARK.fullmatch(text))),
        "scores": {row["id"]: row["score"] for row in rows if row["type"] == "player"},
        "boards": {
            row["id"]: [row["playerCount"], row.get("leader", {}).get("score")]
            for row in rows
            if row["type"] == "scoreboard"
        },
    }


def of(history: History, *kinds: str):
    """The events of some kinds, in their order."""
    return (event for event in history.events if event["what"] in kinds)


def quiet(disturbances: list, server: int, start: float, end: float) -> float:
    """The seconds of a time in which nothing was done to a server, nor a second before."""
    busy = sum(
        max(0, min(end, one["at"] + 1) - max(start, one["began"]))
        for one in disturbances
        if one["server"] in (server, None)
    )
    return end - start - busy


def number_of(token: str) -> int:
    """The number of a token, which grows with the inputs. Only a test may look at it."""
    return int(token.rpartition(".")[2])


def is_after(one: str, other: str) -> bool:
    """Whether a revision is newer; of two histories none is."""
    return is_before(other, one)


def is_before(one: str, other: str) -> bool:
    same = one.partition(".")[0] == other.partition(".")[0]
    return same and number_of(one) < number_of(other)
