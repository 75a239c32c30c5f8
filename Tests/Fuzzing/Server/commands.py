"""Sends commands to screens, and waits for what they start."""

from dataclasses import dataclass, field

from run import Run
from shapes import Refused
from streams import Copy
from again import repeat
from kept import Kept
from views import View
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
        repeat(run, path, body, headers, answer)
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
    others = {"details"} if outcome.details is not None else set()
    others |= {"diff"} if since and view.content() is not None else set()
    run.expect(set(reply) == {"accepted", "revision"} | others, others, answer)
    run.expect(reply["accepted"] == outcome.accepted, f"accepted is {outcome.accepted}", answer)
    run.expect(reply.get("details") == outcome.details, f"details are {outcome.details}", answer)
    content = view.content()
    if content is None:
        return True
    kept = Kept(reply["revision"], content, view.hidden())
    view.sent.add(body["type"])
    if before and not before.is_equal(kept):
        view.causes[kept.token] = body
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
        tag = f"{view.current.token}{run.pick(['', '-gzip'])}"
        return {"If-Match": f'"{tag}"'}, None
    old = [one.token for one in view.kept if one.token != view.current.token]
    tag = run.pick(old) if old else "AAAAAAAA.0"
    return {"If-Match": f'"{tag}"'}, Refused(412, "precondition-failed")


def settle(run: Run, view: View):
    """Follows what is seen of a view model by long polls until it shows what the model shows."""
    content = view.content()
    window = drawn(run, content) if run.chance(0.3) else None
    wanted = Kept("", content).through(window)
    now = view.current.through(window)
    copy = Copy(view.name, now.token, now.content)
    while now.image != wanted.image:
        path, sent = f"{view.path}/diff?{now.query(window)}", {"Prefer": "wait=20"}
        if run.chance(0.7):
            path, sent = f"{path}&wait=20", {}
        answer = run.call("GET", path, headers=sent)
        run.expect(answer.status == 200, f"in the end {wanted.image.decode()}", answer)
        copy.take(answer.json)
        now = Kept(copy.token, copy.content, window=window)
        run.totals["diffs"] += 1
