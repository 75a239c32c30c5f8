"""One episode: a server, its client, the random choices of a seed, and what is compared."""

import json
from collections import Counter
from random import Random
from urllib.parse import quote, urljoin, urlsplit

import canonical
from process import Answer, Client, Disagreement, Server
from shapes import Refused
from texts import Texts

# The sizes around those at which the nodes of the server's trees split, merge, and get a level.
SMALL = [1, 2, 16, 32, 32, 32, 40, 65, 70, 130]
LARGE = [512, 1000, 1024, 1024]
WATCHED = {31, 32, 33, 199, 200, 999, 1000, 1023, 1024, 1025}


def segment(text) -> str:
    """A text as a segment of a path."""
    return quote(str(text), safe="")


class Run:
    """What the actors of an episode share."""

    def __init__(self, seed: int, without: set, totals: Counter, sizes: dict):
        self.random = Random(seed)
        self.without = without
        # Each episode does without some of the difficulties, so that others come to light.
        equals = {name: self.chance(0.6) for name in ("equal-ids", "equal-texts", "equal-names")}
        equals = {name: chosen and name not in without for name, chosen in equals.items()}
        self.large = self.chance(0.3) and "large" not in without
        self.equal_names = equals["equal-names"]
        self.texts = Texts(self.random, equals["equal-ids"], equals["equal-texts"])
        self.totals = totals
        self._sizes = sizes
        self.client: Client
        self.server: Server
        # All views, and those that the step may have changed.
        self.views: list = []
        self.touched: dict = {}
        self.followers: list = []

    def open(self, data: dict):
        self.server = Server(data)
        self.client = Client(self.server)

    def close(self):
        for follower in self.followers:
            follower.stream.close()
        self.client.close()
        self.server.stop()

    # Choices

    def chance(self, part: float) -> bool:
        return self.random.random() < part

    def pick(self, choices):
        return self.random.choice(list(choices))

    def number(self, least: int, most: int) -> int:
        return self.random.randint(least, most)

    def size(self, most: int, now: int = 0) -> int:
        """A size to grow or shrink to, beside a threshold; often on its other side."""
        near = [one for one in SMALL + LARGE if abs(one - now) <= 2 and one > 2]
        if near and self.chance(0.6):
            return max(0, min(most, near[-1] + self.number(-1, 2)))
        sizes = LARGE if self.large and most >= 1000 and self.chance(0.5) else SMALL
        return max(0, min(most, self.pick(sizes) + self.number(-1, 1)))

    def note_size(self, kind: str, size: int):
        if size in WATCHED:
            self._sizes.setdefault(kind, set()).add(size)

    # What the step has done

    def touch(self, view):
        """Has a view compared at the end of the step."""
        self.touched[view] = True

    def check_touched(self):
        for view in self.touched:
            view.check()
        self.touched = {}

    # Requests

    def call(self, method: str, path: str, body=None, headers: dict | None = None) -> Answer:
        return self.client.send(method, path, body, headers)

    def get(self, path: str, status: int = 200, headers: dict | None = None) -> Answer:
        answer = self.call("GET", path, headers=headers)
        self.expect(answer.status == status, f"status {status}", answer)
        return answer

    def expect(self, holds: bool, expected, got):
        if not holds:
            raise Disagreement(f"expected {expected}\ngot      {got}")

    def expect_json(self, answer: Answer, expected):
        """Checks that an answer is this document, byte for byte."""
        if answer.body != canonical.encoded(expected):
            text = canonical.encoded(expected).decode(errors="replace")
            got = answer.body.decode(errors="replace")
            place = next((i for i, (a, b) in enumerate(zip(text, got)) if a != b), len(text))
            near = f"from character {place} on {text[place:place + 200]!r}"
            raise Disagreement(
                f"expected {near}\ngot      {got[place:place + 200]!r}\n"
                f"expected {text}\ngot      {answer}"
            )

    def expect_refused(self, answer: Answer, refusal: Refused):
        wanted = f"a refusal: {refusal}"
        self.expect(answer.status == refusal.status, wanted, answer)
        self.expect(answer.json.get("code") == refusal.code, wanted, answer)
        self.expect(answer.json.get("status") == refusal.status, wanted, answer)
        pointer = answer.json.get("pointer")
        if refusal.pointer is not None:
            self.expect(pointer == refusal.pointer, wanted, answer)
        if refusal.within:
            self.expect((pointer or "").startswith(refusal.within), wanted, answer)

    def listed(self, path: str) -> list:
        """A whole collection: all pages of it, one after the other."""
        elements: list = []
        while path:
            answer = self.get(path)
            elements += answer.json
            path = next_page(path, answer)
        return elements

    def expect_pages(self, path: str, expected: dict, member: str):
        """Expects a document whose list `member` comes in pages, each with all other members."""
        rest, page = expected[member], f"{path}?limit=1000"
        while True:
            answer = self.get(page)
            page = next_page(page, answer)
            found = len(json.loads(answer.body).get(member, [])) if page else len(rest)
            self.expect_json(answer, {**expected, member: rest[:found]})
            rest = rest[found:]
            if page is None:
                return


def next_page(path: str, answer: Answer) -> str | None:
    """The path in `Link` that leads to the next page."""
    for link in (answer.headers.get("Link") or "").split(","):
        target, _, rest = link.strip().partition(";")
        if 'rel="next"' in rest.replace(" ", ""):
            return (
                urlsplit(urljoin(path, target.strip("<>")))._replace(scheme="", netloc="").geturl()
            )
    return None
