"""A Redis of the run's own, and the links through which servers reach it."""

import asyncio
import socket
from functools import partial
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/redis"


class Redis:
    """A Redis that has each entry on the disk before it acknowledges it."""

    def __init__(self, folder: Path):
        self._place = held_port()
        self.port = self._place.getsockname()[1]
        self._folder = folder
        self._process: asyncio.subprocess.Process | None = None

    async def start(self):
        """Starts it, and returns when it has read what is on the disk."""
        self._process = await asyncio.create_subprocess_exec(
            str(SCRIPT), str(self.port), str(self._folder)
        )
        while not await self._is_ready():
            await asyncio.sleep(0.05)

    async def _is_ready(self) -> bool:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            writer.write(b"PING\r\n")
            answer = await reader.readline()
            writer.close()
            return answer == b"+PONG\r\n"
        except OSError:
            return False

    async def kill(self):
        if self._process and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()


class Link:
    """Passes bytes between one server and Redis, or does not."""

    def __init__(self, redis: Redis):
        self._place = held_port()
        self.port = self._place.getsockname()[1]
        self._redis = redis
        self._flows = asyncio.Event()
        self._flows.set()
        self._is_cut = False
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    async def open(self):
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)

    async def close(self):
        self.cut()
        self.mend()
        self._server.close()
        # Those that serve a connection end.
        while self._writers:
            await asyncio.sleep(0.01)

    def hold(self):
        """Keeps all bytes for now, as a network that has lost its way does."""
        self._flows.clear()

    def cut(self):
        """Ends all connections, and refuses others."""
        self._is_cut = True
        for writer in self._writers:
            writer.transport.abort()

    def mend(self):
        self._is_cut = False
        self._flows.set()

    async def _serve(self, reader, writer):
        if self._is_cut:
            return writer.transport.abort()
        try:
            others = await asyncio.open_connection("127.0.0.1", self._redis.port)
        except OSError:
            return writer.transport.abort()
        ends = {writer, others[1]}
        self._writers |= ends
        try:
            to_redis, from_redis = self._ways(reader, others[0])
            await asyncio.gather(self._pass(to_redis, others[1]), self._pass(from_redis, writer))
        finally:
            self._writers -= ends

    def _ways(self, from_server, from_redis):
        """What gives the next bytes to Redis, and the next ones to the server."""
        return partial(from_server.read, 1 << 16), partial(from_redis.read, 1 << 16)

    async def _pass(self, read, writer):
        try:
            while data := await read():
                await self._flows.wait()
                writer.write(data)
                await writer.drain()
        except (OSError, EOFError):
            pass
        finally:
            writer.close()


def held_port() -> socket.socket:
    """
    A socket at a port where a program can listen, end and come back: the system gives the port to no other as long as
    the socket is open.
    """
    place = socket.socket()
    # If the program sets this option too, both can be bound to the port.
    place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    place.bind(("127.0.0.1", 0))
    return place
