"""Each promise is checked by itself, also where a seeded bug breaks several at once."""

import unittest

from flaws import FLAWS
from history import History
from promises import PROMISES, violations

POST = {"kind": "add", "mark": "m-1-1", "instead": None, "path": "/v1/users/1/posts", "intent": 1}


def seen(history: History, revision: str, *marks: str, **members):
    """Somebody has seen the profile with some posts."""
    rows = [{"id": mark, "type": "post", "title": mark} for mark in marks]
    known = {"screen": "profile/1", "who": "a watcher", "server": 0, "via": "poll", "since": None, "kind": "snapshot"}
    history.see({"sections": [{"id": "posts", "rows": rows}], "states": {}}, **known | {"revision": revision} | members)


def ordered(history: History, is_kept: bool):
    seen(history, "A.1", at=1, began=0, connection=1)
    seen(history, "A.2" if is_kept else "A.1", at=2, began=0, connection=1)


def resumable(history: History, is_kept: bool):
    seen(history, "A.1", at=1, began=0)
    kind = {"kind": "diff"} if is_kept else {"kind": "reset", "reason": "epoch-changed"}
    seen(history, "A.2", at=3, began=2, since="A.1", **kind)


def monotonic(history: History, is_kept: bool):
    seen(history, "A.2", at=1, began=0)
    seen(history, "A.3" if is_kept else "A.1", at=3, began=2)


def durable(history: History, is_kept: bool):
    history.add("sent", at=1, **POST)
    history.add("answered", at=2, status=201, condition=None, text="", target="POST /v1/users/1/posts", **POST)
    seen(history, "A.2", *(["m-1-1"] if is_kept else []), at=4, began=3)


CASES = {"ordered": ordered, "resumable": resumable, "monotonic": monotonic, "durable": durable}


class PromiseTests(unittest.IsolatedAsyncioTestCase):
    async def test_a_history_breaks_one_promise_alone(self):
        for name, happen in CASES.items():
            for is_kept in (True, False):
                with self.subTest(promise=name, is_kept=is_kept):
                    history = History(is_single=True)
                    happen(history, is_kept)
                    broken = {violation.promise for violation in violations(history)}
                    self.assertEqual(broken, set() if is_kept else {name})

    def test_each_promise_is_broken_alone_here_or_by_a_flaw(self):
        alone = {name for flaw in FLAWS.values() if len(flaw.breaks) == 1 for name in flaw.breaks}
        self.assertEqual(alone | set(CASES), set(PROMISES))


if __name__ == "__main__":
    unittest.main()
