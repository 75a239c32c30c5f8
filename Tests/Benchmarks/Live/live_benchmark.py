"""Races ViewDelta's long polls and event streams against a C program on libmicrohttpd and nchan.

Ten thousand clients are parked, one change is made, and each reply is timed from the sending of the
change to its last byte, by the client that sends the change. Run by `scripts/benchmark live`, which
builds what it needs.
"""

import argparse
import os
import tempfile
from collections import Counter
from contextlib import ExitStack
from statistics import median

from Harness.children import BenchmarkError, exit_with_verdict, raise_descriptor_limit
from Harness.clients import Waiters
from Harness.replies import ask, write_manifest
from Harness.servers import LIVE_CONNECTION_MEMORY, LIVE_OPTIONS, Nchan, Reference, ViewDelta
from Harness.table import Table, kibibytes, microseconds, milliseconds, progress
from Live.polls import CapturedPoll, NchanPoll, NchanStream, ViewDeltaPoll, ViewDeltaStream

# At most so many times the 99th percentile, the processor's time and the memory of each peer.
LIMITS = {"reference": (1.1, 1.2, None), "nchan": (0.9, None, 0.55)}
# The numbers of threads of our server that are compared with one thread.
THREADS = (2, 4)


class Contestant:
    """A server, its parked clients, and what was measured so far."""

    def __init__(self, server, poll, folder, count, are_streams=False):
        self.server = server
        self.poll = poll
        self._count = count
        self._empty = server.resident_bytes()
        # The growth of the server for each parked poll, after each parking: a connection may take
        # more once it has had a reply.
        self.bytes_per_poll = []
        # Microseconds, of each round.
        self.p99, self.slowest, self.cpu_per_reply = [], [], []
        # What came instead of the right reply, and how often.
        self.wrong = Counter()
        self.clients = Waiters(folder, server.port, count, are_streams)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.clients.stop()

    def park(self):
        """Lets all clients ask, and returns when the server has nothing left to do but to wait."""
        self.clients.send([self.poll.request()])
        self.server.wait_until_idle()
        # libmicrohttpd may have slept over some of them; see Burst in HTTP/revisions.py.
        ask(self.server.port, "GET", "/healthz")
        self.server.wait_until_idle()
        self.bytes_per_poll.append((self.server.resident_bytes() - self._empty) / self._count)

    def run_round(self):
        """Parks all clients and lets them be answered."""
        self.park()
        before = self.server.cpu_seconds()
        result = self.clients.publish(self.poll.publication())
        # What a server does after its replies, to hear of the next requests, is part of their cost.
        self.server.wait_until_idle()
        self.cpu_per_reply.append((self.server.cpu_seconds() - before) / self._count * 1e6)
        if result["published"] // 100 != 2:
            raise BenchmarkError(f"{self.server.name}: the change got a {result['published']}")
        expected = self.poll.expected()
        for reply in result["replies"]:
            # One that came before the change is no reply to it, whatever it says.
            if reply["early"] or (reply["status"], reply["size"], reply["hash"]) != expected:
                when = "before" if reply["early"] else "after"
                self.wrong[f"{reply['status']} {when} the change"] += reply["count"]
        if result["missing"] > 0:
            raise BenchmarkError(f"{self.server.name}: {result['missing']} polls got no reply")
        self.p99.append(result["p99"])
        self.slowest.append(result["max"])


def viewdelta(folder, threads):
    """Our server with so many threads."""
    folder = own_folder(folder, f"{threads}-threads")
    server = ViewDelta(folder, LIVE_OPTIONS | {"--threads": str(threads)})
    if threads > 1:
        server.name += f" with {threads} threads"
    return server


def own_folder(folder, name):
    path = os.path.join(folder, name)
    os.mkdir(path)
    return path


