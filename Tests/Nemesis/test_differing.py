"""A server that differs from the others says so, and starts anew."""

import asyncio
import json
import tempfile
import unittest
from pathlib import Path

from flaws import SwappedInputs
from history import number_of
from redis_engine import Redis
from run import Run
from server import Server
from wire import Answer, Connection, Lost, request_bytes

BOARD, PLAYERS = "/v1/view-models/scoreboard/1", "/v1/scoreboards/1/players"
# The servers compare themselves each time that they have applied so many inputs.
BLOCK = 1_024
# How long the server waits before it starts anew, each time that it differs, in seconds. The last time is long enough
# to look at it while it waits.
WAITS = [0, 1, 3, 7]
DEADLINE = 60


class SwappedAtFirst(SwappedInputs):
    """One server reads inputs in another order, until it has started anew often enough."""

    def __init__(self):
        self._starts: set[bytes] = set()

    @property
    def _is_over(self) -> bool:
        return len(self._starts) > len(WAITS)

    async def command(self, server: int, words: list) -> list:
        if server == 0 and words[:2] == [b"CLIENT", b"SETNAME"]:
            # The name of a connection ends with one that each start has for itself.
            self._starts.add(words[2].rpartition(b":")[2])
        return words if self._is_over else await super().command(server, words)

    def reply(self, server: int, words: list, reply):
        return reply if self._is_over else super().reply(server, words, reply)


class DifferingTests(unittest.TestCase):
    def test_starts_anew_and_waits_longer_each_time(self):
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(self.differ(Path(folder)))

    async def differ(self, folder: Path):
        data = folder / "data.json"
        players = [{"id": 1, "name": "Ada", "score": 0}]
        data.write_text(json.dumps({"scoreboards": [{"id": 1, "title": "A", "players": players}]}))
        run = Run(1, folder, SwappedAtFirst(), Redis(folder))
        try:
            await run.start(["--data", str(data), "--log-level", "error"])
            await self.restart(*run.servers)
        finally:
            await run.end()

    async def restart(self, wrong: Server, *others: Server):
        right, command = others[0], {"type": "adjustScore", "player": 1, "by": 1}
        refused = request_bytes("DELETE", f"{PLAYERS}/999")
        # The ids of players depend on their order.
        names = [{"name": f"Player {number}", "score": 1} for number in range(20)]
        await asyncio.gather(*(ask(right, "POST", PLAYERS, it) for it in names))
        for wait in WAITS:
            # A right one starts anew, too, if the digest of the other right one comes too late.
            for server in (wrong, *others):
                await until(is_ready, server)
            # An input that differs, and then those up to the next comparison.
            answer = await ask(right, "POST", f"{BOARD}/commands", command)
            position = number_of(answer.json["revision"])
            await Connection(right.port).pipeline(refused, BLOCK - position % BLOCK)
            await until(has_logged, wrong, f"wait={wait} s")
        # It waits, and shows what it has.
        answer = await ask(wrong, "GET", "/readyz")
        self.assertEqual((answer.status, answer.json["code"]), (503, "differs"))
        self.assertNotEqual(await rows(wrong), await rows(right))
        for server in (wrong, *others):
            await until(is_ready, server)
            self.assertEqual(await rows(server), await rows(right))


async def ask(server: Server, method: str, path: str, body=None) -> Answer:
    connection = Connection(server.port)
    try:
        return await connection.ask(method, path, body)
    finally:
        connection.close()


async def rows(server: Server) -> list:
    return [section["rows"] for section in (await ask(server, "GET", BOARD)).json["sections"]]


async def is_ready(server: Server) -> bool:
    try:
        return (await ask(server, "GET", "/readyz")).status == 200
    except Lost:
        # It starts.
        return False


async def has_logged(server: Server, text: str) -> bool:
    return server.has_logged(text)


async def until(condition, *arguments):
    async with asyncio.timeout(DEADLINE):
        while not await condition(*arguments):
            await asyncio.sleep(0.02)


if __name__ == "__main__":
    unittest.main()
