"""HTTP/1.1 over asyncio, plain enough to break a connection at any byte."""

import asyncio
import json


class Lost(Exception):
    """The connection ended, or the time was over, before the answer was whole."""


class Answer:
    """A reply whose body has been read."""

    def __init__(self, status: int, headers: dict, body: bytes):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)


def request_bytes(method: str, path: str, body=None, headers: dict | None = None) -> bytes:
    """A request as it is sent; a body goes as JSON."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"]
    data = b"" if body is None else json.dumps(body).encode()
    if body is not None:
        kind = "application/merge-patch+json" if method == "PATCH" else "application/json"
        lines += [f"Content-Type: {kind}", f"Content-Length: {len(data)}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return "\r\n".join([*lines, "", ""]).encode() + data


class Connection:
    """One connection to a port, opened when it is needed and closed after each failure."""

    def __init__(self, port: int):
        self.port = port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def ask(
        self, method: str, path: str, body=None, headers: dict | None = None, seconds: float = 6
    ) -> Answer:
        """Sends a request and reads the reply; raises `Lost` if there is none in time."""
        try:
            async with asyncio.timeout(seconds):
                await self._send(request_bytes(method, path, body, headers))
                status, fields = await self._head()
                data = b"" if status in (204, 304) else await self._body(fields)
        except (OSError, EOFError, ValueError, TimeoutError) as error:
            self.close()
            raise Lost(repr(error)) from error
        except asyncio.CancelledError:
            self.close()
            raise
        if fields.get("connection") == "close":
            self.close()
        return Answer(status, fields, data)

    async def events(self, path: str, seconds: float, headers: dict):
        """The blocks of an event stream, each as its fields; ends with the time or the stream."""
        deadline = asyncio.get_running_loop().time() + seconds
        try:
            async with asyncio.timeout_at(deadline):
                fields = {"Accept": "text/event-stream", **headers}
                await self._send(request_bytes("GET", path, None, fields))
                status, fields = await self._head()
            if status != 200:
                raise Lost(f"status {status}")
            rest, block = b"", {}
            while True:
                async with asyncio.timeout_at(deadline):
                    rest += await self._chunk()
                *lines, rest = rest.split(b"\n")
                for line in lines:
                    name, _, value = line.decode().partition(":")
                    if line:
                        block[name] = value.removeprefix(" ")
                    else:
                        yield block
                        block = {}
        except TimeoutError:
            return
        except (OSError, EOFError, ValueError) as error:
            raise Lost(repr(error)) from error
        finally:
            self.close()

    async def pipeline(self, request: bytes, count: int):
        """Sends one request many times, some at once, and reads all replies."""
        try:
            for sent in range(0, count, 50):
                some = min(50, count - sent)
                await self._send(request * some)
                for _ in range(some):
                    _, fields = await self._head()
                    await self._body(fields)
        except (OSError, EOFError, ValueError) as error:
            raise Lost(repr(error)) from error
        finally:
            self.close()

    async def write(self, data: bytes):
        """Sends bytes as they are."""
        try:
            await self._send(data)
        except OSError as error:
            self.close()
            raise Lost(repr(error)) from error

    async def _send(self, data: bytes):
        if self._writer is None:
            # The largest line is that of an event.
            self._reader, self._writer = await asyncio.open_connection(
                "127.0.0.1", self.port, limit=1 << 20
            )
        self._writer.write(data)
        await self._writer.drain()

    async def _head(self):
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        fields = dict(line.split(": ", 1) for line in head[1:] if line)
        return int(head[0].split(" ")[1]), {name.lower(): value for name, value in fields.items()}

    async def _body(self, fields: dict) -> bytes:
        if "content-length" in fields:
            return await self._reader.readexactly(int(fields["content-length"]))
        pieces = []
        while piece := await self._chunk(ends=True):
            pieces.append(piece)
        return b"".join(pieces)

    async def _chunk(self, ends: bool = False) -> bytes:
        size = int((await self._reader.readuntil(b"\r\n")).split(b";")[0], 16)
        data = await self._reader.readexactly(size + 2)
        if size == 0 and not ends:
            raise EOFError("the stream has ended")
        return data[:-2]

    def abort(self):
        """Ends the connection with a reset."""
        if self._writer is not None:
            self._writer.transport.abort()
        self._reader = self._writer = None

    def close(self):
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None
