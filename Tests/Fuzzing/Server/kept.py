"""What a client remembers of a view model."""

import json

import canonical
from windows import Window, query


class Kept:
    """A revision that a client remembers, under one of its names, whole or through a window.

    What `revision` refers to is the same for all names of one revision.
    """

    def __init__(self, token: str, content: dict, hidden=None, window: Window | None = None):
        self.token, self.content, self.hidden, self.window = token, content, hidden, window
        self.image = canonical.encoded(content)
        self.revision = object()

    def is_newer_name(self, other: "Kept") -> bool:
        """Whether this may be what a change that cannot be seen has made of another name."""
        epochs = [token.split(".")[0] for token in (self.token, other.token)]
        is_newer = epochs[0] == epochs[1] and number_of(self.token) > number_of(other.token)
        return is_newer and self.is_equal(other)

    def is_shown_as(self, other: "Kept") -> bool:
        """Whether there is no news between this one and another one."""
        return self.is_equal(other) if self.window else self.revision is other.revision

    def is_equal(self, other: "Kept") -> bool:
        return (self.image, self.hidden) == (other.image, other.hidden)

    def through(self, window: Window | None) -> "Kept":
        """The same revision through a window."""
        if window is None:
            return self
        return Kept(self.token, window.of(self.content), self.hidden, window)

    def query(self, next: Window | None) -> str:
        return query(self.token, self.window, next)


def number_of(token: str) -> int:
    """The number of the input in a revision."""
    return int(token.split(".")[1])


def copied(kept: Kept) -> dict:
    """The content as an object of its own, which may be changed."""
    return json.loads(kept.image)
