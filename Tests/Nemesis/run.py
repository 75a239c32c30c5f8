"""What the actors of a run share."""

import random
from pathlib import Path

from flaws import Flaw
from history import History
from server import Server
from wire import Answer, Connection


class Run:
    """One run: its servers, its history, and the choices that follow from its seed."""

    def __init__(self, seed: int, folder: Path, servers: list[Server], flaw: Flaw):
        self.seed, self.folder, self.servers, self.flaw = seed, folder, servers, flaw
        self.history = History()
        # Whether writers and watchers come to an end.
        self.is_over = False
        # Whether something is done to a server that the history does not have yet.
        self.is_disturbed = False

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
