"""Races ViewDelta's replies against a C program on libmicrohttpd and against Hummingbird.

Run by `scripts/benchmark http`, which builds what it needs.
"""

import argparse
import json
import sys
import tempfile
from contextlib import ExitStack

from Harness.children import BenchmarkError, end_on_signals, raise_descriptor_limit
from Harness.clients import Waiters, load
from Harness.replies import get, write_manifest
from Harness.servers import Hummingbird, Reference, ViewDelta
from Harness.table import Table, microseconds, rate

# How many clients ask for as many differences.
CLIENTS = 1000


def captured_cases(ours):
    """The four replies, of the screen after one change."""
    before = ours.revision()
    now = ours.change()
    etag = ours.snapshot().field("ETag")
    return [
        ours.case("snapshot", ours.SCREEN),
        ours.case("304", ours.SCREEN, etag),
        ours.case("204", ours.diff_target(now)),
        ours.case("cached diff", ours.diff_target(before)),
    ]


def race(case, folder, ours, peers, rounds, table):
    """One case with all servers in turn, round by round."""
    rates = {server: [] for server in (ours, *peers)}
    costs = {server: [] for server in (ours, *peers)}
    for _ in range(rounds):
        for server in rates:
            before = server.cpu_seconds()
            replies, seconds = load(folder, server.port, case)
            rates[server].append(replies / seconds)
            costs[server].append((server.cpu_seconds() - before) / replies * 1e6)
    for peer, budget in peers.items():
        table.add_ratio(
            f"{case.name}, 64 connections", rates[ours], rates[peer], peer.name, rate,
            at_least=budget)
        # Says more than the rate where other work keeps the machine busy.
        table.add_ratio("  CPU per reply", costs[ours], costs[peer], peer.name, microseconds)


def check(case, peer):
    """A peer that says something else would not be one."""
    if not case.ask(peer.port).says_the_same_as(case.reply):
        raise BenchmarkError(f"{peer.name} gives another reply to {case.name}")


def compare_sizes(cases, table):
    """Bytes of the difference that a change of one field makes."""
    snapshot = len(cases["snapshot"].reply.body)
    body = cases["cached diff"].reply.body
    value = json.loads(body)["rows"]["updates"][0]["set"]
    # As it stands in the body, in quotation marks.
    beside = len(body) - sum(len(json.dumps(text).encode()) for text in value.values())
    table.add(
        "one-field change of 100 posts: bytes beside the value", f"{beside} B", budget="≤ 200 B",
        is_met=beside <= 200)
    table.add(
        "the same: bytes in all", f"{len(body)} B", f"{snapshot:,} B snapshot",
        f"{len(body) / snapshot:.4f}", "≤ 0.01", len(body) <= 0.01 * snapshot)


def compare_revisions(ours, folder, rounds, table):
    """The processor's time for replies to clients that hold different revisions, and the same.

    Each round of "after a change" begins with one, so that no difference is there yet: this is
    what clients ask that fell behind by different amounts. In "again" all differences are there.
    """
    revisions = ours.revisions()
    while len(revisions) <= CLIENTS:
        ours.change()
        revisions = ours.revisions() if len(revisions) + 1 > CLIENTS else [*revisions, None]
    different = [ours.diff_target(revision) for revision in revisions[-CLIENTS - 1:-1]]
    same = [different[CLIENTS // 2]]
    with Waiters(folder, ours.port, CLIENTS) as clients:
        for name, changes in (("after a change", True), ("again", False)):
            costs = {"different": [], "same": []}
            for _ in range(rounds):
                for kind, targets in (("different", different), ("same", same)):
                    if changes:
                        ours.change()
                    requests = [get(ours.port, target) for target in targets]
                    costs[kind].append(cost_of_replies(ours, clients, requests))
            table.add_ratio(
                f"1,000 different since, {name}: CPU per reply", costs["different"],
                costs["same"], "one since", microseconds, at_most=2)


def cost_of_replies(ours, clients, requests):
    """Microseconds of the server's processor time for each reply to all clients."""
    before = ours.cpu_seconds()
    clients.send(requests)
    result = clients.collect()
    if result["missing"] > 0 or any(reply["status"] != 200 for reply in result["replies"]):
        raise BenchmarkError("not all clients got a difference")
    return (ours.cpu_seconds() - before) / CLIENTS * 1e6


def run(options):
    table = Table()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="viewdelta-benchmark-"))
        ours = stack.enter_context(ViewDelta(folder))
        cases = captured_cases(ours)
        manifest = write_manifest(folder, cases)
        peers = {stack.enter_context(Reference(folder, manifest)): 0.95}
        if Hummingbird.is_built():
            peers[stack.enter_context(Hummingbird(folder, manifest))] = 2.5
        for case in cases:
            for peer in peers:
                check(case, peer)
            if options.workload in case.name:
                race(case, folder, ours, peers, options.rounds, table)
        if not Hummingbird.is_built():
            table.skip("the same against Hummingbird", "could not be built")
        if not options.workload:
            compare_sizes({case.name: case for case in cases}, table)
        if options.workload in "since":
            compare_revisions(ours, folder, options.rounds, table)
    table.print()
    return table.is_met


def main():
    parser = argparse.ArgumentParser(prog="scripts/benchmark http")
    parser.add_argument(
        "workload", nargs="?", default="", help="a part of a row's name: run only those")
    parser.add_argument("--rounds", type=int, default=7, help="rounds of each figure (default: 7)")
    options = parser.parse_args()
    end_on_signals()
    try:
        raise_descriptor_limit(CLIENTS + 100)
        sys.exit(0 if run(options) else 1)
    except BenchmarkError as error:
        sys.exit(f"scripts/benchmark http: {error}")


if __name__ == "__main__":
    main()
