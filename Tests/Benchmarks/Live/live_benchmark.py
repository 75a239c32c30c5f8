"""Races ViewDelta's long polls against a C program on libmicrohttpd and against nchan.

Ten thousand clients are parked, one change is made, and each reply is timed from the sending of the
change to its last byte, by the client that sends the change. Run by `scripts/benchmark live`, which
builds what it needs.
"""

import argparse
import tempfile
from collections import Counter
from contextlib import ExitStack
from statistics import median

from Harness.children import BenchmarkError, exit_with_verdict, raise_descriptor_limit
from Harness.clients import Waiters
from Harness.replies import ask, write_manifest
from Harness.servers import LIVE_CONNECTION_MEMORY, LIVE_OPTIONS, Nchan, Reference, ViewDelta
from Harness.table import Table, kibibytes, microseconds, milliseconds, progress
from Live.polls import CapturedPoll, NchanPoll, ViewDeltaPoll

# At most so many times the 99th percentile, and the memory, of each peer.
LIMITS = {"reference": (1.15, None), "nchan": (0.8, 0.5)}


class Contestant:
    """A server, its parked clients, and what was measured so far."""

    def __init__(self, server, poll, folder, count):
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
        self.clients = Waiters(folder, server.port, count)

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


def report(contestants, count, table):
    ours, *peers = contestants
    polls = f"{count:,} parked polls"
    for peer in peers:
        time_limit, memory_limit = LIMITS[peer.server.name]
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
                microseconds)
        table.add_ratio(
            "  memory per parked poll", ours.bytes_per_poll, peer.bytes_per_poll,
            peer.server.name, kibibytes, at_most=memory_limit)
    if not Nchan.is_installed():
        table.skip(f"{polls}, against nchan", "nginx with nchan is not installed")
    memory = median(ours.bytes_per_poll)
    table.add(
        "memory per parked poll", kibibytes(memory), budget="≤ 6 KiB",
        is_met=memory <= 6 * 1024)
    for contestant in contestants:
        wrong = contestant.wrong
        kinds = [f"{number:,} × {kind}" for kind, number in wrong.most_common(3)]
        table.add(
            f"wrong replies of {contestant.server.name}", f"{wrong.total():,}",
            f"of {count * len(contestant.p99):,}: {', '.join(kinds) or 'none'}", budget="0",
            is_met=not wrong)


def run(options):
    raise_descriptor_limit(options.connections + 100)
    table = Table()
    count = options.connections
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="viewdelta-benchmark-"))
        ours = stack.enter_context(ViewDelta(folder, LIVE_OPTIONS))
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
            nchan = stack.enter_context(Nchan(folder))
            races.append((nchan, NchanPoll(nchan, captured.reply.body)))
        progress(f"opening {count:,} connections to each server")
        contestants = [
            stack.enter_context(Contestant(server, poll, folder, count))
            for server, poll in races
        ]
        for number in range(options.rounds):
            progress(f"round {number + 1} of {options.rounds}")
            for contestant in contestants:
                contestant.run_round()
        report(contestants, count, table)
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
