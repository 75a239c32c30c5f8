"""What is promised to those who write: each validator gives what was not kept, with its events."""

from bisect import bisect_left
from collections import defaultdict

from history import History, of, quiet

# What the answer says to a write of which nothing is recorded.
NOT_RECORDED = '"code":"not-recorded"'
# The score with which the counted player begins, and its row.
COUNTED = "player/1"
# The longest time that a server is behind others, in seconds: much more than it needs.
BEHIND = 5


def refused(history: History):
    """What was refused, was not whole, or was said not to be recorded, is never seen."""
    bad: dict = {}
    # What may be recorded, because a try had no answer or one that leaves it open.
    open_marks = set()
    for event in of(history, "sent", "answered", "lost", "seen"):
        mark = event.get("mark")
        if event["what"] == "sent":
            bad.pop(mark, None)
            if event["kind"] == "bad":
                bad[mark] = event
        elif event["what"] == "answered" and NOT_RECORDED in event["text"]:
            if mark and mark not in open_marks:
                bad[mark] = event
        elif event["what"] == "seen":
            for mark in history.facts[event["content"]]["marks"]:
                if mark in bad or mark.startswith("m-99-"):
                    yield f"{mark} is shown, which was refused", bad.get(mark), event
        elif event["kind"] != "bad":
            open_marks.add(mark)


def honest(history: History):
    """What the server does not know is said so, and each answer is one of the contract's."""
    for event in of(history, "guessed"):
        if event["got"] != event["expected"]:
            yield f"a revision that nobody gave is not {event['expected']}", event
    for event in of(history, "refused"):
        if event.get("status") not in (429, 503):
            yield "a reader is refused", event
    for event in of(history, "answered"):
        if event["status"] not in ANSWERS[event["kind"]]:
            yield f"an intent is answered with {event['status']}", event
    for event in of(history, "settled"):
        if event["now"] != event["mark"]:
            yield "a condition fails although nobody else has changed the resource", event
    for event in of(history, "read back"):
        if event["status"] not in (200, 204, 503) or event["got"]:
            yield "the revision of an acknowledged command is not known", event
    for event in of(history, "fault"):
        if event["fault"] == "SIGTERM" and event["status"] != 0:
            yield f"SIGTERM ends a server with {event['status']}", event
    for event in of(history, "died"):
        yield "a server ends by itself", event


ANSWERS = {
    "adjust": {200, 412},
    "add": {200, 201},
    "bad": {422},
    "rename": {200, 412},
    # What was removed by the first try is gone for the second.
    "remove": {200, 204, 404, 410, 412},
    "race": {200, 412, 429, 503},
    "load": {200, 202},
}
for _codes in ANSWERS.values():
    _codes |= {429, 503}


def conditional(history: History):
    """Of those that name one entity tag at most one changes the resource."""
    winners: dict = {}
    for event in of(history, "answered"):
        if event["condition"] and event["status"] in (200, 204):
            path = event["target"].split()[1]
            before = winners.setdefault((path, event["condition"]), event)
            if before["intent"] != event["intent"]:
                yield "two conditions on one entity tag hold", before, event


def once(history: History):
    """Nothing is applied twice."""
    for event in of(history, "seen"):
        for mark, count in history.facts[event["content"]]["marks"].items():
            if count > 1:
                sent = [one for one in of(history, "sent") if one.get("mark") == mark]
                yield f"{mark} is shown {count} times", *sent, event
    counted = set()
    intent = None
    for event in of(history, "sent", "answered", "seen"):
        if event["what"] == "sent" and event["kind"] == "adjust":
            counted.add(event["intent"])
            intent = event
        elif event["what"] == "answered" and event["status"] == 412:
            counted.discard(event["intent"])
        elif event["what"] == "seen" and (score := score_in(history, event)) is not None:
            if score > len(counted):
                yield f"{len(counted)} have counted, and the score is {score}", intent, event
                return


def durable(history: History):
    """What was acknowledged is there for all who ask afterwards, until it is taken away."""
    kept: dict = defaultdict(dict)  # By screen: the marks that must be shown, with the answers.
    gone: dict = defaultdict(dict)
    counted: list = []
    for event in of(history, "sent", "answered", "seen"):
        if event["what"] == "sent":
            # From now on the mark may be gone.
            for screen in screens_of(event):
                kept[screen].pop(event.get("instead"), None)
        elif event["what"] == "answered":
            if event["status"] in (200, 201, 204):
                for screen in screens_of(event):
                    if event["kind"] in ("add", "rename"):
                        kept[screen][event["mark"]] = event
                    if event["kind"] in ("remove", "rename"):
                        gone[screen][event["instead"]] = event
                if event["kind"] == "adjust":
                    counted.append(event)
        elif "connection" not in event:
            yield from missing(history, event, kept, gone, counted)


def missing(history: History, event: dict, kept: dict, gone: dict, counted: list):
    facts = history.facts[event["content"]]
    marks = kept[event["screen"]]
    if facts["isLoaded"]:
        for mark, answer in list(marks.items()):
            if mark not in facts["marks"] and is_known(history, answer, event):
                del marks[mark]
                yield f"{mark} was acknowledged and is lost", answer, event
    for mark in facts["marks"]:
        answer = gone[event["screen"]].get(mark)
        if answer and is_known(history, answer, event):
            yield f"{mark} was taken away and is back", answer, event
    score = score_in(history, event)
    if score is not None:
        count = bisect_left(counted, event["began"], key=lambda one: one["at"])
        if score < count and is_known(history, counted[score], event):
            text = f"{count} were acknowledged, and the score is {score}"
            yield text, counted[count - 1], event
            counted.clear()


def is_known(history: History, answer: dict, event: dict) -> bool:
    """Whether a server must have what was acknowledged before it was asked.

    One of several may be a moment behind, and longer if it does not reach the log.
    """
    if history.is_single or event["via"] == "end":
        return answer["at"] < event["began"]
    times = answer["at"], event["began"]
    return quiet(list(of(history, "fault")), event["server"], *times) > BEHIND


def screens_of(event: dict) -> list[str]:
    """The screens that show what an intent changes."""
    path = event.get("path") or ""
    if path.startswith("/v1/scoreboards/"):
        return [f"scoreboard/{path.split('/')[3]}"]
    if "/catalog/" in path:
        return ["catalog/1"]
    return ["profile/1"] if path.startswith("/v1/users/") else []


def score_in(history: History, event: dict):
    if event["screen"] != "scoreboard/1":
        return None
    return history.facts[event["content"]]["scores"].get(COUNTED)
