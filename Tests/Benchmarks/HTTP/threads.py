"""What a reply costs if several threads serve."""

import os
from contextlib import ExitStack

from Harness.clients import load
from Harness.servers import Reference, ViewDelta
from Harness.table import microseconds, progress, rate

THREADS = (1, 2, 4)


def compare_threads(empty, folder, manifest, rounds, table):
    """Snapshots and empty replies with each number of threads, against one thread.

    The C program, which gives the empty reply of the manifest, shows what the machine makes of that.
    """
    progress(f"{', '.join(map(str, THREADS))} threads, {rounds} rounds")
    with ExitStack() as stack:
        servers, references = {}, {}
        for number in THREADS:
            own = os.path.join(folder, f"{number}-threads")
            os.mkdir(own)
            servers[number] = stack.enter_context(ViewDelta(own, {"--threads": str(number)}))
            references[number] = stack.enter_context(Reference(own, manifest, threads=number))
        measured = (
            ("snapshot", servers, lambda ours: ours.case("snapshot", ours.SCREEN), 1.1),
            ("204", servers, lambda ours: ours.case("204", ours.diff_target(ours.revision())), 1.1),
            ("204 of the C program", references, lambda _: empty, None),
        )
        for name, those, case, limit in measured:
            _compare(name, those, case, limit, folder, rounds, table)


def _compare(name, servers, case_of, limit, folder, rounds, table):
    """A reply of servers with each number of threads."""
    rates = {number: [] for number in THREADS}
    costs = {number: [] for number in THREADS}
    for _ in range(rounds):
        for number, server in servers.items():
            case = case_of(server)
            before = server.cpu_seconds()
            replies, seconds = load(folder, server, case)
            rates[number].append(replies / seconds)
            costs[number].append((server.cpu_seconds() - before) / replies * 1e6)
    for number in THREADS[1:]:
        table.add_ratio(f"{name}, {number} threads", rates[number], rates[1], "one thread", rate)
        table.add_ratio(
            "  CPU per reply", costs[number], costs[1], "one thread", microseconds, at_most=limit)
