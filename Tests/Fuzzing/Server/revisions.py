"""The history of a view model, as `revisions` lists it, and its incidents."""

from collections import Counter
from datetime import datetime, timedelta, timezone

import canonical
from again import ask_again
from kept import Kept, number_of
from run import Run, next_page
from shapes import Refused, moment

STARTED = datetime.now(timezone.utc)
LARGE = 4096
MOST_INCIDENTS = 50
STORES = {
    "catalog": {"catalogs"},
    "form": {"forms", "activity", "companies", "registry"},
    "podcasts": {"podcasts", "listeners"},
    "profile": {"posts", "profile"},
    "scoreboard": {"scoreboards"},
    "scoreboards": {"scoreboards"},
}


def check_history(run: Run, view):
    """Each revision once, with its cause and with the size of the diff that leads to it."""
    answer = run.get(f"{view.path}/revisions?limit=1000")
    listed = answer.json["revisions"]
    run.expect(answer.json == {"screen": view.name, "revisions": listed}, view.name, answer)
    tokens = [one["revision"] for one in listed]
    run.expect(len(set(tokens)) == len(tokens), "each revision once", answer)
    run.expect(answer.headers["View-Revision"] == tokens[-1], "the last one", answer)
    last = Kept(tokens[-1], view.current.content, view.current.hidden)
    is_last = last.token == view.current.token or last.is_newer_name(view.current)
    run.expect(is_last, f"{view.current.token} at the end", answer)
    # Most were compared before, when they were new.
    for place in {0, *range(max(0, len(listed) - 20), len(listed))}:
        _check_entry(run, view, listed[place], place == 0)
    if "Link" not in answer.headers and not view.may_expire():
        _check_names(run, view, tokens, answer)
    if len(tokens) > 1:
        place = run.number(1, len(tokens) - 1)
        _check_size(run, view, listed[place - 1], listed[place])
    if run.chance(0.4):
        _check_pages(run, view, listed)


def _check_entry(run: Run, view, entry: dict, is_first: bool):
    screen = view.name.split("/")[0]
    cause = entry["cause"]
    kind = cause["kind"]
    sizes = {"operations", "bytes"} & set(entry)
    run.expect(set(entry) == {"revision", "at", "cause"} | sizes, "no other members", entry)
    run.expect(len(sizes) == 2 or is_first and not sizes, "operations and bytes", entry)
    if kind == "start":
        is_empty = entry.get("operations") == entry.get("bytes") == 0
        run.expect(is_first and is_empty, "a start without a size", entry)
    now = datetime.now(timezone.utc)
    is_moment = moment(entry["at"]) == entry["at"]
    when = datetime.fromisoformat(entry["at"]) if is_moment else None
    second = timedelta(seconds=2)
    run.expect(is_moment and STARTED - second <= when <= now + second, "a time of this run", entry)
    failed = cause.get("outcome") == "failed"
    others = {
        "start": set(),
        "command": {"type"} | ({"arguments", "argumentsOmitted"} & set(cause)),
        "loadResult": {"source", "outcome"} | ({"code"} if failed else set()),
        "storeWrite": {"source"},
    }
    run.expect(set(cause) == {"kind"} | others.get(kind, set()), "the members of a cause", entry)
    if sent := view.causes.get(entry["revision"]):
        arguments = {name: value for name, value in sent.items() if name != "type"}
        wanted = {"kind": "command", "type": sent["type"]}
        if len(canonical.encoded(arguments)) > LARGE:
            wanted["argumentsOmitted"] = True
        elif arguments:
            wanted["arguments"] = arguments
        run.expect(canonical.encoded(cause) == canonical.encoded(wanted), wanted, entry)
    elif kind == "command":
        run.expect(cause["type"] in view.sent, f"one of {view.sent}", entry)
    elif kind == "loadResult":
        run.expect(cause["outcome"] in ("loaded", "failed"), "an outcome", entry)
        known = (cause["source"], cause.get("code")) in view.ended
        run.expect(known, f"one of {sorted(view.ended, key=repr)}", entry)
    elif kind == "storeWrite":
        run.expect(cause["source"] in STORES[screen], STORES[screen], entry)


