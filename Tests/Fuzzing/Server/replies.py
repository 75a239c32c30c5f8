"""What the header of a reply has to say, as the OpenAPI document has it."""

import re

SECURE = {"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"}
FOR_EVER = "max-age=31536000, immutable"
VIEW_MODEL = re.compile(r"/v1/view-models/[^/?]+/[^/?]+(?:/([a-z]+))?(?:\?(.*))?$")
# What is read, but belongs to no revision that a cache could compare.
UNTAGGED = re.compile(r"/v1/(?:faults/.*|view-models/[^/?]+/[^/?]+/(?:incidents|rows)(?:\?.*)?)$")
# The refusals that may lead to the member at fault.
POINTING = {"bad-json", "duplicate-id", "invalid-command", "invalid-member"}
TAG = re.compile(r'"[\x21\x23-\x7e]+"')


def faults(answer, title: str, method: str, path: str, sent: dict):
    """Finds what is wrong: gives the fields that are not as they should be, with what they should be."""
    wanted: dict = dict(SECURE)
    if answer.status >= 400:
        wanted |= {"Content-Type": "application/problem+json", "Cache-Control": "no-store"}
        wanted |= {"ETag": None, "Location": None, "Content-Language": None}
        wanted["Preference-Applied"] = _applied(answer, "handling=strict", sent)
        if not _is_problem(answer, title, path):
            yield "a problem", f"one of {path}", answer
    else:
        wanted |= _described(answer, method, path, sent)
    for name, value in wanted.items():
        got = answer.headers.get(name)
        if not (got in value if isinstance(value, list) else got == value):
            yield name, value, got
    if "ETag" in answer.headers and not TAG.fullmatch(answer.headers["ETag"]):
        yield "ETag", "a strong one", answer.headers["ETag"]


def _is_problem(answer, title: str, path: str) -> bool:
    """Whether a refusal is described as RFC 9457 has it."""
    problem = answer.json
    wanted = {
        "instance": path.partition("?")[0],
        "status": answer.status,
        "title": title,
        "type": f"urn:viewdelta:problem:{problem['code']}",
    }
    code = problem["code"]
    others = {"code", "detail"} | ({"pointer"} if code in POINTING else set())
    others |= {"reason"} if code == "revision-expired" else set()
    return problem == problem | wanted and set(problem) <= set(wanted) | others and problem["detail"]


def _described(answer, method: str, path: str, sent: dict) -> dict:
    """The fields of a reply that is no refusal."""
    if found := VIEW_MODEL.match(path):
        wanted = _of_view_model(answer, found[1], found[2] or "", sent)
    elif method in ("PUT", "PATCH", "POST", "DELETE") and answer.status != 201:
        wanted = _of_write(answer, path, sent)
    else:
        kept = "no-store" if UNTAGGED.match(path) else "no-cache"
        wanted = {"Content-Language": None, "View-Revision": None, "Cache-Control": kept}
        wanted |= {"ETag": None} if kept == "no-store" else {}
        # Not every resource is compressed.
        wanted["Vary"] = ["Accept", "Accept, Accept-Encoding"]
        if kept == "no-cache" and "ETag" not in answer.headers:
            wanted["ETag"] = "a tag"
    if answer.status in (204, 304):
        wanted |= {"Content-Type": None, "Content-Language": None}
    else:
        wanted.setdefault("Content-Type", "application/json")
    if answer.status != 201:
        wanted["Location"] = None
    wanted.setdefault("Preference-Applied", None)
    return wanted


