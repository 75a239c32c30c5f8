"""Many view models in one poll or stream, each against what a poll of its own would get."""

import unicodedata
import urllib.parse

import canonical
from run import Run
from views import View


def check_sync(run: Run, views: list):
    """Asks for some views at once, of some of which there is news."""
    views = run.random.sample(views, min(len(views), run.number(1, 6)))
    if not run.equal_names:
        # Of views whose names are canonically equal the first, and none whose slash a mark joins.
        views = list({unicodedata.normalize("NFC", view.name): view for view in views}.values())
        views = [view for view in views if not unicodedata.combining(view.name.split("/")[1][0])]
        if not views:
            return
    starts = {view.name: run.pick(view.kept) if view.kept else None for view in views}
    body = {name: {"since": kept.token} if kept else {} for name, kept in starts.items()}
    answer = run.call("POST", "/v1/sync", {"screens": body, "wait": 0})
    if answer.status == 204:
        news = {}
    else:
        run.expect(answer.status == 200, "200 or 204", answer)
        news = answer.json["screens"]
    names = {view.name for view in views}
    run.expect(set(news) <= names, f"news of {names}", answer)
    for view in views:
        _check_news(run, view, starts[view.name], news.get(view.name), answer)
    if news:
        pairs = []
        for name, kept in starts.items():
            pairs += [("screen", name)] + ([("since", kept.token)] if kept else [])
        event = run.client.first_event(f"/v1/events?{urllib.parse.urlencode(pairs)}")
        run.expect(event.body == answer.body, f"the document of the poll, {answer}", event)
    run.totals["syncs"] += 1


def _check_news(run: Run, view: View, start, document: dict | None, answer):
    content = view.content()
    if content is None:
        kind = (document or {}).get("kind")
        run.expect(kind == "problem", f"a problem with {view.name}", answer)
    elif start is None:
        run.expect(document is not None, f"a snapshot of {view.name}", answer)
        wanted = canonical.snapshot(view.name, document["revision"], content)
        same = canonical.encoded(document) == canonical.encoded(wanted)
        run.expect(same, f"{wanted}", answer)
    elif document is None:
        same = start.image == view.current.image
        run.expect(same, f"news of {view.name} since {start.token}", answer)
    else:
        is_one = start.revision is view.current.revision
        run.expect(not is_one, f"no news of {view.name}", answer)
        view.take_document(document, start, view.current, False, answer)
