"""What a reply costs if several threads serve."""

import os
from contextlib import ExitStack

from Harness.clients import load
from Harness.servers import ViewDelta
from Harness.table import microseconds, progress, rate

THREADS = (1, 2, 4)


def compare_threads(folder, rounds, table):
    """Snapshots and empty replies of our server with each number of threads, against one thread."""
    progress(f"{', '.join(map(str, THREADS))} threads, {rounds} rounds")
    with ExitStack() as stack:
        servers = {}
        for number in THREADS:
            own = os.path.join(folder, f"{number}-threads")
            os.mkdir(own)
            servers[number] = stack.enter_context(ViewDelta(own, {"--threads": str(number)}))
        for name in ("snapshot", "204"):
            rates = {number: [] for number in THREADS}
            costs = {number: [] for number in THREADS}
            for _ in range(rounds):
                for number, server in servers.items():
                    target = (
                        server.SCREEN if name == "snapshot"
                        else server.diff_target(server.revision()))
                    case = server.case(name, target)
                    before = server.cpu_seconds()
                    replies, seconds = load(folder, server, case)
                    rates[number].append(replies / seconds)
                    costs[number].append((server.cpu_seconds() - before) / replies * 1e6)
            for number in THREADS[1:]:
                table.add_ratio(
                    f"{name}, {number} threads", rates[number], rates[1], "one thread", rate)
                table.add_ratio(
                    "  CPU per reply", costs[number], costs[1], "one thread", microseconds,
                    at_most=1.1)