def _of_write(answer, path: str, sent: dict) -> dict:
    """The fields of what is no new resource: of a resource after a write, a poll of many, and so on."""
    if path == "/v1/sync":
        shown = answer.status == 200 and answer.json["screens"].values()
        is_shown = any(one["kind"] != "problem" for one in shown or [])
        wanted = {"Cache-Control": "no-store", "Content-Language": "en" if is_shown else None}
        wanted |= {"ETag": None, "View-Revision": answer.headers["View-Revision"] or "revisions"}
        wanted["Vary"] = "Accept" if answer.status == 204 else "Accept, Accept-Encoding, Prefer"
        is_diff = any(one["kind"] == "diff" for one in shown or [])
        wanted["Preference-Applied"] = _applied(answer, "return=diff", sent) if is_diff else None
        return wanted
    if path == "/v1/differences":
        return {"Cache-Control": "no-store", "ETag": None, "Vary": "Accept, Accept-Encoding"} | (
            {"Content-Type": answer.headers["Content-Type"]}
        )
    kept = "no-store" if answer.status == 204 or UNTAGGED.match(path) else "no-cache"
    wanted = {"Cache-Control": kept, "Content-Language": None, "View-Revision": None}
    return wanted | {"Vary": None if answer.status == 204 else ["Accept", "Accept, Accept-Encoding"]}


def _of_view_model(answer, part: str | None, query: str, sent: dict) -> dict:
    """The fields of a reply that is about one view model."""
    token = answer.headers["View-Revision"]
    known = {one.partition("=")[0] for one in query.split("&")}
    wanted = {"View-Revision": token or "a revision", "Content-Language": "en", "ETag": f'"{token}"'}
    if part == "commands":
        language = "en" if "diff" in answer.json else None
        return wanted | {
            "Cache-Control": "no-store", "Vary": "Accept", "ETag": None, "Content-Language": language,
            "View-Revision": answer.json["revision"],
        }  # fmt: skip
    if part in ("incidents", "rows"):
        language = "en" if part == "rows" else None
        return wanted | {
            "Cache-Control": "no-store", "Vary": "Accept", "ETag": None, "Content-Language": language
        }  # fmt: skip
    wanted |= {"Vary": "Accept, Accept-Encoding", "Cache-Control": "no-cache"}
    if part == "revisions":
        return wanted | {"Content-Language": None, "ETag": answer.headers.get("ETag", "a tag")}
    if "at" in known or "until" in known:
        wanted["Cache-Control"] = FOR_EVER
    if part != "diff" or "since" not in known:
        if answer.status == 200:
            wanted["View-Revision"] = answer.json["revision"]
        return wanted
    wanted["ETag"] = None
    return wanted | _of_diff(answer, known, sent)


def _of_diff(answer, known: set, sent: dict) -> dict:
    """The fields of what has changed since a revision."""
    if answer.status == 204:
        return {"Cache-Control": "no-store", "Vary": "Accept"}
    document = answer.json
    wants_patch = "json-patch" in sent.get("Accept", "")
    wanted = {"Content-Type": "application/json-patch+json" if wants_patch else "application/json"}
    if wants_patch:
        last = document[-1]
        is_diff = len(document) != 1 or last["path"] != ""
        if is_diff:
            wanted["View-Revision"] = last["value"]
    else:
        is_diff = document["kind"] == "diff"
        wanted["View-Revision"] = document["revision"]
        if document["kind"] == "snapshot":
            wanted["ETag"] = f'"{document["revision"]}"'
    if "until" in known:
        return wanted
    wanted["Cache-Control"] = "max-age=1" if is_diff else "no-store"
    wanted["Vary"] = "Accept, Accept-Encoding, Prefer"
    if not is_diff:
        # A reset is the same whatever the client prefers.
        wanted["Vary"] = [wanted["Vary"], "Accept, Accept-Encoding"]
    elif "have" in known:
        wanted["Cache-Control"] = ["max-age=1", "no-store"]
    return wanted | {"Preference-Applied": _applied(answer, "return=diff", sent) if is_diff else None}


def _applied(answer, preference: str, sent: dict) -> str | None:
    """The preference, if the client has asked for it and the reply may follow it."""
    is_strict = preference == "handling=strict"
    follows = not is_strict or answer.json.get("code") == "revision-expired"
    wanted = sent.get("Prefer", "").lower().replace(" ", "").replace('"', "")
    return preference if follows and preference in wanted else None
