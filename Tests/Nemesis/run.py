"""What the actors of a run share."""

import asyncio
import random
from pathlib import Path

from flawed_link import FlawedLink
from flaws import Flaw, RedisFlaw
from history import History
from redis_engine import Link, Redis
from server import Server
from wire import Answer, Connection


class Run:
    """One run: its servers, its history, and the choices that follow from its seed."""

    def __init__(self, seed: int, folder: Path, flaw: Flaw, redis: Redis | None):
        self.seed, self.folder, self.flaw, self.redis = seed, folder, flaw, redis
        self.servers: list[Server] = []
        # Between each server and Redis, if there is one.
        self.links: list[Link] = []
        self.history = History(is_single=redis is None)
        # Whether writers and watchers come to an end.
        self.is_over = False
        # Whether something is done to a server that the history does not have yet.
        self.is_disturbed = False
        # How many events the history has when it is looked at next, and had when a seeded bug could show first:
        # at once, or after a fault that it needs.
        self.next_look = 0
        self.first_sign = None if flaw.faults else 0

    async def start(self, options: list[str]):
        """Starts the engine of the journal, and one server or three."""
        if self.redis is None:
            journals = [str(self.folder / "journal")]
        else:
            await self.redis.start()
            self.links = [self._link(number) for number in range(3)]
            for link in self.links:
                await link.open()
            journals = [f"redis://127.0.0.1:{link.port}/nemesis" for link in self.links]
        for number, journal in enumerate(journals):
            server = Server(number, self.folder, [*options, "--journal", journal])
            self.servers.append(server)
        await asyncio.gather(*(server.start() for server in self.servers))

    def _link(self, server: int) -> Link:
        if isinstance(self.flaw, RedisFlaw):
            return FlawedLink(self.redis, server, self.flaw)
        return Link(self.redis)

    async def end(self):
        for one in [*self.servers, self.redis]:
            if one:
                await one.kill()
        for link in self.links:
            await link.close()

    def choices(self, actor: str) -> random.Random:
        """The choices of one actor, which depend on no other."""
        return random.Random(f"{self.seed}/{actor}")


class Lines:
    """The connections of one client, one to each server."""

    def __init__(self, run: Run):
        self._run = run
        self._connections = {server.number: Connection(server.port) for server in run.servers}

    async def ask(self, server: Server, method: str, path: str, *rest, **named) -> Answer:
        connection = self._connections[server.number]
        return await self._run.flaw.ask(connection, method, path, *rest, **named)

    async def events(self, server: Server, path: str, seconds: float, headers: dict):
        # A stream has a connection of its own.
        stream = Connection(server.port).events(path, seconds, headers)
        async for event in self._run.flaw.events(stream):
            yield event

    def close(self):
        for connection in self._connections.values():
            connection.close()
