"""Polls that name revisions of another run of the server, as all clients do after a restart."""

import json
import os

from Harness.children import BenchmarkError
from Harness.replies import ask
from Harness.servers import ViewDelta
from Harness.table import microseconds, progress

# How many view models are open while the polls are answered.
SCREENS = 8000
# How many view models one poll names, and how often it is sent in a round.
NAMED = 100
POLLS = 50


def compare_epochs(folder, rounds, table):
    """The processor's time for polls with revisions that no screen knows, and without revisions."""
    progress(f"revisions of another run, {SCREENS:,} view models open, {rounds} rounds")
    folder = os.path.join(folder, "epochs")
    os.mkdir(folder)
    with ViewDelta(folder, users=SCREENS) as server:
        for first in range(1, SCREENS, NAMED):
            poll(server, {f"profile/{first + number}": {} for number in range(NAMED)})
        unknown = {
            f"profile/{number}": {"since": f"Gone{number:04}.7"} for number in range(1, NAMED + 1)}
        none = {name: {} for name in unknown}
        costs = {"unknown": [], "none": []}
        for _ in range(rounds):
            for kind, screens in (("unknown", unknown), ("none", none)):
                before = server.cpu_seconds()
                for _ in range(POLLS):
                    poll(server, screens)
                costs[kind].append((server.cpu_seconds() - before) / POLLS * 1e6)
    table.add_ratio(
        f"sync of {NAMED} unknown revisions, {SCREENS:,} view models open: CPU", costs["unknown"],
        costs["none"], "without revisions", microseconds, at_most=2)


def poll(server, screens):
    reply = ask(
        server.port, "POST", "/v1/sync", json.dumps({"screens": screens}).encode(),
        {"Content-Type": "application/json"})
    if reply.status != 200 or len(json.loads(reply.body)["screens"]) != len(screens):
        raise BenchmarkError(f"a poll of {len(screens)} screens was not answered: {reply.status}")