def report(contestants, count, table):
    ours, *others = contestants
    polls = f"{count:,} parked polls"
    peers = [other for other in others if other.server.name in LIMITS]
    for peer in peers:
        time_limit, cpu_limit, memory_limit = LIMITS[peer.server.name]
        if ours.wrong or peer.wrong:
            # How fast a wrong reply comes is of no interest.
            table.skip(f"{polls}, one change: p99", "not all replies are right, see below")
        else:
            table.add_ratio(
                f"{polls}, one change: p99", ours.p99, peer.p99, peer.server.name, milliseconds,
                at_most=time_limit)
            table.add_ratio(
                "  slowest reply", ours.slowest, peer.slowest, peer.server.name, milliseconds)
            # Says more than the time where other work keeps the machine busy.
            table.add_ratio(
                "  CPU per reply", ours.cpu_per_reply, peer.cpu_per_reply, peer.server.name,
                microseconds, at_most=cpu_limit)
        table.add_ratio(
            "  memory per parked poll", ours.bytes_per_poll, peer.bytes_per_poll,
            peer.server.name, kibibytes, at_most=memory_limit)
    if not Nchan.is_installed():
        table.skip(f"{polls}, against nchan", "nginx with nchan is not installed")
    for number, other in zip(THREADS, others[len(peers):]):
        table.add_ratio(
            f"{polls}, {number} threads: p99", other.p99, ours.p99, "one thread", milliseconds)
        table.add_ratio(
            "  CPU per reply", other.cpu_per_reply, ours.cpu_per_reply, "one thread",
            microseconds, at_most=1.1)
    memory = median(ours.bytes_per_poll)
    table.add(
        "memory per parked poll", kibibytes(memory), budget="≤ 5.3 KiB",
        is_met=memory <= 5.3 * 1024)
    report_wrong(contestants, count, table)


def report_streams(ours, nchan, count, table):
    streams = f"{count:,} event streams, one change"
    table.add_ratio(
        f"{streams}: p99", ours.p99, nchan.p99, "nchan", milliseconds, at_most=1.0)
    table.add_ratio(
        "  CPU per event", ours.cpu_per_reply, nchan.cpu_per_reply, "nchan", microseconds)
    table.add_ratio(
        "  memory per stream", ours.bytes_per_poll, nchan.bytes_per_poll, "nchan", kibibytes)
    report_wrong([ours, nchan], count, table)


def report_wrong(contestants, count, table):
    for contestant in contestants:
        wrong = contestant.wrong
        kinds = [f"{number:,} × {kind}" for kind, number in wrong.most_common(3)]
        table.add(
            f"wrong replies of {contestant.server.name}", f"{wrong.total():,}",
            f"of {count * len(contestant.p99):,}: {', '.join(kinds) or 'none'}", budget="0",
            is_met=not wrong)


def race(folder, races, options, are_streams=False):
    """Lets the clients of all servers wait and be answered, in turn."""
    kind = "event streams" if are_streams else "connections"
    progress(f"opening {options.connections:,} {kind} to each server")
    with ExitStack() as stack:
        contestants = [
            stack.enter_context(
                Contestant(server, poll, folder, options.connections, are_streams))
            for server, poll in races
        ]
        for number in range(options.rounds):
            progress(f"round {number + 1} of {options.rounds}")
            for contestant in contestants:
                contestant.run_round()
    return contestants


def run(options):
    raise_descriptor_limit(options.connections + 100)
    table = Table()
    count = options.connections
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="viewdelta-benchmark-"))
        ours = stack.enter_context(viewdelta(folder, 1))
        # The peers send what our clients get: the difference that one change makes.
        before = ours.revision()
        ours.change()
        captured = ours.case("park", ours.diff_target(before))
        captured.target = "/park"
        reference = stack.enter_context(
            Reference(folder, write_manifest(folder, [captured]), LIVE_CONNECTION_MEMORY))
        races = [
            (ours, ViewDeltaPoll(ours)), (reference, CapturedPoll(reference, captured.reply))]
        if Nchan.is_installed():
            nchan = stack.enter_context(Nchan(own_folder(folder, "polls")))
            races.append((nchan, NchanPoll(nchan, captured.reply.body)))
        for number in THREADS:
            server = stack.enter_context(viewdelta(folder, number))
            races.append((server, ViewDeltaPoll(server)))
        report(race(folder, races, options), count, table)
        if Nchan.is_installed():
            # Other processes: one that has served polls uses the memory that it has freed.
            anew = own_folder(folder, "streams")
            ours, nchan = (stack.enter_context(it) for it in (viewdelta(anew, 1), Nchan(anew)))
            streams = [
                (ours, ViewDeltaStream(ours)), (nchan, NchanStream(nchan, captured.reply.body))]
            report_streams(*race(folder, streams, options, are_streams=True), count, table)
        else:
            table.skip(f"{count:,} event streams, against nchan", "it is not installed")
    table.print()
    return table.is_met


def main():
    parser = argparse.ArgumentParser(prog="scripts/benchmark live")
    parser.add_argument(
        "--connections", type=int, default=10_000, help="parked polls (default: 10000)")
    parser.add_argument("--rounds", type=int, default=7, help="rounds of each figure (default: 7)")
    options = parser.parse_args()
    exit_with_verdict("live", lambda: run(options))


if __name__ == "__main__":
    main()
