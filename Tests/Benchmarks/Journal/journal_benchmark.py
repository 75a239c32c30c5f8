"""Measures what a journal costs writers, readers and a start, and when another server shows a write.

Run by `scripts/benchmark journal`, which builds what it needs.
"""

import argparse
import http.client
import json
import os
import shutil
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from statistics import median

from Harness.children import BenchmarkError, Child, exit_with_verdict
from Harness.clients import load_any
from Harness.replies import ask, get, request_with_body
from Harness.servers import VIEWDELTA, ViewDelta, free_port
from Harness.table import Table, microseconds, milliseconds, progress, rate

BOARD = "/v1/view-models/scoreboard/1"
COMMANDS = f"{BOARD}/commands"
COMMAND = {"type": "adjustScore", "player": 1, "by": 1}
FORM = "form/1"
ENTRY = {"type": "didChange", "row": "name", "value": "Ada"}
WRITERS = 64
# What 64 writers must get, and how soon another server must show a write, in microseconds.
LEAST_RATE, LATEST_SIGHT = 8_000, 10_000
# How many writes are followed to another server.
SIGHTS = 500
# Clients that share as many servers.
READERS, SERVERS = 60, 3
# The most that a write or a reply may cost, against the same of the reference: nothing but noise.
MOST = 1.2
# The rows of a program that is given as reference.
OTHER = "the other program"
# The longest start from a journal, in seconds, however many inputs it has.
LONGEST_START = 5
STARTS = 3


class Redis(Child):
    """A Redis of the benchmark's own, with each entry on the disk before it is acknowledged."""

    @staticmethod
    def is_installed():
        return shutil.which("redis-server") is not None

    def __init__(self, folder):
        self.port = free_port()
        script = os.path.join(os.path.dirname(__file__), "../../../scripts/redis")
        super().__init__(
            "redis", [script, str(self.port), folder], os.path.join(folder, "redis.log"))
        deadline = time.monotonic() + 10
        while self._ping() != "PONG":
            if time.monotonic() > deadline:
                raise BenchmarkError(f"Redis does not start{self.epitaph()}")
            time.sleep(0.05)

    def _ping(self):
        command = ["redis-cli", "-p", str(self.port), "ping"]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def measure(folder, server, writers):
    """The writes per second of some writers, the median and the p99 of a reply, and its CPU."""
    request = request_with_body(server.port, "POST", COMMANDS, json.dumps(COMMAND).encode())
    before = server.cpu_seconds()
    figures = load_any(folder, server, request, writers)
    cpu = (server.cpu_seconds() - before) / figures["replies"] * 1e6
    return figures["replies"] / figures["seconds"], figures["p50"], figures["p99"], cpu


def compare(folder, servers, writers, rounds, table):
    progress(f"{writers} writers, {rounds} rounds")
    figures = {name: [] for name in servers}
    for _ in range(rounds):
        for name, server in servers.items():
            figures[name].append(measure(folder, server, writers))
    columns = {name: list(zip(*rows)) for name, rows in figures.items()}
    for name, (rates, halves, nearly_all, costs) in columns.items():
        budget, is_met = "–", None
        if writers == WRITERS and name not in ("memory", OTHER):
            budget, is_met = f"≥ {LEAST_RATE:,}/s", median(rates) >= LEAST_RATE
        who = f"{writers} writers" if writers > 1 else "one writer"
        table.add(f"{name}, {who}", rate(median(rates)), budget=budget, is_met=is_met)
        table.add(
            "  reply: median, p99",
            f"{milliseconds(median(halves))}, {milliseconds(median(nearly_all))}")
        if name == "memory" and OTHER in columns:
            table.add_ratio(
                "  CPU of a write", costs, columns[OTHER][3], OTHER, microseconds, at_most=MOST)
        elif name in ("memory", OTHER):
            table.add("  CPU of a write", microseconds(median(costs)))
        else:
            table.add_ratio(
                "  CPU of a write", costs, columns["memory"][3], "in memory", microseconds)


