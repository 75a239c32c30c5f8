"""Asks again for what was just read, in the other ways in which clients may ask for it."""

import gzip
import urllib.parse

from process import Answer
from run import Run
from shapes import Refused

LEAST = 1024
OF_CONTENT = {"content-type", "content-language", "content-encoding", "content-length"}


def ask_again(run: Run, path: str, first: Answer, sent: dict | None = None):
    """Compares a reply of 200 with those to HEAD, to clients that take gzip, and to conditions."""
    sent = dict(sent or {})
    kind = run.number(0, 5)
    if kind <= 2:
        compare(run, path, first, sent, "HEAD" if kind == 0 else run.pick(["HEAD", "GET"]))
    else:
        conditions(run, run.pick(["GET", "GET", "HEAD"]), path, first, sent)
    run.totals["again"] += 1


def compare(run: Run, path: str, first: Answer, sent: dict, method: str):
    """Asks for the same, or without its content, in one of the codings that the client takes."""
    coding = run.pick(["", "gzip", "br;q=1, GZIP;q=0.5", "*", "gzip;q=0", "identity"])
    if coding:
        sent["Accept-Encoding"] = coding
    answer = run.client.ask(method, path, sent)
    wanted, got = expected(first, coding), fields(answer)
    if "content-encoding" in wanted:
        # How well the server packs is its own matter.
        wanted.pop("content-length")
        length = got.pop("content-length", None)
        is_packed = int(length or 0) < len(first.body)
        run.expect(is_packed, f"fewer than {len(first.body)} bytes", f"{length} of {path}")
        if method == "GET":
            answer.body = gzip.decompress(answer.body)
    run.expect(answer.status == first.status, first.status, answer)
    run.expect(got == wanted, f"{wanted} for {method} {path}", got)
    same = answer.body == (first.body if method == "GET" else b"")
    run.expect(same, f"{first} for GET, nothing for HEAD", answer)


def conditions(run: Run, method: str, path: str, first: Answer, sent: dict):
    """Asks under a condition, which counts if the reply has an entity tag."""
    own = first.etag or '"x"'
    # The tag of what a client scrolls to is also that of what it scrolls from.
    tag = None if scrolls(path) else first.etag
    packed = f'{own[:-1]}-gzip"'
    name, value, status = run.pick(
        [
            ("If-None-Match", own, 304),
            ("If-None-Match", "*", 304),
            ("If-None-Match", f'"x", W/{own} ,', 304),
            ("If-None-Match", '"elsewhere"', 200),
            ("If-None-Match", packed, 200),
            ("If-None-Match", "no tag", 200),
            ("If-Match", own, 200),
            ("If-Match", "*", 200),
            ("If-Match", f'"x",{own}', 200),
            ("If-Match", f"W/{own}", 412),
            ("If-Match", '"elsewhere"', 412),
        ]
    )
    if tag and value == packed and may_pack(first) and run.chance(0.5):
        sent["Accept-Encoding"], status = "gzip", 304
    status = status if tag else 200
    answer = run.client.ask(method, path, {**sent, name: value})
    told = f"{status} for {method} {path} with {name}: {value}"
    run.expect(answer.status == status, told, answer)
    if status == 412:
        return
    wanted, got = expected(first, sent.get("Accept-Encoding", "")), fields(answer)
    if status == 304:
        wanted, got = without_content(wanted), without_content(got)
    run.expect(got == wanted, f"{wanted}, {told}", got)
    body = first.body if status == 200 and method == "GET" else b""
    run.expect(answer.body == body, f"{body!r}, {told}", answer)


def repeat(run: Run, path: str, body, headers: dict, first: Answer):
    """Sends a POST with an `Idempotency-Key` again, and now and then another one with its key."""
    again = run.call("POST", path, body, headers)
    wanted = first.status, first.body, fields(first)
    got = again.status, again.body, fields(again)
    run.expect(got == wanted, f"the same reply as the first time, {wanted}", got)
    # Not every refusal is remembered.
    if first.status < 400 and run.chance(0.3):
        if run.chance(0.5):
            body = {**body, "other": 1}
        else:
            path += "&z" if "?" in path else "?z"
        key = {"Idempotency-Key": headers["Idempotency-Key"]}
        refused = Refused(422, "idempotency-key-reused")
        run.expect_refused(run.call("POST", path, body, key), refused)


def scrolls(path: str) -> bool:
    """Whether a client leaves its window for another one."""
    query = urllib.parse.parse_qs(path.partition("?")[2])
    return "next" in query and query["next"] != query.get("window")


def without_content(held: dict) -> dict:
    return {name: value for name, value in held.items() if name not in OF_CONTENT}


def fields(answer: Answer) -> dict:
    """The header without what changes by itself."""
    pairs = ((name.lower(), value) for name, value in answer.headers.items())
    return {name: value for name, value in pairs if name != "date"}


def expected(first: Answer, coding: str) -> dict:
    """The header of the reply to the same request with another `Accept-Encoding`."""
    wanted = fields(first)
    takes = coding and "gzip;q=0" != coding and coding != "identity"
    if takes and may_pack(first):
        wanted["content-encoding"] = "gzip"
        if first.etag:
            wanted["etag"] = f'{first.etag[:-1]}-gzip"'
    return wanted


def may_pack(first: Answer) -> bool:
    """Whether clients that take gzip get it."""
    return "Accept-Encoding" in first.headers["Vary"] and len(first.body) >= LEAST
