"""All promises, each with its validator."""

from dataclasses import dataclass, field

import reading
import writing
from history import History

PROMISES = {
    "ordered": reading.ordered,
    "reliable": reading.reliable,
    "atomic": reading.atomic,
    "refused": writing.refused,
    "resumable": reading.resumable,
    "convergent": reading.convergent,
    "monotonic": reading.monotonic,
    "honest": writing.honest,
    "conditional": writing.conditional,
    "once": writing.once,
    "durable": writing.durable,
}


@dataclass
class Violation:
    """A promise that was not kept, with the events that show it."""

    promise: str
    text: str
    events: list = field(default_factory=list)


def violations(history: History) -> list[Violation]:
    """Everything that was not kept, in the order of the promises."""
    return [
        Violation(name, text, [event for event in events if event])
        for name, promise in PROMISES.items()
        for text, *events in promise(history)
    ]
