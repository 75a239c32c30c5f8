"""What a client of each server sends to wait, what makes it be answered, and with what."""

from Harness.clients import body_hash
from Harness.replies import ask, get, request_with_body


class ViewDeltaPoll:
    """A difference that is waited for, and a write to the store."""

    WAIT = 55

    def __init__(self, server):
        self._server = server
        self._since = None

    def request(self):
        self._since = self._server.revision()
        return get(
            self._server.port, self._server.diff_target(self._since) + f"&wait={self.WAIT}")

    def publication(self):
        return self._server.next_change_request()

    def expected(self):
        """Status, size and hash of the right reply: what one gets who asks afterwards."""
        reply = ask(self._server.port, "GET", self._server.diff_target(self._since))
        return (reply.status, len(reply.body), body_hash(reply.body))


class ViewDeltaStream(ViewDeltaPoll):
    """An event stream, and a write to the store."""

    def request(self):
        self._since = self._server.revision()
        return get(self._server.port, f"{self._server.SCREEN}/events?since={self._since}")


class CapturedPoll:
    """A suspended request to the C program, which answers all with the same."""

    def __init__(self, server, reply):
        self._server = server
        self._expected = (reply.status, len(reply.body), body_hash(reply.body))

    def request(self):
        return get(self._server.port, "/park")

    def publication(self):
        return request_with_body(self._server.port, "POST", "/publish", b"{}")

    def expected(self):
        return self._expected


class NchanPoll:
    """A long poll for the next message of a channel."""

    def __init__(self, server, message):
        self._server = server
        self._message = message

    def request(self):
        return get(self._server.port, "/sub")

    def publication(self):
        return request_with_body(self._server.port, "POST", "/pub", self._message)

    def expected(self):
        return (200, len(self._message), body_hash(self._message))


class NchanStream(NchanPoll):
    """An event stream of the messages of a channel."""

    def request(self):
        return get(self._server.port, "/events", {"Accept": "text/event-stream"})

    def publication(self):
        return request_with_body(self._server.port, "POST", "/pub-events", self._message)
