"""Seeded bugs: what a wrong server would do, done between the clients and a right one, and what a
wrong journal would do, done between the servers and Redis.

They show that the promises are checked. Each says which promises it breaks. A server that finds
out by itself that it differs from others does not count: clients have seen it by then.
"""

import asyncio
import itertools
import json
import sqlite3
import time

from wire import Answer


class Flaw:
    """No bug at all."""

    breaks: set[str] = set()
    # The engines of journals with which the bug shows. It is tried with the first one.
    engines = ("sqlite", "redis")
    # The seconds before the first flood.
    first_flood = 60
    # The names of the faults that show the bug; none stands for all faults.
    faults: set[str] = set()

    async def ask(self, connection, method, path, body=None, headers=None, seconds=6) -> Answer:
        """Sends a request of a client."""
        return await connection.ask(method, path, body, headers, seconds)

    async def events(self, stream):
        """The events of a stream, as the client gets them."""
        async for event in stream:
            yield event

    def after_kill(self, journal: str):
        """What becomes of the journal when the process is gone."""


class AppliedTwice(Flaw):
    """One in some commands is applied twice."""

    breaks = {"once"}

    def __init__(self):
        self._numbers = itertools.count(1)

    async def ask(self, connection, method, path, body=None, headers=None, seconds=6) -> Answer:
        if path.endswith("/commands") and next(self._numbers) % 7 == 0:
            key = headers["Idempotency-Key"].replace('"', "")
            await connection.ask(
                method, path, body, {**headers, "Idempotency-Key": f'"{key}x"'}, seconds
            )
        return await super().ask(connection, method, path, body, headers, seconds)


class LostTail(Flaw):
    """A crash takes the last inputs along that were acknowledged, and nothing says so."""

    breaks = {"durable", "monotonic", "convergent", "once"}
    engines = ("sqlite",)

    def after_kill(self, journal: str):
        with sqlite3.connect(journal) as database:
            database.execute(
                "DELETE FROM entries WHERE position > (SELECT max(position) - 5 FROM entries)"
            )
        database.close()


class LostWakeUp(Flaw):
    """A poll that waits is not told of the change before its time is over."""

    breaks = {"reliable"}

    async def ask(self, connection, method, path, body=None, headers=None, seconds=6) -> Answer:
        start = asyncio.get_running_loop().time()
        answer = await super().ask(connection, method, path, body, headers, seconds)
        waited = asyncio.get_running_loop().time() - start
        if "&wait=" in path and waited > 0.05:
            query = dict(one.split("=") for one in path.partition("?")[2].split("&"))
            await asyncio.sleep(max(0, int(query["wait"]) - waited))
        return answer


class WrongOrder(Flaw):
    """Two events of a stream change places."""

    breaks = {"ordered", "reliable"}

    async def events(self, stream):
        held = None
        async for number, event in aenumerate(stream):
            if held is not None:
                yield event
                yield held
                held = None
            elif number % 4 == 3:
                held = event
            else:
                yield event


class LostEvent(Flaw):
    """An event of a stream does not arrive."""

    breaks = {"reliable"}

    async def events(self, stream):
        async for number, event in aenumerate(stream):
            if number % 5 != 4:
                yield event


class BothWin(Flaw):
    """A condition is not looked at."""

    breaks = {"conditional"}

    async def ask(self, connection, method, path, body=None, headers=None, seconds=6) -> Answer:
        others = {name: value for name, value in (headers or {}).items() if name != "If-Match"}
        return await super().ask(connection, method, path, body, others, seconds)


class Torn(Flaw):
    """A poll of several screens shows what one write changes on one of them alone."""

    breaks = {"atomic"}

    async def ask(self, connection, method, path, body=None, headers=None, seconds=6) -> Answer:
        answer = await super().ask(connection, method, path, body, headers, seconds)
        if path != "/v1/sync" or answer.status != 200:
            return answer
        _, *others = answer.json["screens"].items()
        return Answer(200, answer.headers, json.dumps({"screens": dict(others)}).encode())


class HalfApplied(Flaw):
    """Of a command that is refused the first half is applied."""

    breaks = {"refused"}

    async def ask(self, connection, method, path, body=None, headers=None, seconds=6) -> Answer:
        answer = await super().ask(connection, method, path, body, headers, seconds)
        if answer.status == 422:
            operation = body["operations"][0]
            half = {**operation, "items": operation["items"][:1]}
            await connection.ask(method, path, {**body, "operations": [half]}, None, seconds)
        return answer


