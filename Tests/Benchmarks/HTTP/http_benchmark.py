"""Races ViewDelta's replies against a C program on libmicrohttpd and against Hummingbird.

Run by `scripts/benchmark http`, which builds what it needs.
"""

import argparse
import json
import tempfile
from contextlib import ExitStack

from Harness.children import BenchmarkError, exit_with_verdict, raise_descriptor_limit
from Harness.clients import load
from Harness.replies import write_manifest
from Harness.servers import Hummingbird, Reference, ViewDelta
from Harness.table import Table, microseconds, progress, rate
from HTTP.connections import compare_bursts, compare_connections
from HTTP.epochs import compare_epochs
from HTTP.pipelined import compare_pipelined
from HTTP.revisions import CLIENTS, compare_revisions
from HTTP.threads import compare_threads


WORKLOADS = (
    "snapshot", "304", "204", "cached diff", "list", "connections", "pipelined", "size", "since",
    "epochs", "threads")


def captured_cases(ours):
    """The replies, of the screen and the posts that it shows, after one change."""
    before = ours.revision()
    now = ours.change()
    etag = ours.snapshot().field("ETag")
    return [
        ours.case("snapshot", ours.SCREEN),
        ours.case("304", ours.SCREEN, etag),
        ours.case("204", ours.diff_target(now)),
        ours.case("cached diff", ours.diff_target(before)),
        ours.case("list", ours.LIST),
    ]


def race(case, folder, ours, peers, rounds, table):
    """One case with all servers in turn, round by round.

    Each peer has the least ratio of the rates and, unless it is None, the greatest of the costs.
    """
    progress(f"{case.name}, {rounds} rounds")
    rates = {server: [] for server in (ours, *peers)}
    costs = {server: [] for server in (ours, *peers)}
    for _ in range(rounds):
        for server in rates:
            before = server.cpu_seconds()
            replies, seconds = load(folder, server, case)
            rates[server].append(replies / seconds)
            costs[server].append((server.cpu_seconds() - before) / replies * 1e6)
    for peer, (least, most) in peers.items():
        table.add_ratio(
            f"{case.name}, 64 connections", rates[ours], rates[peer], peer.name, rate,
            at_least=least)
        # Says more than the rate where other work keeps the machine busy.
        table.add_ratio(
            "  CPU per reply", costs[ours], costs[peer], peer.name, microseconds, at_most=most)


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


def run(options):
    raise_descriptor_limit(CLIENTS + 100)
    table = Table()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="viewdelta-benchmark-"))
        ours = stack.enter_context(ViewDelta(folder, {"--threads": str(options.threads)}))
        cases = captured_cases(ours)
        manifest = write_manifest(folder, cases)
        reference = stack.enter_context(Reference(folder, manifest))
        hummingbird = None
        if Hummingbird.is_built():
            hummingbird = stack.enter_context(Hummingbird(folder, manifest))
        else:
            table.skip("all replies, against Hummingbird", "it could not be built")
        for case in cases:
            # A list has no budget: to find its version takes several look-ups.
            has_budget = case.name != "list"
            peers = {reference: (0.95 if has_budget else None, None)}
            if hummingbird:
                # The kernel has most of the work for a snapshot.
                least = (2, None) if case.name == "snapshot" else (2.5, 0.33)
                peers[hummingbird] = least if has_budget else (None, None)
            for peer in peers:
                check(case, peer)
            if options.workload in case.name:
                race(case, folder, ours, peers, options.rounds, table)
        by_name = {case.name: case for case in cases}
        if options.workload in "connections":
            compare_connections(by_name["204"], folder, ours, reference, options.rounds, table)
        if options.workload in "pipelined":
            compare_pipelined(by_name["204"], ours, reference, options.rounds, table)
        # Takes minutes, so only if it is named.
        if options.workload == "bursts":
            compare_bursts(by_name["204"], folder, ours, options.bursts, table)
        if options.workload in "size":
            compare_sizes(by_name, table)
        if options.workload in "since":
            compare_revisions(ours, folder, options.rounds, table)
        if options.workload in "epochs":
            compare_epochs(folder, options.rounds, table)
        if options.workload in "threads":
            compare_threads(by_name["204"], folder, manifest, options.rounds, table)
    table.print()
    return table.is_met


def main():
    parser = argparse.ArgumentParser(prog="scripts/benchmark http")
    parser.add_argument(
        "workload", nargs="?", default="",
        help=f"run only those that contain this: {', '.join(WORKLOADS)}; or bursts")
    parser.add_argument("--rounds", type=int, default=7, help="rounds of each figure (default: 7)")
    parser.add_argument("--threads", type=int, default=1, help="threads of our server (default: 1)")
    parser.add_argument(
        "--bursts", type=int, default=10000, help="bursts of each size (default: 10000)")
    options = parser.parse_args()
    if options.workload != "bursts" and not any(options.workload in name for name in WORKLOADS):
        parser.error(f"no workload has “{options.workload}” in its name")
    exit_with_verdict("http", lambda: run(options))


if __name__ == "__main__":
    main()
