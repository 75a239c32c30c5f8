"""The clients that load the servers; see Tests/Benchmarks/Load."""

import json
import os
import subprocess

from Harness.children import BenchmarkError, Child
from Harness.servers import program


def load(folder, server, case, connections=64, seconds=1.0):
    """Asks a server for one thing over and over.

    Returns how many replies it gave in how many seconds.
    """
    size = 0 if case.reply.status in (204, 304) else len(case.reply.body)
    figures = _load(
        folder, server, case.request(server.port), connections, seconds, case.reply.status, size)
    if figures["wrong"] > 0:
        raise BenchmarkError(f"{figures['wrong']} wrong replies of {server.name} to {case.name}")
    return figures["replies"], figures["seconds"]


def load_any(folder, server, request, connections, seconds=1.0):
    """Sends one request over and over, whose replies have status 200 and any size.

    Returns all figures of the client.
    """
    figures = _load(folder, server, request, connections, seconds, 200, "any")
    if figures["wrong"] > 0:
        raise BenchmarkError(f"{figures['wrong']} requests are refused by {server.name}")
    return figures


def _load(folder, server, request, connections, seconds, status, size):
    path = os.path.join(folder, "request")
    with open(path, "wb") as file:
        file.write(request)
    result = subprocess.run(
        [
            program("load"), str(server.port), str(connections), str(seconds), path, str(status),
            str(size),
        ], capture_output=True, text=True, timeout=seconds + 30, check=False)
    if result.returncode != 0:
        raise BenchmarkError(f"load of {server.name}: {result.stderr}{server.epitaph()}")
    return json.loads(result.stdout)


class Waiters(Child):
    """Many connections of one client, each with one request, or one event stream, at a time."""

    def __init__(self, folder, port, count, are_streams=False):
        self._file = os.path.join(folder, f"requests-{port}")
        command = [program("waiters"), str(port), str(count)] + ["events"] * are_streams
        super().__init__("waiters", command, os.path.join(folder, f"waiters-{port}.log"))
        self.read_line(60)

    def send(self, requests):
        """Sends a request on each connection, those given in turn."""
        self._write(b"".join(requests))
        self.write_line(f"send {self._file}")
        self.read_line(60)

    def collect(self, seconds=10):
        self.write_line(f"collect {seconds}")
        return json.loads(self.read_line(seconds + 10))

    def publish(self, request, seconds=20):
        """Sends the request that lets all others be answered, and collects the replies."""
        self._write(request)
        self.write_line(f"publish {seconds} {self._file}")
        return json.loads(self.read_line(seconds + 10))

    def _write(self, content):
        with open(self._file, "wb") as file:
            file.write(content)


def body_hash(body):
    """The hash of a body as the client prints it: FNV-1a of 64 bits."""
    value = 0xCBF29CE484222325
    for byte in body:
        value = (value ^ byte) * 0x100000001B3 % (1 << 64)
    return f"{value:016x}"
