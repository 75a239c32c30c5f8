"""Resources of a store as the REST part of the contract has them, for every store there is."""

import itertools
import re

import canonical
from again import ask_again, repeat
from patches import merged
from run import Run, segment
from shapes import Refused, invalid


class Ledger:
    """The ids that a store gives: the least whole number above all that were in use.

    After 2^53, the greatest one that JSON carries exactly, it is the least that is not in use, and was not deleted.
    """

    def __init__(self):
        self.next = 1

    def use(self, id):
        if re.fullmatch(r"0|[1-9][0-9]{0,15}", str(id), re.ASCII) and int(id) <= 2**53:
            self.next = max(self.next, int(id) + 1)

    def free(self, is_taken) -> int:
        if self.next <= 2**53:
            return self.next
        return next(number for number in itertools.count(1) if not is_taken(str(number)))


class Store:
    """A collection, and each resource in it.

    `parse` gives the resource that a body makes, or raises `Refused`; it is handed the id to use
    where the body has none, and the resource that the body is to replace, or None. `full` says
    whether no more resources fit.
    """

    def __init__(self, run: Run, path: str, unknown: str, parse, ledger: Ledger | None = None):
        self.run, self.path, self.unknown, self.parse = run, path, unknown, parse
        self.ledger = ledger or Ledger()
        self.docs: dict[str, dict] = {}
        self.tags: dict[str, str] = {}
        self.deleted: set[str] = set()
        # What some stores do in their own way.
        self.full = lambda: False
        self.is_taken = lambda id: id in self.docs
        self.completed = lambda doc, answer: doc
        self.arranged = lambda docs: docs
        self.summary = lambda doc: doc
        # The second names of members, with the first ones.
        self.aliases: dict[str, str] = {}

    def url(self, id) -> str:
        return f"{self.path}/{segment(id)}"

    def seed(self, doc: dict):
        """A resource that the data file brings."""
        self.docs[str(doc["id"])] = doc
        self.ledger.use(doc["id"])

    def free(self) -> int:
        """The id that the next resource gets."""
        # A collection of its own remembers what was deleted, one of a parent does not.
        kept = self.deleted if self.path.count("/") == 2 else set()
        return self.ledger.free(lambda id: self.is_taken(id) or id in kept)

    def any(self) -> str | None:
        return self.run.pick(self.docs) if self.docs else None

    # Writes; each gives whether anything has changed.

    def create(self, body, headers: dict | None = None) -> str | None:
        """POST; gives the id of what was created."""
        # Some lists without elements cannot be read.
        conditions, refused = self._condition(self.path) if self.docs else ({}, None)
        headers = {**conditions, **(headers or {})}
        if self.run.chance(0.05):
            headers["Idempotency-Key"] = f"{self.run.random.getrandbits(64):x}"
        answer = self.run.call("POST", self.path, body, headers)
        if "Idempotency-Key" in headers and answer.status != 412:
            repeat(self.run, self.path, body, headers, answer)
        try:
            if refused:
                raise refused
            doc = self.parse(body, self.free(), None)
            id = str(doc["id"])
            if self.is_taken(id):
                raise Refused(409, "duplicate-id", "/id")
            if self.full():
                raise Refused(409, "store-full")
        except Refused as refusal:
            self.run.expect_refused(answer, refusal)
            return None
        self.run.expect(answer.status == 201, f"201 and {doc}", answer)
        doc = self.completed(doc, answer.json)
        self.run.expect_json(answer, doc)
        self.run.expect(answer.headers["Location"] == self.url(id), self.url(id), answer)
        self.docs[id] = doc
        self.ledger.use(doc["id"])
        self.deleted.discard(id)
        self.tags[id] = answer.etag
        if self.run.chance(0.1):
            self.check(id)
        return id

    def replace(self, id: str, body) -> bool:
        """PUT."""
        return self._write("PUT", id, body, body)

    def patch(self, id: str, body) -> bool:
        """PATCH."""
        whole = merged(self.docs[id], self._own_names(body)) if id in self.docs else None
        return self._write("PATCH", id, body, whole)

    def _sent_aliases(self, patch) -> dict[str, str]:
        """The second names that a patch has in place of the first ones, with these."""
        if not isinstance(patch, dict):
            return {}
        return {other: own for other, own in self.aliases.items() if other in patch and own not in patch}

    def _own_names(self, patch):
        """A patch by the first names of the members that have two."""
        sent = self._sent_aliases(patch)
        return {sent.get(name, name): patch[name] for name in patch} if sent else patch

    def delete(self, id: str) -> bool:
        """DELETE."""
        headers, refusal = self._condition_of(id)
        answer = self.run.call("DELETE", self.url(id), headers=headers)
        if id not in self.docs:
            refusal = Refused(404, self.unknown)
        if refusal:
            self.run.expect_refused(answer, refusal)
            return False
        self.run.expect(answer.status == 204, "status 204", answer)
        del self.docs[id]
        self.tags.pop(id, None)
        self.deleted.add(id)
        return True

    def _write(self, method: str, id: str, body, whole) -> bool:
        headers, refusal = self._condition_of(id)
        answer = self.run.call(method, self.url(id), body, headers)
        try:
            if id not in self.docs:
                raise Refused(404, self.unknown)
            # Which of two reasons is named does not matter.
            if refusal and answer.status == refusal.status:
                raise refusal
            doc = self.parse(whole, self.docs[id]["id"], self.docs[id])
            if str(doc["id"]) != id:
                raise invalid("/id")
            # 6 and "6" name one resource, whose id stays as it was given first.
            doc["id"] = self.docs[id]["id"]
            if refusal:
                raise refusal
        except Refused as wanted:
            if method == "PATCH":
                for other, own in self._sent_aliases(body).items():
                    if wanted.pointer == f"/{own}":
                        wanted = Refused(wanted.status, wanted.code, f"/{other}")
            self.run.expect_refused(answer, wanted)
            return False
        self.run.expect(answer.status == 200, f"200 and {doc}", answer)
        self.run.expect_json(answer, doc)
        changed = canonical.encoded(doc) != canonical.encoded(self.docs[id])
        self.docs[id] = doc
        # A PUT that says nothing new may give another tag, or none where it lays the body out.
        if answer.etag:
            if changed and id in self.tags:
                self.run.expect(answer.etag != self.tags[id], "a new ETag", answer)
            self.tags[id] = answer.etag
        else:
            self.tags.pop(id, None)
        return changed

    def _condition_of(self, id: str) -> tuple[dict, Refused | None]:
        """A condition on a resource, if there is one."""
        return self._condition(self.url(id)) if id in self.docs else ({}, None)

    def _condition(self, url: str) -> tuple[dict, Refused | None]:
        """Now and then a condition on the entity tag, and what it makes of the request."""
        if not self.run.chance(0.2):
            return {}, None
        tag = self.run.get(url).etag
        kind = self.run.number(0, 4)
        if kind == 0:
            return {"If-Match": self.run.pick([tag, f'{tag[:-1]}-gzip"'])}, None
        if kind == 1:
            return {"If-Match": f'"elsewhere", {tag}'}, None
        if kind == 2:
            return {"If-Match": "*"}, None
        headers = {"If-Match": '"elsewhere"'} if kind == 3 else {"If-None-Match": tag}
        return headers, Refused(412, "precondition-failed")

    # Reads

    def check(self, id: str):
        """Compares one resource."""
        if id not in self.docs:
            self.run.expect_refused(self.run.call("GET", self.url(id)), Refused(404, self.unknown))
            return
        answer = self.run.get(self.url(id))
        self.run.expect_json(answer, self.docs[id])
        if id in self.tags:
            self.run.expect(answer.etag == self.tags[id], f"the ETag {self.tags[id]}", answer)
        self.run.get(self.url(id), 304, {"If-None-Match": answer.etag})
        if self.run.chance(0.1):
            ask_again(self.run, self.url(id), answer)
        self.run.totals["resources"] += 1

    def check_list(self):
        """Compares the whole collection."""
        wanted = [self.summary(doc) for doc in self.arranged(list(self.docs.values()))]
        path = self.path
        if self.run.chance(0.3):
            path += f"?limit={self.run.pick([max(1, len(wanted) // 4), len(wanted) + 1, 5000])}"
        got = self.run.listed(path)
        if self.run.chance(0.2):
            first = self.run.call("GET", path)
            if first.status == 200:
                ask_again(self.run, path, first)
        if canonical.encoded(got) != canonical.encoded(wanted):
            pairs = enumerate(zip(got + [None] * len(wanted), wanted + [None] * len(got)))
            first = next((place, pair) for place, pair in pairs if pair[0] != pair[1])
            self.run.expect(False, f"{len(wanted)} elements", f"{len(got)}; first apart: {first}")
        self.run.totals["lists"] += 1

    def strange_id(self) -> str:
        """An id of nothing here: at best one that looks like one that is."""
        twin = self.run.texts.other_id(self.any() or "")
        if twin and twin not in self.docs:
            return twin
        return self.run.pick([*self.deleted - set(self.docs), "no such", "%"])


JUNK = [None, True, 0, -1, 1.5, 2**53, "", "x", [], {}, [1], {"id": 1}]


def spoilt(run: Run, body: dict) -> dict:
    """The body with one member that may be wrong, missing or unknown."""
    body = dict(body)
    name = run.pick([*body, "extra"])
    if name in body and run.chance(0.3):
        del body[name]
    else:
        body[name] = run.texts.bad_id() if name == "id" else run.pick(JUNK)
    return body


def respelt(id):
    """The id written as a text for a number, and the other way round: the same one."""
    if isinstance(id, int):
        return str(id)
    return int(id) if re.fullmatch("0|[1-9][0-9]{0,14}", id, re.ASCII) else id


def twin_body(run: Run, doc: dict) -> dict | None:
    """The members of a resource, one of them canonically equal and of other bytes."""
    texts = [name for name, value in doc.items() if isinstance(value, str) and name != "id"]
    for name in run.random.sample(texts, len(texts)):
        if twin := run.texts.twin(doc[name]):
            return {**doc, name: twin}
    return None
