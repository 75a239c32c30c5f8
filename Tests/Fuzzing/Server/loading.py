"""A source of a screen: what is loaded of it, and the rows that show that."""

from dataclasses import dataclass, field


@dataclass
class Source:
    """The four states of a source, and the values that go with them."""

    state: str = "notRequested"
    value: object = None
    code: str | None = None

    def load(self) -> bool:
        """Whether a load starts."""
        if self.state == "isLoading":
            return False
        self.state, self.code = "isLoading", None
        return True

    def end(self, value, code: str | None = None):
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

    def next(self, source: str, key: str) -> str:
        """How the next load of a source ends."""
        script = self.scripts.get((source, key))
        if script is None:
            return "succeed"
        return script["outcomes"].pop(0) if script["outcomes"] else script["then"]

    def forget(self, key: str):
        for place in [place for place in self.scripts if place[1] == key]:
            del self.scripts[place]


def action(title: str, **command) -> dict:
    return {"title": title, "command": command}


def error_row(source: str, kind: str, code: str, text: str, command: str) -> dict:
    return {
        "id": f"{source}/error",
        "type": kind,
        "code": code,
        "text": text,
        "action": action("Retry", type=command),
    }
