"""A source of a screen: what is loaded of it, and the rows that show that."""

import unicodedata
from dataclasses import dataclass, field

# What the rows of failures say that all sources have.
DETAILS = {
    "cancelled": "The load was cancelled.",
    "unavailable": "The source is unavailable.",
    "store-full": "The store takes no more.",
}


@dataclass
class Source:
    """The four states of a source, and the values that go with them."""

    state: str = "notRequested"
    value: object = None
    # The code of a failure, or the code and what its row says.
    code: str | tuple | None = None

    def load(self) -> bool:
        """Whether a load starts."""
        if self.state == "isLoading":
            return False
        self.state, self.code = "isLoading", None
        return True

    def end(self, value, code: str | tuple | None = None):
        """A load ends with a value, or fails with a code."""
        if code is None:
            self.state, self.value = "loaded", value
        else:
            self.state, self.code = "failed", code

    def cancel(self) -> bool:
        if self.state != "isLoading":
            return False
        if self.value is None:
            self.end(None, "cancelled")
        else:
            self.end(self.value)
        return True

    def changed(self, value):
        """A write changed the value."""
        if self.value is not None:
            self.value = value

    def shown(self, policy: str):
        """The value that there is to show."""
        return self.value if self.state == "loaded" or policy == "keepPrevious" else None


@dataclass
class Faults:
    """The fault scripts of sources, as clients write them."""

    scripts: dict = field(default_factory=dict)

    def next(self, source: str, key: str) -> str | dict:
        """How the next load of a source ends."""
        script = self.scripts.get((source, key))
        if script is None:
            return "succeed"
        return script["outcomes"].pop(0) if script["outcomes"] else script["then"]

    @staticmethod
    def code(outcome: str | dict) -> str | tuple | None:
        """The failure of a load that ends like this; None if it ends well."""
        if isinstance(outcome, dict):
            return outcome["code"], outcome["detail"]
        return "unavailable" if outcome == "fail" else None


def action(title: str, **command) -> dict:
    return {"title": title, "command": command}


def failure(code: str | tuple) -> dict:
    """The members of a row that say what has failed."""
    name, detail = code if isinstance(code, tuple) else (code, DETAILS[code])
    blank = {"Cc", "Zl", "Zp"}
    line = "".join(" " if unicodedata.category(one) in blank else one for one in detail)
    return {"code": name, "detail": line}


def loading_row(source: str) -> dict:
    return {"id": f"{source}/loading", "type": "contentLoading", "text": "Loading…"}


def error_row(source: str, kind: str, code: str | tuple, text: str, command: str) -> dict:
    return {
        "id": f"{source}/error",
        "type": kind,
        **failure(code),
        "text": text,
        "action": action("Retry", type=command),
    }
