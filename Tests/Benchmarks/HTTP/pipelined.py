"""Requests of which many arrive at once on one connection."""

import socket
import time

from Harness.children import BenchmarkError
from Harness.table import progress, rate

# How many requests are sent at once, and how often in a round.
REQUESTS, BATCHES = 16, 200


def compare_pipelined(case, ours, reference, rounds, table):
    """Replies per second to one client that sends its next requests before it has the replies."""
    progress(f"{case.name}, {REQUESTS} requests at once, {rounds} rounds")
    rates = {ours: [], reference: []}
    for _ in range(rounds):
        for server, measured in rates.items():
            measured.append(_rate(server, case))
    table.add_ratio(
        f"{case.name}, {REQUESTS} requests at once", rates[ours], rates[reference],
        reference.name, rate, at_least=0.9)


def _rate(server, case):
    requests = case.request(server.port) * REQUESTS
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        # The first reply says how long all are.
        connection.sendall(case.request(server.port))
        reply = connection.recv(1 << 20)
        if not reply.startswith(b"HTTP/1.1 %d " % case.reply.status):
            raise BenchmarkError(f"{server.name} gives another reply to {case.name}: {reply[:200]}")
        length = len(reply) * REQUESTS
        start = time.monotonic()
        for _ in range(BATCHES):
            connection.sendall(requests)
            left = length
            while left > 0:
                received = len(connection.recv(left))
                if received == 0:
                    raise BenchmarkError(f"{server.name} closed a connection")
                left -= received
        return REQUESTS * BATCHES / (time.monotonic() - start)
