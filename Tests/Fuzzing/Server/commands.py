"""Sends commands to screens, and waits for what they start."""

from dataclasses import dataclass, field

import canonical
from changes import Broken, applied
from run import Run
from shapes import Refused
from views import Kept, View
from windows import drawn, drawn_pair, query


@dataclass
class Outcome:
    """What a model says of a command that it has just taken."""

    accepted: bool
    details: dict | None = None
    # What ends in its own time: each is called once the server has said that all of it has ended.
    loads: list = field(default_factory=list)
    # Whether something was started that never ends.
    hangs: bool = False


def send(run: Run, view: View, body: dict, take) -> bool:
    """Sends a command; `take` lets the model take it, and gives an `Outcome` or raises `Refused`.

    Gives whether it was taken.
    """
    before = view.current
    since = run.pick(view.kept) if view.kept and run.chance(0.4) else None
    window = next = None
    if since and run.chance(0.3):
        window, next = drawn_pair(run, since.content)
    parameters = f"?{query(since.token, window, next)}" if since else ""
    path = f"{view.path}/commands{parameters}"
    headers, refusal = _condition(run, view)
    if run.chance(0.1):
        headers["Idempotency-Key"] = f'"{run.random.getrandbits(64):x}"'
    answer = run.call("POST", path, body, headers)
    if "Idempotency-Key" in headers and answer.status != 412:
        again = run.call("POST", path, body, headers)
        same = (again.status, again.body) == (answer.status, answer.body)
        run.expect(same, f"the same reply as the first time, {answer}", again)
    try:
        # Which of two reasons is named does not matter.
        if refusal and answer.status == refusal.status:
            raise refusal
        outcome = take()
        if refusal:
            raise refusal
    except Refused as wanted:
        run.expect_refused(answer, wanted)
        return False
    pending = bool(outcome.loads) or outcome.hangs
    run.expect(answer.status == (202 if pending else 200), f"pending is {pending}", answer)
    reply = answer.json
    run.expect(reply["accepted"] == outcome.accepted, f"accepted is {outcome.accepted}", answer)
    run.expect(reply.get("details") == outcome.details, f"details are {outcome.details}", answer)
    content = view.content()
    if content is None:
        return True
    kept = Kept(reply["revision"], content, view.hidden())
    if before and before.image == kept.image and not outcome.accepted:
        run.expect(kept.token == before.token, f"the revision {before.token}", answer)
    if since:
        start, end = since.through(window), kept.through(next)
        view.take_document(reply["diff"], start, end, True, answer)
    view.remember(kept)
    if outcome.loads:
        for end in outcome.loads:
            end()
        settle(run, view)
    return True


def _condition(run: Run, view: View) -> tuple[dict, Refused | None]:
    if not view.kept or not run.chance(0.15):
        return {}, None
    if run.chance(0.5):
        return {"If-Match": f'"{view.current.token}"'}, None
    old = [one.token for one in view.kept if one.token != view.current.token]
    tag = run.pick(old) if old else "AAAAAAAA.0"
    return {"If-Match": f'"{tag}"'}, Refused(412, "precondition-failed")


def settle(run: Run, view: View):
    """Follows what is seen of a view model by long polls until it shows what the model shows."""
    content = view.content()
    window = drawn(run, content) if run.chance(0.3) else None
    wanted = Kept("", content).through(window)
    now = view.current.through(window)
    while now.image != wanted.image:
        answer = run.call("GET", f"{view.path}/diff?{now.query(window)}&wait=20")
        run.expect(answer.status == 200, f"in the end {wanted.image.decode()}", answer)
        document = answer.json
        run.expect(document["screen"] == view.name, view.name, answer)
        run.expect(document.get("from", now.token) == now.token, f"from {now.token}", answer)
        members = {"sections", "states", "window"} & set(document)
        content = {name: document[name] for name in members}
        if document["kind"] == "diff":
            try:
                content = applied(now.content, document)
            except Broken as error:
                run.expect(False, f"a diff of {now.image.decode()}", f"{answer}: {error!r}")
        digest = canonical.digest(content)
        run.expect(digest == document["digest"], f"the digest {digest}", answer)
        now = Kept(document["revision"], content, window=window)
        run.totals["diffs"] += 1
