"""A link to Redis with a seeded bug: it knows the commands and replies that it passes (RESP 2)."""

from collections import deque

from flaws import RedisFlaw
from redis_engine import Link, Redis


class FlawedLink(Link):
    """Passes each command of a server and each reply of Redis as a flaw has them."""

    def __init__(self, redis: Redis, server: int, flaw: RedisFlaw):
        super().__init__(redis)
        self._server_number, self._flaw = server, flaw

    def _ways(self, from_server, from_redis):
        # Each command has one reply, in the same order.
        sent: deque = deque()

        async def command() -> bytes:
            words = await self._flaw.command(self._server_number, await read_value(from_server))
            sent.append(words)
            return encoded(words)

        async def reply() -> bytes:
            value = await read_value(from_redis)
            return encoded(self._flaw.reply(self._server_number, sent.popleft(), value))

        return command, reply


class Line(bytes):
    """A value that is passed as it is: a number, a status, an error, or none."""


async def read_value(reader):
    """Reads one value: bytes, a list of values, or a line."""
    line = await reader.readuntil(b"\r\n")
    kind, size = line[:1], line[1:-2]
    if kind not in (b"$", b"*") or size == b"-1":
        return Line(line)
    if kind == b"*":
        return [await read_value(reader) for _ in range(int(size))]
    return (await reader.readexactly(int(size) + 2))[:-2]


def encoded(value) -> bytes:
    if isinstance(value, Line):
        return value
    if isinstance(value, list):
        return b"*%d\r\n" % len(value) + b"".join(encoded(one) for one in value)
    return b"$%d\r\n%b\r\n" % (len(value), value)