class Denied(Flaw):
    """A write that is recorded is answered as one that is not."""

    breaks = {"refused"}

    async def ask(self, connection, method, path, body=None, headers=None, seconds=6) -> Answer:
        answer = await super().ask(connection, method, path, body, headers, seconds)
        if method != "PATCH" or answer.status != 200:
            return answer
        return Answer(503, answer.headers, b'{"code":"not-recorded"}')


class Guessed(Flaw):
    """A revision that does not exist is taken for the current one."""

    breaks = {"honest"}

    async def ask(self, connection, method, path, body=None, headers=None, seconds=6) -> Answer:
        answer = await super().ask(connection, method, path, body, headers, seconds)
        is_unknown = b'"reason":"future-revision"' in answer.body
        return Answer(204, {"view-revision": "A.1"}, b"") if is_unknown else answer


class RedisFlaw(Flaw):
    """A bug between a server and Redis. Words and replies are those of the protocol, as bytes."""

    engines = ("redis",)

    async def command(self, server: int, words: list) -> list:
        """A command of a server, as Redis gets it."""
        return words

    def reply(self, server: int, words: list, reply):
        """The reply of Redis to a command, as the server gets it."""
        return reply


class SeveralAtOnce(RedisFlaw):
    """One server reads several inputs at once."""

    # A run ends with what shows first: another content, or a revision that the other servers do not have.
    breaks = {"convergent", "honest", "resumable"}

    async def command(self, server: int, words: list) -> list:
        if server == 0 and words[0] == b"XREAD":
            await asyncio.sleep(0.1)
        return words

    def reply(self, server: int, words: list, reply):
        if server == 0 and len(found := inputs(words, reply)) > 1:
            self.change(reply[0][1], *found[:2])
        return reply

    def change(self, entries: list, first: list, second: list):
        """Changes what the server reads. The names of the entries are in order, or it would notice."""


class DeliveredTwice(SeveralAtOnce):
    """One server reads an input twice."""

    def change(self, entries: list, first: list, second: list):
        time, _, number = first[0].partition(b"-")
        place = int(time), int(number) + 1
        if place < tuple(map(int, second[0].split(b"-"))):
            entries.insert(entries.index(second), [b"%d-%d" % place, first[1]])


class DroppedInput(RedisFlaw):
    """One in some inputs gets an answer, but is not recorded, and nothing says so."""

    breaks = {"convergent", "durable"}

    def __init__(self):
        self._numbers = itertools.count(1)

    async def command(self, server: int, words: list) -> list:
        if words[0] == b"XADD" and b"input" in words and next(self._numbers) % 20 == 0:
            return [b"ECHO", b"%d-0" % (time.time() * 1000)]
        return words


class SwappedInputs(SeveralAtOnce):
    """One server reads two inputs that follow each other in the other order."""

    def change(self, entries: list, first: list, second: list):
        first[1], second[1] = second[1], first[1]


class OldCheckpoint(RedisFlaw):
    """A server begins at the place of the newest checkpoint, with what the oldest one has."""

    breaks = {"convergent"}
    # Before it there is one checkpoint alone.
    first_flood = 0
    faults = {"kill", "end"}

    def __init__(self):
        self._names: list[bytes] = []

    async def command(self, server: int, words: list) -> list:
        match words:
            case [b"ZADD", _, _, name]:
                self._names.append(name)
            case [b"ZRANGE", names, _, last, *rest]:
                return [b"ZRANGE", names, last, last, *rest]
            case [b"HKEYS" | b"HGET" as word, name, *field] if name in self._names:
                if field != [b"0 journal"]:
                    return [word, self._names[0], *field]
        return words


def inputs(words: list, reply) -> list:
    """The entries with inputs in the reply to a command, each with its name and its fields."""
    if words[0] != b"XREAD" or not isinstance(reply, list):
        return []
    return [entry for entry in reply[0][1] if b"input" in entry[1]]


async def aenumerate(stream):
    number = 0
    async for event in stream:
        yield number, event
        number += 1


FLAWS = {
    "none": Flaw,
    # The one that takes longest comes first.
    "old-checkpoint": OldCheckpoint,
    "applied-twice": AppliedTwice,
    "lost-tail": LostTail,
    "lost-wake-up": LostWakeUp,
    "wrong-order": WrongOrder,
    "lost-event": LostEvent,
    "both-win": BothWin,
    "torn": Torn,
    "half-applied": HalfApplied,
    "denied": Denied,
    "guessed": Guessed,
    "delivered-twice": DeliveredTwice,
    "dropped-input": DroppedInput,
    "swapped-inputs": SwappedInputs,
}
