"""Many view models in one poll or stream, each against what a poll of its own would get."""

import json
import unicodedata
import urllib.parse

import canonical
from kept import Kept, number_of
from run import Run
from views import View
from windows import drawn_pair


def check_sync(run: Run, views: list):
    """Asks for some views at once, of some of which there is news."""
    views = run.random.sample(views, min(len(views), run.number(1, 6)))
    if not run.equal_names:
        # Of views whose names are canonically equal the first, and none whose slash a mark joins.
        views = list({unicodedata.normalize("NFC", view.name): view for view in views}.values())
        views = [view for view in views if not unicodedata.combining(view.name.split("/")[1][0])]
        if not views:
            return
    starts, nexts = {}, {}
    for view in views:
        kept = run.pick(view.kept) if view.kept else None
        window = next = None
        if run.chance(0.3):
            window, next = drawn_pair(run, kept and kept.content)
        starts[view.name] = kept and kept.through(window)
        nexts[view.name] = next
    held = {name: _held(kept, nexts[name]) for name, kept in starts.items()}
    body = {
        name: {member: getattr(value, "json", value) for member, value in members.items()}
        for name, members in held.items()
    }
    problems = {view.name: view.absence().code for view in views if view.content() is None}
    told = [name for name in problems if run.chance(0.3)]
    for name in told:
        # A client that names the problem does not get it again.
        held[name] = body[name] = {"since": problems[name]}
    sent = {"Prefer": "return=diff"} if run.chance(0.2) else {}
    answer = run.call("POST", "/v1/sync", {"screens": body, "wait": 0}, sent)
    if answer.status == 204:
        news = {}
    else:
        run.expect(answer.status == 200, "200 or 204", answer)
        news = answer.json["screens"]
        run.expect(set(answer.json) == {"screens"}, "the screens", answer)
    names = {view.name for view in views}
    run.expect(set(news) <= names - set(told), f"news of {names}, not of {told}", answer)
    for view in views:
        if view.name not in told:
            next = nexts[view.name]
            _check_news(run, view, starts[view.name], next, news.get(view.name), answer, bool(sent))
    ordered = sorted(views, key=lambda view: view.name.encode())
    revisions = _check_revisions(run, ordered, news, answer.headers["View-Revision"].split(","))
    if news:
        pairs = []
        for name, members in held.items():
            pairs += [("screen", name), *members.items()]
        query = urllib.parse.urlencode(pairs)
        event = run.client.first_event(f"/v1/events?{query}", sent)
        documents = json.loads(event.body)["screens"]
        for name in sorted(set(documents) - set(news)):
            _check_empty_diff(run, starts[name], revisions[name], documents.pop(name), event)
        same = canonical.encoded({"screens": documents}) == answer.body
        run.expect(same, f"the document of the poll, {answer}", event)
        id = ",".join(revisions[name] for name in held)
        run.expect(event.headers["id"] == id, id, event.headers["id"])
    run.totals["syncs"] += 1


def _held(kept, next) -> dict:
    """What a client has of a view model, and the window through which it wants to see that."""
    held = {"window": next}
    if kept:
        held = {"since": kept.token, "window": kept.window, "next": next}
    return {member: value for member, value in held.items() if value}


def _check_empty_diff(run: Run, start: Kept, token: str, document: dict, event):
    """Tells a stream that rows may have been others between two revisions that show the same.

    The server compares at most 16 revisions in between, so it also says that of whole revisions if more writes have
    changed nothing that clients see.
    """
    run.expect(start is not None, "no news", event)
    are_many = number_of(token) - number_of(start.token) > 16
    run.expect(start.window or are_many, "no news", event)
    wanted = {"digest": canonical.digest(start.content), "from": start.token, "kind": "diff"}
    wanted["revision"] = token
    if start.window:
        wanted["window"] = start.content["window"]
    others = {"rowCount", "screen"} | ({"animated"} & set(document))
    same = wanted.items() <= document.items() and set(document) == set(wanted) | others
    run.expect(same, f"{wanted}", event)


def _check_revisions(run: Run, views: list, news: dict, revisions: list) -> dict:
    """Checks what a client keeps of each view model, whether there is news of it or not."""
    run.expect(len(revisions) == len(views), f"revisions of {[one.name for one in views]}", revisions)
    found = dict(zip((view.name for view in views), revisions))
    for view in views:
        token, document = found[view.name], news.get(view.name, {})
        if view.content() is None:
            run.expect(token == view.absence().code, view.absence(), token)
        elif document:
            run.expect(token == document["revision"], document["revision"], token)
        else:
            current = view.current
            newer = Kept(token, current.content, current.hidden)
            is_current = token == current.token or newer.is_newer_name(current)
            run.expect(is_current, f"{current.token} or a newer name of it", token)
    return found


def _check_news(run: Run, view: View, start, next, document: dict | None, answer, must_be_diff: bool):
    content = view.content()
    if content is None:
        problem, refusal = document or {}, view.absence()
        wanted = {"kind": "problem", "code": refusal.code, "status": refusal.status}
        others = {"title", "detail", "type"}
        same = wanted.items() <= problem.items() and set(problem) == set(wanted) | others
        run.expect(same, f"a problem with {view.name}, {wanted}", answer)
    elif start is None:
        run.expect(document is not None, f"a snapshot of {view.name}", answer)
        seen = next.of(content) if next else content
        wanted = canonical.snapshot(view.name, document["revision"], seen)
        same = canonical.encoded(document) == canonical.encoded(wanted)
        run.expect(same, f"{wanted}", answer)
    elif document is None:
        same = start.image == view.current.through(next).image
        run.expect(same, f"news of {view.name} since {start.token}", answer)
    else:
        current = view.current.through(next)
        run.expect(not start.is_shown_as(current), f"no news of {view.name}", answer)
        view.take_document(document, start, current, must_be_diff, answer)
