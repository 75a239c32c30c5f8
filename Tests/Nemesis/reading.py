"""What is promised to those who read: each validator gives what was not kept, with its events."""

from collections import defaultdict

from history import History, is_after, is_before, number_of, of, quiet

# The longest time from a change that somebody has seen to the moment a waiting client is told, in
# seconds: much more than the server needs, because the machine may do other things. Clients wait longer.
LATE = 5
# How many inputs back a revision is always kept, also by a server that has just started.
KEPT = 1000


def ordered(history: History):
    """On one connection revisions arrive in order, and none comes twice."""
    last: dict = {}
    for event in of(history, "seen"):
        if "connection" not in event:
            continue
        place = event["connection"], event["screen"]
        before, last[place] = last.get(place), event
        if before and not is_after(event["revision"], before["revision"]):
            yield "a revision arrives that is not newer than the one before", before, event
        if event.get("id") not in (None, event["revision"]):
            yield "the id of an event is not its revision", event


def reliable(history: History):
    """There is no gap, and who waits is told of a change in time."""
    for event in of(history, "gap"):
        yield "a diff does not begin where the client is", event
    yield from late(history)


def late(history: History):
    disturbances = list(of(history, "fault"))
    newest = defaultdict(list)  # By screen: the events with a revision newer than all before.
    waiting = {"long poll", "sync", "events", "all events"}
    for event in of(history, "seen", "waited"):
        known = newest[event["screen"]]
        since = event["since"] if event["what"] == "seen" else event["revision"]
        # A stream says when it began to wait for this event; a poll when it was sent.
        if event["via"] in waiting and since and (unknown := news(known, event, since, history)):
            start = max(event["began"], unknown["at"])
            if quiet(disturbances, event["server"], start, event["at"]) > LATE:
                yield "a client that waits is not told of a change in time", unknown, event
        if event["what"] == "seen" and event["kind"] != "same":
            if not known or is_after(event["revision"], known[-1]["revision"]):
                known.append(event)


def news(known: list, event: dict, since: str, history: History):
    """The first that others had seen long before, of which a client was not told as it waited."""
    mine = history.contents.get((event["screen"], since))
    if not mine or event["began"] > event["at"] - LATE:
        return None
    first = None
    for one in reversed(known):
        if not is_after(one["revision"], since):
            break
        if one["at"] < event["at"] - LATE:
            if one["content"] == mine["content"]:
                break
            first = one
    return first


def atomic(history: History):
    """What one input changes is seen whole, or not at all."""
    for event in of(history, "seen"):
        marks = history.facts[event["content"]]["marks"]
        for mark in marks:
            other = mark[:-1] + {"a": "b", "b": "a"}.get(mark[-1], "")
            if other != mark[:-1] and other not in marks:
                yield f"{mark} is shown without {other}", event
    for event in of(history, "together"):
        facts = {name: history.facts[one] for name, one in event["contents"].items()}
        for board in ("1", "2"):
            if {"scoreboards/all", f"scoreboard/{board}"} <= set(facts):
                scores = facts[f"scoreboard/{board}"]["scores"].values()
                expected = [len(scores), max(scores)]
                found = facts["scoreboards/all"]["boards"][f"board/{board}"]
                if found != expected:
                    yield f"the list says {found} of board {board}, the board {expected}", event


def resumable(history: History):
    """A client goes on from any revision that is kept, but not from one of a former build."""
    deploys = [event for event in of(history, "fault") if event["fault"] == "deploy"]
    for event in of(history, "seen"):
        if event["kind"] != "reset" or event["since"] is None:
            continue
        since = history.contents.get((event["screen"], event["since"]))
        old = number_of(event["revision"]) - number_of(event["since"]) > KEPT
        is_new = any(since and since["at"] < one["at"] and one["began"] < event["at"] for one in deploys)
        if not (event["reason"] == "history-expired" and old or event["reason"] == "epoch-changed" and is_new):
            yield f"a client is reset: {event['reason']}", since, event


def convergent(history: History):
    """The replica after any chain of diffs is the snapshot there; in the end all are one."""
    for event in of(history, "broken"):
        yield event["error"], event
    first: dict = {}
    for event in of(history, "seen"):
        name = event["screen"], event["revision"]
        known = first.setdefault(name, event)
        if known["content"] != event["content"]:
            yield "one revision has two contents", known, event
    last: dict = {}
    for event in of(history, "seen"):
        if event["via"] == "end":
            known = last.setdefault(event["screen"], event)
            if known["content"] != event["content"] or known["revision"] != event["revision"]:
                yield "servers end with different contents", known, event


def monotonic(history: History):
    """A client never goes back, and neither does a server that is asked anew."""
    held: dict = {}
    shown = defaultdict(list)
    for event in of(history, "seen"):
        place = event["who"], event["screen"]
        before, held[place] = held.get(place), event
        if before and is_before(event["revision"], before["revision"]):
            yield "a client goes back", before, event
        if "connection" in event:
            continue
        # Those that had been answered when this one was asked.
        known = shown[event["server"], event["screen"]]
        newest = next((one for one in reversed(known) if one["at"] < event["began"]), None)
        if newest and is_before(event["revision"], newest["revision"]):
            yield "a server goes back", newest, event
        if not known or is_after(event["revision"], known[-1]["revision"]):
            known.append(event)
