"""Measures what writes, commands and starts cost, against reads of the same server.

Run by `scripts/benchmark writes`, which builds what it needs.
"""

import argparse
import http.client
import itertools
import json
import os
import socket
import tempfile
from contextlib import ExitStack

from Harness.children import BenchmarkError, exit_with_verdict
from Harness.replies import request_with_body, request_without_body
from Harness.servers import POSTS, ViewDelta
from Harness.table import Table, microseconds, progress

WORKLOADS = ("reads", "forms", "sizes", "boards", "starts")
# How many requests of a kind are sent in a round.
REQUESTS = 50
# A short list of posts, and one that leaves room for those that a round makes.
FEW, MANY = 20, 9_700
# So many boards that none stays in the processor's caches.
BOARDS = 1_000
# How many posts one of two files has more.
MORE_POSTS = 5_000


class Writer:
    """Sends requests to one server over one connection, one after another."""

    def __init__(self, server):
        self.server = server
        self._socket = socket.create_connection(("127.0.0.1", server.port), timeout=30)
        self._numbers = itertools.count(1)
        self._made = []

    def close(self):
        self._socket.close()

    def cost(self, send):
        """Microseconds of the server's processor time for each of a round's requests."""
        before = self.server.cpu_seconds()
        for _ in range(REQUESTS):
            send()
        return (self.server.cpu_seconds() - before) / REQUESTS * 1e6

    def get(self):
        self._send("GET", self.server.SCREEN, 200)

    def patch(self):
        # A post in the middle, so that nothing depends on an end of the list.
        self._send("PATCH", "/v1/users/1/posts/10", 200, self._post())

    def post(self):
        reply = self._send("POST", "/v1/users/1/posts", 201, self._post())
        self._made.append(json.loads(reply)["id"])

    def delete(self):
        self._send("DELETE", f"/v1/users/1/posts/{self._made.pop()}", 204)

    def make_board(self, board=1):
        players = [{"id": number, "name": f"Player {number}"} for number in range(1, 11)]
        body = {"id": board, "title": "Board", "players": players}
        self._send("POST", "/v1/scoreboards", 201, body)

    def command(self, board=1):
        body = {"type": "setScore", "player": 2, "score": next(self._numbers)}
        self._send("POST", f"/v1/view-models/scoreboard/{board}/commands", 200, body)

    def get_board(self, board=1):
        self._send("GET", f"/v1/view-models/scoreboard/{board}", 200)

    def enter(self, session=0):
        body = {"type": "didChange", "row": "name", "value": f"Name {next(self._numbers):08}"}
        self._send("POST", f"{self._form(session)}/commands", 200, body)

    def get_form(self, session=0):
        self._send("GET", self._form(session), 200)

    @staticmethod
    def _form(session):
        return f"/v1/view-models/form/1@{session:022}"

    def _post(self):
        number = next(self._numbers)
        return {"title": f"Edit {number:08}", "body": "As it was.", "date": "2026-06-15T08:00:00Z"}

    def _send(self, method, target, status, body=None):
        # In one piece, as curl and browsers send it: a second one would wake the server once more.
        if body is None:
            request = request_without_body(self.server.port, method, target)
        else:
            request = request_with_body(self.server.port, method, target, json.dumps(body).encode())
        self._socket.sendall(request)
        reply = http.client.HTTPResponse(self._socket, method=method)
        reply.begin()
        content = reply.read()
        if reply.status != status:
            raise BenchmarkError(f"{method} {target} is {reply.status}: {content[:200]}")
        return content


def in_turn(rounds, measured):
    """The cost of each kind in each round; the kinds take turns within a round."""
    costs = {name: [] for name in measured}
    for _ in range(rounds):
        for name, measure in measured.items():
            costs[name].append(measure())
    return costs


def compare_with_reads(start, rounds, table):
    """A write and a command against a read of the screen that they change."""
    progress(f"writes and commands against reads, {rounds} rounds")
    writer = start("reads", POSTS)
    writer.make_board()
    costs = in_turn(rounds, {
        "PATCH of a post": lambda: writer.cost(writer.patch),
        "GET": lambda: writer.cost(writer.get),
        "command": lambda: writer.cost(writer.command),
        "GET of the board": lambda: writer.cost(writer.get_board),
    })
    table.add_ratio(
        f"PATCH of one of {POSTS} posts: CPU", costs["PATCH of a post"], costs["GET"],
        "GET of all", microseconds, at_most=7)
    table.add_ratio(
        "a command that sets a score: CPU", costs["command"], costs["GET of the board"],
        "GET of the board", microseconds, at_most=5)