def follow(writer, reader, table):
    """The time from the reply to a write until another server has sent it to a stream."""
    progress(f"{SIGHTS} writes, seen on another server")
    stream = http.client.HTTPConnection("127.0.0.1", reader.port, timeout=10)
    stream.request("GET", "/v1/view-models/scoreboard/1/events")
    events = stream.getresponse()
    connection = http.client.HTTPConnection("127.0.0.1", writer.port, timeout=10)
    times = []
    _next_revision(events)
    for _ in range(SIGHTS):
        connection.request(
            "POST", COMMANDS, json.dumps(COMMAND), {"Content-Type": "application/json"})
        revision = json.loads(connection.getresponse().read())["revision"]
        start = time.monotonic()
        while _next_revision(events) != revision:
            pass
        times.append((time.monotonic() - start) * 1e6)
    times.sort()
    late = times[len(times) * 99 // 100]
    table.add(
        "Redis, seen on another server: median, p99",
        f"{milliseconds(median(times))}, {milliseconds(late)}",
        budget=f"≤ {LATEST_SIGHT / 1e3:.0f} ms", is_met=late <= LATEST_SIGHT)


def restart(start, folder, inputs, table):
    """A start after many inputs, with a journal that keeps them all."""
    progress(f"a start after {inputs:,} inputs")
    options = {
        "--journal": os.path.join(folder, "long.journal"), "--journal-keep": "7d",
        "--journal-limit": "8192"}
    server = start("inputs", options)
    request = request_with_body(server.port, "POST", COMMANDS, json.dumps(COMMAND).encode())
    while (left := inputs - _position(server)) > 0:
        # In slices, of about as many inputs as are left at the end.
        load_any(folder, server, request, WRITERS, min(10, left / LEAST_RATE))
    position = _position(server)
    time_starts(
        start, server, options, f"start after {position:,} inputs",
        lambda server: _position(server) >= position, table)


def restart_sessions(start, folder, sessions, table):
    """A start with many sessions that have filled in a form, each with one input."""
    progress(f"a start with {sessions:,} sessions")
    options = {"--journal": os.path.join(folder, "sessions.journal")}
    server = start("sessions", options)
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    for session in range(sessions):
        target = f"/v1/view-models/{FORM}@{session:022}/commands"
        connection.request("POST", target, json.dumps(ENTRY), {"Content-Type": "application/json"})
        reply = connection.getresponse()
        if reply.status != 200:
            raise BenchmarkError(f"a session gets {reply.status}: {reply.read()[:200]}")
        reply.read()
    connection.close()

    def is_whole(server):
        some = (0, sessions // 2, sessions - 1)
        forms = [f"/v1/view-models/{FORM}@{session:022}" for session in some]
        entered = ENTRY["value"].encode()
        return all(entered in ask(server.port, "GET", form).body for form in forms)

    time_starts(start, server, options, f"start with {sessions:,} sessions", is_whole, table)


def time_starts(start, server, options, name, is_whole, table):
    """The time from the launch of a server until it is ready, after one that was killed."""
    seconds, cpu = [], []
    for number in range(STARTS):
        # Without a last word, as a crash ends it.
        server.process.kill()
        server.process.wait()
        server = start(f"{name}, {number}", options)
        seconds.append(server.ready_seconds)
        cpu.append(server.start_seconds)
        if not is_whole(server):
            raise BenchmarkError("the start has lost inputs")
    server.stop()
    table.add(
        name, f"{median(seconds):.2f} s",
        budget=f"≤ {LONGEST_START} s", is_met=median(seconds) <= LONGEST_START)
    table.add("  its CPU", f"{median(cpu):.2f} s")


def _position(server):
    """The number of the last input that has changed the board."""
    revision = json.loads(ask(server.port, "GET", BOARD).body)["revision"]
    return int(revision.split(".")[1])


def _next_revision(events):
    """The revision of the next event with data."""
    while not (line := events.readline()).startswith(b"data:"):
        if not line:
            raise BenchmarkError("the stream has ended")
    return json.loads(line[5:])["revision"]


def read(folder, servers):
    """The CPU of a reply to readers who share some servers."""
    def load(server):
        own = os.path.join(folder, f"readers-{server.port}")
        os.makedirs(own, exist_ok=True)
        return load_any(own, server, get(server.port, BOARD), READERS // len(servers))

    before = sum(server.cpu_seconds() for server in servers)
    with ThreadPoolExecutor(len(servers)) as clients:
        replies = sum(figures["replies"] for figures in clients.map(load, servers))
    return (sum(server.cpu_seconds() for server in servers) - before) / replies * 1e6


def spread(folder, servers, rounds, table):
    """Readers of all servers against as many of one."""
    progress(f"{READERS} readers of {len(servers)} servers and of one, {rounds} rounds")
    costs = [(read(folder, servers), read(folder, servers[:1])) for _ in range(rounds)]
    table.add_ratio(
        f"Redis, {READERS} readers of {len(servers)} servers: CPU of a reply", *zip(*costs),
        "of 1 server", microseconds, at_most=MOST)


def run(options):
    table = Table()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="viewdelta-benchmark-"))

        def start(name, options=None, program=VIEWDELTA):
            path = os.path.join(folder, name)
            os.mkdir(path)
            server = ViewDelta(path, options, has_demo=True, program=program)
            return stack.enter_context(server)

        if options.inputs:
            restart(start, folder, options.inputs, table)
        if options.sessions:
            restart_sessions(start, folder, options.sessions, table)
        servers = {
            "memory": start("memory"),
            "SQLite": start("sqlite", {"--journal": os.path.join(folder, "journal")})}
        if options.against:
            program = os.path.join(os.environ.get("BENCHMARK_CALLER", ""), options.against)
            servers[OTHER] = start("other", program=program)
        if Redis.is_installed():
            redis = stack.enter_context(Redis(folder))
            address = f"redis://127.0.0.1:{redis.port}"
            servers["Redis"] = start("redis", {"--journal": f"{address}/benchmark"})
        else:
            table.skip("Redis", "redis-server is not installed")
        for writers in (WRITERS, 1):
            compare(folder, servers, writers, options.rounds, table)
        if "Redis" in servers:
            # With a short journal they start at once.
            shared = [
                start(f"redis-{number}", {"--journal": f"{address}/shared"})
                for number in range(SERVERS)]
            follow(shared[0], shared[1], table)
            spread(folder, shared, options.rounds, table)
    table.print()
    return table.is_met


def main():
    parser = argparse.ArgumentParser(prog="scripts/benchmark journal")
    parser.add_argument("--rounds", type=int, default=7, help="rounds of each figure (default: 7)")
    parser.add_argument(
        "--inputs", type=int, default=50_000,
        help="inputs before the starts that are measured, 0 for none (default: 50000)")
    parser.add_argument(
        "--sessions", type=int, default=20_000,
        help="sessions at the starts that are measured, 0 for none (default: 20000)")
    parser.add_argument(
        "--against", metavar="PROGRAM", help="another build, which runs without a journal")
    options = parser.parse_args()
    exit_with_verdict("journal", lambda: run(options))


if __name__ == "__main__":
    main()
