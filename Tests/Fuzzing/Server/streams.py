"""Streams of events, and the copies of view models that clients bring up to date by them."""

import http.client

import canonical
from changes import Broken, applied


class Disagreement(Exception):
    """The server did something else than it should have."""


class Stream:
    """A stream of events over a connection of its own."""

    def __init__(self, port: int, path: str, sent: dict):
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._connection.request("GET", path, headers={"Accept": "text/event-stream", **sent})
        self._reply = self._connection.getresponse()
        preference = "return=diff" if "return=diff" in sent.get("Prefer", "") else None
        wanted = {
            "Cache-Control": "no-store",
            "Content-Language": "en",
            "Content-Type": "text/event-stream",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Preference-Applied": preference,
            "Vary": "Accept, Prefer",
            "X-Content-Type-Options": "nosniff",
        }
        got = {name: self._reply.headers[name] for name in wanted}
        if self._reply.status != 200 or got != wanted:
            raise Disagreement(f"expected 200 and {wanted}\ngot      {self._reply.status} {got}")

    def block(self) -> dict | None:
        """The fields of the next block; None at the end of the stream."""
        fields: dict = {}
        try:
            for line in self._reply:
                name, _, value = line.decode().rstrip("\n").partition(":")
                if line == b"\n" and fields:
                    return fields
                if name in fields:
                    raise Disagreement(f"expected one {name} in a block, got another one: {value}")
                if name:
                    fields[name] = value.removeprefix(" ")
        except (OSError, http.client.HTTPException) as error:
            story = f"expected an event or the end of the stream, got {error!r}"
            raise Disagreement(story) from error
        return None

    def close(self):
        self._reply.close()
        self._connection.close()


class Copy:
    """What a client holds that knows nothing of the model, only the documents that it gets."""

    def __init__(self, name: str, token: str | None = None, content: dict | None = None):
        self.name, self.token, self.content = name, token, content

    def take(self, document: dict):
        """Brings the copy up to date, and proves it by the digest."""
        if document["screen"] != self.name or document.get("from", self.token) != self.token:
            wanted = f"news of {self.name} from {self.token}"
            raise Disagreement(f"expected {wanted}\ngot      {document}")
        if document["kind"] == "diff":
            try:
                self.content = applied(self.content, document)
            except Broken as error:
                story = f"expected a diff of {self.content}\ngot      {document}: {error!r}"
                raise Disagreement(story) from None
        else:
            members = {"sections", "states", "window"} & set(document)
            self.content = {name: document[name] for name in members}
        self.token = document["revision"]
        if canonical.digest(self.content) != document["digest"]:
            wanted = canonical.digest(self.content)
            raise Disagreement(f"expected the digest {wanted}\ngot      {document}")