def compare_forms(start, rounds, table):
    """A value that a user enters into a form against a read of the form."""
    progress(f"values entered into forms against reads, {rounds} rounds")
    writer = start("forms", has_demo=True)
    writer.enter()
    newcomers = itertools.count(1)
    costs = in_turn(rounds, {
        "value": lambda: writer.cost(writer.enter),
        "first value": lambda: writer.cost(lambda: writer.enter(next(newcomers))),
        "GET of the form": lambda: writer.cost(writer.get_form),
    })
    table.add_ratio(
        "a value entered into a form: CPU", costs["value"], costs["GET of the form"],
        "GET of the form", microseconds, at_most=7)
    table.add_ratio(
        "the first value of a session: CPU", costs["first value"], costs["GET of the form"],
        "GET of the form", microseconds)


def compare_sizes(start, rounds, table):
    """The same writes in a long list and in a short one."""
    progress(f"writes among {MANY:,} posts and among {FEW}, {rounds} rounds")
    writers = {MANY: start("many", MANY), FEW: start("few", FEW)}
    # What is made is deleted in the same round, so the lists keep their lengths.
    kinds = ("patch", "post", "delete")
    costs = in_turn(rounds, {
        (kind, count): (lambda writer=writer, kind=kind: writer.cost(getattr(writer, kind)))
        for kind in kinds for count, writer in writers.items()
    })
    for kind in kinds:
        table.add_ratio(
            f"{kind.upper()} among {MANY:,} posts: CPU", costs[kind, MANY], costs[kind, FEW],
            f"among {FEW}", microseconds, at_most=1.5)


def compare_boards(start, rounds, table):
    """The same command to one screen and to many in turn, all of which show one store."""
    progress(f"commands to {BOARDS:,} screens and to one, {rounds} rounds")
    writers = {count: start(f"boards-{count}", FEW) for count in (1, BOARDS)}
    for count, writer in writers.items():
        for board in range(1, count + 1):
            writer.make_board(board)
            writer.get_board(board)
            writer.command(board)
    turns = {count: itertools.cycle(range(1, count + 1)) for count in writers}
    costs = in_turn(rounds, {
        count: (lambda count=count: writers[count].cost(
            lambda: writers[count].command(next(turns[count]))))
        for count in writers
    })
    table.add_ratio(
        f"a command to one of {BOARDS:,} boards: CPU", costs[BOARDS], costs[1],
        "to the only one", microseconds)


def compare_starts(folder, rounds, table):
    """What each post of a file adds to a start."""
    progress(f"starts with {MORE_POSTS:,} posts more, {rounds} rounds")
    costs = {"post": [], "GET": []}
    for number in range(rounds):
        seconds = []
        for posts in (POSTS, POSTS + MORE_POSTS):
            path = os.path.join(folder, f"start-{number}-{posts}")
            os.mkdir(path)
            with ViewDelta(path, posts=posts) as server:
                seconds.append(server.start_seconds)
                if posts == POSTS:
                    writer = Writer(server)
                    costs["GET"].append(writer.cost(writer.get))
                    writer.close()
        costs["post"].append((seconds[1] - seconds[0]) / MORE_POSTS * 1e6)
    table.add_ratio(
        "start, for each post of the file: CPU", costs["post"], costs["GET"],
        f"GET of {POSTS} posts", microseconds, at_most=1)


def run(options):
    table = Table()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="viewdelta-benchmark-"))

        def start(name, posts=POSTS, has_demo=False):
            path = os.path.join(folder, name)
            os.mkdir(path)
            server = ViewDelta(path, posts=posts, has_demo=has_demo)
            writer = Writer(stack.enter_context(server))
            stack.callback(writer.close)
            return writer

        if options.workload in "reads":
            compare_with_reads(start, options.rounds, table)
        if options.workload in "forms":
            compare_forms(start, options.rounds, table)
        if options.workload in "sizes":
            compare_sizes(start, options.rounds, table)
        if options.workload in "boards":
            compare_boards(start, options.rounds, table)
        if options.workload in "starts":
            compare_starts(folder, options.rounds, table)
    table.print()
    return table.is_met


def main():
    parser = argparse.ArgumentParser(prog="scripts/benchmark writes")
    parser.add_argument(
        "workload", nargs="?", default="",
        help=f"run only those that contain this: {', '.join(WORKLOADS)}")
    parser.add_argument("--rounds", type=int, default=7, help="rounds of each figure (default: 7)")
    options = parser.parse_args()
    if not any(options.workload in name for name in WORKLOADS):
        parser.error(f"no workload has “{options.workload}” in its name")
    exit_with_verdict("writes", lambda: run(options))


if __name__ == "__main__":
    main()
