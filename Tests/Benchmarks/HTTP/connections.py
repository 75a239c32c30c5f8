"""Numbers of connections at which an event loop may do something odd."""

import json
import os
import subprocess

from Harness.children import BenchmarkError
from Harness.clients import load
from Harness.servers import program
from Harness.table import progress, rate

# libmicrohttpd asks for 128 events at a time, and its own thread sleeps when it gets exactly as many. So each number
# has the nearest one at which it is awake.
COUNTS = {127: 127, 128: 127, 129: 127, 256: 255}
BURSTS = (128, 256, 384)


def compare_connections(case, folder, ours, reference, rounds, table):
    """Replies per second at each number, against the reference at one where it does not sleep."""
    progress(f"{case.name} over {', '.join(map(str, COUNTS))} connections, {rounds} rounds")
    rates = {count: [] for count in COUNTS}
    references = {awake: [] for awake in COUNTS.values()}
    for _ in range(rounds):
        for awake, measured in references.items():
            measured.append(_rate(folder, reference, case, awake))
        for count in COUNTS:
            rates[count].append(_rate(folder, ours, case, count))
    for count, awake in COUNTS.items():
        table.add_ratio(
            f"{case.name}, {count} connections", rates[count], references[awake],
            f"{reference.name} at {awake}", rate, at_least=0.9)


def compare_bursts(case, folder, ours, bursts, table):
    """The last reply of each burst of requests that become ready at the same moment."""
    path = os.path.join(folder, "burst")
    with open(path, "wb") as file:
        file.write(case.request(ours.port))
    for count in BURSTS:
        progress(f"{bursts:,} bursts of {count}")
        command = [
            program("bursts"), str(ours.port), str(count), str(bursts), path,
            str(case.reply.status), "0", str(ours.process.pid),
        ]
        # It gives up by itself if the server says nothing for 90 seconds.
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise BenchmarkError(f"bursts of {count}: {result.stderr}{ours.epitaph()}")
        figures = json.loads(result.stdout)
        if figures["wrong"] > 0:
            raise BenchmarkError(f"{figures['wrong']} wrong replies in bursts of {count}")
        table.add(
            f"{bursts:,} bursts of {count}: slowest reply", f"{figures['max'] / 1000:.1f} ms",
            f"p50 {figures['p50'] / 1000:.1f} ms", f"{figures['late']} late", "≤ 50 ms",
            figures["late"] == 0)


def _rate(folder, server, case, connections):
    replies, seconds = load(folder, server, case, connections)
    return replies / seconds
