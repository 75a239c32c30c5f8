"""Clients that hold a thousand different revisions of one screen."""

from collections import Counter

from Harness.children import BenchmarkError
from Harness.clients import Waiters
from Harness.replies import get
from Harness.table import microseconds, progress

# How many clients ask for as many differences.
CLIENTS = 1000


def compare_revisions(ours, folder, rounds, table):
    """The processor's time for replies to clients that hold different revisions, and the same.

    Each round of "after a change" begins with one, so that no difference is there yet: this is
    what clients ask that fell behind by different amounts. In "again" all differences are there.
    """
    progress(f"{CLIENTS:,} different revisions, {rounds} rounds")
    # The difference from a revision before the load is larger than the snapshot, which is sent in its place.
    for _ in range(CLIENTS):
        ours.change()
    different = [ours.diff_target(revision) for revision in ours.revisions()[-CLIENTS - 1:-1]]
    same = [different[CLIENTS // 2]]
    with Burst(ours, folder) as burst:
        for name, changes in (("after a change", True), ("again", False)):
            costs = {"different": [], "same": []}
            for _ in range(rounds):
                for kind, targets in (("different", different), ("same", same)):
                    if changes:
                        ours.change()
                    costs[kind].append(burst.cost_of_replies(targets))
            table.add_ratio(
                f"1,000 different since, {name}: CPU per reply", costs["different"],
                costs["same"], "one since", microseconds, at_most=2)
        table.add("  bursts that stalled", f"{burst.stalled}", f"of {burst.count}")


class Burst(Waiters):
    """Clients that ask all at once, each once."""

    def __init__(self, server, folder):
        super().__init__(folder, server.port, CLIENTS)
        self._server = server
        self.count = self.stalled = 0

    def cost_of_replies(self, targets):
        """Microseconds of the server's processor time for each reply to all clients."""
        before = self._server.cpu_seconds()
        self.send([get(self._server.port, target) for target in targets])
        result = self.collect(2)
        self.count += 1
        if result["missing"] > 0:
            # libmicrohttpd fetches 128 events at a time until it gets fewer. After exactly 128 it
            # sleeps before it has dealt with them, until something else happens.
            self.stalled += 1
            self._server.revision()
            result = self.collect()
        statuses = Counter()
        for reply in result["replies"]:
            statuses[reply["status"]] += reply["count"]
        if statuses != {200: CLIENTS}:
            raise BenchmarkError(f"not all clients got a difference, but {dict(statuses)}")
        return (self._server.cpu_seconds() - before) / CLIENTS * 1e6