def _check_names(run: Run, view, tokens: list, answer):
    """Whatever the client has seen is listed, under a name that may be newer."""
    numbers = [number_of(name) for name in tokens]
    for one, next in zip(view.kept, view.kept[1:]):
        if not one.is_equal(next):
            least, end = number_of(one.token), number_of(next.token)
            there = any(least <= number < end for number in numbers)
            run.expect(there, f"a name for {one.token}", answer)
    known = run.pick(view.kept)
    names = [name for name in tokens if number_of(name) >= number_of(known.token)]
    run.expect(bool(names), f"a name for {known.token}", answer)
    view.check_diff(known, Kept(names[0], known.content, known.hidden), until=True)


def _check_size(run: Run, view, before: dict, entry: dict):
    path = f"{view.path}/diff?since={before['revision']}&until={entry['revision']}"
    diff = run.get(path)
    groups = [diff.json.get(name, {}) for name in ("sections", "rows")]
    count = sum(len(listed) for group in groups for listed in group.values())
    wanted = {"operations": count, "bytes": len(diff.body)}
    run.expect(wanted.items() <= entry.items(), wanted, entry)
    source, states = entry["cause"].get("source"), diff.json.get("states", {})
    if "outcome" in entry["cause"] and source in states:
        run.expect(states[source] == entry["cause"]["outcome"], states, entry)


def _check_pages(run: Run, view, listed: list):
    """The first pages, and the one before any revision."""
    limit = run.pick([1, 2, 7])
    page, found = f"{view.path}/revisions?limit={limit}", []
    for _ in range(3):
        answer = run.get(page)
        part = answer.json["revisions"]
        run.expect(len(part) <= limit, f"at most {limit}", answer)
        found = part + found
        page = next_page(page, answer)
        if page is None:
            break
    run.expect(found == listed[len(listed) - len(found) :], listed, found)
    run.expect((page is None) == (len(found) == len(listed)), "a link to those before", answer)
    if run.chance(0.3):
        path = f"{view.path}/{run.pick([f'revisions?limit={limit}', 'incidents', 'rows?path=0,0'])}"
        answer = run.call("GET", path)
        if answer.status == 200:
            ask_again(run, path, answer)
    place = run.number(0, len(listed) - 1)
    token = listed[place]["revision"]
    answer = run.get(f"{view.path}/revisions?before={token}&limit={limit}")
    wanted = listed[max(0, place - limit) : place]
    run.expect(answer.json["revisions"] == wanted, f"those before {token}", answer)
    name = listed[place - 1]["revision"] if place else token
    run.expect(answer.headers["View-Revision"] == name, name, answer.headers["View-Revision"])
    if view.strange:
        answer = run.call("GET", f"{view.path}/revisions?before={view.strange[0]}")
        run.expect_refused(answer, Refused(410, "revision-expired"))


def check_incidents(run: Run, view):
    """Each load that failed, and what the machine was too busy for, the newest first."""
    answer = run.get(f"{view.path}/incidents")
    listed = answer.json["incidents"]
    run.expect(answer.json == {"screen": view.name, "incidents": listed}, view.name, answer)
    run.expect(len(listed) <= MOST_INCIDENTS, f"at most {MOST_INCIDENTS}", answer)
    numbers = [number_of(one["revision"]) for one in listed if "revision" in one]
    times = [one["at"] for one in listed]
    run.expect(times == sorted(times, reverse=True), "the newest first", answer)
    run.expect(numbers == sorted(numbers, reverse=True), "the newest first", answer)
    epoch = view.current.token.split(".")[0]
    for one in listed:
        run.expect(moment(one["at"]) == one["at"] and one["detail"], "a time and a detail", one)
        run.expect(one.get("revision", epoch).split(".")[0] == epoch, f"revisions of {epoch}", one)
        run.expect(one["kind"] in MEMBERS, MEMBERS, one)
        others = {"at", "kind", "detail"}
        run.expect(set(one) == MEMBERS[one["kind"]] | others, MEMBERS[one["kind"]], one)
    failed = [one for one in listed if one["kind"] in ("loadFailure", "saveFailure")]
    found = Counter((one["source"], one["code"]) for one in failed)
    if len(listed) < MOST_INCIDENTS:
        run.expect(found == Counter(view.failures), Counter(view.failures), answer)
    else:
        run.expect(found <= Counter(view.failures), Counter(view.failures), answer)
    run.totals["incidents"] += len(listed)


MEMBERS = {
    "loadFailure": {"source", "code", "revision"},
    "saveFailure": {"source", "code", "change", "revision"},
    "transition": {"source", "code", "action", "state", "revision"},
    # On a machine that is busy.
    "overdue": set(),
}
