"""Replies captured from one server, for other servers to give the same."""

import http.client
import os
import re
from dataclasses import dataclass

from Harness.children import BenchmarkError

# What a server writes of its own: the date, and what frames the message.
OWN_FIELDS = {"date", "connection", "content-length", "keep-alive", "server", "transfer-encoding"}


@dataclass
class Reply:
    status: int
    reason: str
    fields: list
    body: bytes

    def field(self, name):
        return next(value for key, value in self.fields if key.lower() == name.lower())

    def next_target(self):
        """Where the next page is, if there is one (RFC 8288)."""
        links = [value for key, value in self.fields if key.lower() == "link"]
        found = re.search(r'<([^>]*)>; rel="next"', links[0]) if links else None
        return found[1] if found else None

    def as_sent(self):
        head = f"HTTP/1.1 {self.status} {self.reason}\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in self.fields)
        return head.encode() + b"\r\n" + self.body

    def says_the_same_as(self, other):
        """Whether all that is not each server's own is the same."""
        return (self.status, self._shared(), self.body) == (
            other.status, other._shared(), other.body)

    def _shared(self):
        return sorted((k.lower(), v) for k, v in self.fields if k.lower() not in OWN_FIELDS)


def ask(port, method, target, body=None, fields=None):
    """Makes one request on a connection of its own, beside those that are measured."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request(method, target, body, fields or {})
        reply = connection.getresponse()
        return Reply(reply.status, reply.reason, reply.getheaders(), reply.read())
    except (OSError, http.client.HTTPException) as error:
        raise BenchmarkError(f"{method} {target} on port {port}: {error!r}") from None
    finally:
        connection.close()


@dataclass
class Case:
    """A request and the reply to it."""
    name: str
    target: str
    etag: str | None
    reply: Reply

    def request(self, port):
        """The bytes of the request."""
        return get(port, self.target, self._condition())

    def ask(self, port):
        """What a server replies."""
        return ask(port, "GET", self.target, fields=self._condition())

    def _condition(self):
        return {"If-None-Match": self.etag} if self.etag else {}


def get(port, target, fields=None):
    """The bytes of a GET, with no more fields than it needs, as wrk sends it."""
    return request_without_body(port, "GET", target, fields)


def request_without_body(port, method, target, fields=None):
    """The bytes of a request without a body."""
    lines = [f"{method} {target} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    lines += [f"{name}: {value}" for name, value in (fields or {}).items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


def request_with_body(port, method, target, body):
    """The bytes of a request with a JSON body."""
    return (
        f"{method} {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode() + body


def write_manifest(folder, cases):
    """Writes the cases for a server to read: target, If-None-Match and file in each line.

    The most particular go first: those with a condition before those without.
    """
    manifest = os.path.join(folder, "manifest")
    with open(manifest, "w", encoding="utf-8") as lines:
        for case in sorted(cases, key=lambda case: case.etag is None):
            file = os.path.join(folder, f"{case.name}.reply".replace(" ", "-"))
            with open(file, "wb") as output:
                output.write(case.reply.as_sent())
            lines.write(f"{case.target}\t{case.etag or '-'}\t{file}\n")
    return manifest
