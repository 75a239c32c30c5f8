"""The server's program while it is tried out, and the requests to it."""

import http.client
import json
import os
import re
import signal
import subprocess
import tempfile
from pathlib import Path

import canonical
import replies
from streams import Disagreement, Stream

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = os.environ.get("VIEWDELTA_BINARY", str(ROOT / ".build/debug/viewdelta"))


class Server:
    """One running server, on a free port and with no latency in its sources."""

    def __init__(self, data: dict, *options: str):
        self._errors = tempfile.TemporaryFile()
        self._file = tempfile.NamedTemporaryFile("w", suffix=".json")
        # Nobody asks for the page, and joining it takes a third of a start.
        self._public = tempfile.TemporaryDirectory()
        json.dump(data, self._file)
        self._file.flush()
        # The end of this process ends the server, too, however that comes about.
        command = ["setpriv", "--pdeathsig", "KILL", PROGRAM, "serve"]
        command += ["--port", "0", "--data", self._file.name, "--faults"]
        command += ["--latency", "0s", "--load-timeout", "3600s", "--public", self._public.name]
        self._process = subprocess.Popen(
            [*command, *options], stdout=subprocess.PIPE, stderr=self._errors, text=True
        )
        for line in self._process.stdout:
            if found := re.search(r"listens on http://127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
                return
        raise Disagreement(f"the server does not start. {self.end()}")

    def end(self) -> str:
        """Ends the process; says what became of it, and what it said last."""
        try:
            # One that has crashed writes its backtrace first.
            status = self._process.wait(timeout=120)
        except subprocess.TimeoutExpired:
            status = None
        return self._report(status)

    def stop(self):
        """Ends the process as an operator does.

        Raises `Disagreement` where it ends in another way than it should.
        """
        self._process.send_signal(signal.SIGTERM)
        try:
            status = self._process.wait(timeout=120)
        except subprocess.TimeoutExpired:
            status = None
        if status != 0:
            raise Disagreement("the server does not stop as it should. " + self._report(status))
        self._close()

    def _report(self, status) -> str:
        if status is None:
            self._process.kill()
            self._process.wait()
            words = "The process was alive and was killed."
        elif status < 0:
            words = f"THE PROCESS DIED of signal {-status} ({signal.Signals(-status).name})."
        else:
            words = f"THE PROCESS ENDED with status {status}."
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").splitlines()
        fatal = [line for line in lines if "atal error" in line]
        self._close()
        return "\n".join([words, *fatal, *lines[-12:]])

    def kill(self):
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
            self._close()

    def _close(self):
        self._process.stdout.close()
        self._errors.close()
        self._file.close()
        self._public.cleanup()


class Answer:
    """A reply whose body has been read."""

    def __init__(self, status: int, headers, body: bytes):
        self.status, self.headers, self.body = status, headers, body
        self._json = None

    @property
    def json(self):
        if self._json is None:
            self._json = json.loads(self.body)
        return self._json

    @property
    def etag(self) -> str | None:
        return self.headers["ETag"]

    def __str__(self) -> str:
        return f"{self.status} {self.body.decode(errors='replace')}"


class Client:
    """Sends requests one after the other over one connection, and remembers the last ones."""

    def __init__(self, server: Server):
        self._server = server
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
        self.trace: list[str] = []

    def send(self, method: str, path: str, body=None, headers: dict | None = None) -> Answer:
        """Sends a request; a body that is no bytes goes as JSON."""
        headers = dict(headers or {})
        if body is not None:
            if not isinstance(body, bytes):
                body = json.dumps(body, ensure_ascii=False).encode()
            patch = "application/merge-patch+json" if method == "PATCH" else "application/json"
            headers.setdefault("Content-Type", patch)
        self.trace.append(written(method, path, body, headers))
        try:
            self._connection.request(method, path, body, headers)
            reply = self._connection.getresponse()
            answer = Answer(reply.status, reply.headers, reply.read())
        except (OSError, http.client.HTTPException) as error:
            raise Disagreement(f"no answer: {error!r}. {self._server.end()}") from error
        self._check(answer, reply, method, path, headers)
        return answer

    def ask(self, method: str, path: str, headers: dict) -> Answer:
        """Sends a request whose reply the caller judges."""
        self.trace.append(written(method, path, None, headers))
        try:
            self._connection.request(method, path, headers=headers)
            reply = self._connection.getresponse()
            return Answer(reply.status, reply.headers, reply.read())
        except (OSError, http.client.HTTPException) as error:
            raise Disagreement(f"no answer: {error!r}. {self._server.end()}") from error

    def stream(self, path: str, headers: dict | None = None) -> Stream:
        self.trace.append(written("GET", path, None, {**(headers or {}), "as": "a stream"}))
        try:
            return Stream(self._server.port, path, headers or {})
        except (OSError, http.client.HTTPException) as error:
            raise Disagreement(f"no stream: {error!r}. {self._server.end()}") from error

    def first_event(self, path: str, headers: dict | None = None) -> Answer:
        """The first event of a stream, which has data; its headers are the fields of the event."""
        stream = self.stream(path, headers)
        fields = stream.block()
        stream.close()
        if fields is None or set(fields) != {"retry", "id", "data"} or fields["retry"] != "1000":
            raise Disagreement(f"expected retry: 1000, an id and data, got {fields}")
        return Answer(200, fields, fields["data"].encode())

    def _check(self, answer: Answer, reply, method: str, path: str, sent: dict):
        """What holds for every answer."""
        if answer.status >= 500:
            raise Disagreement(f"expected no failure of the server, got {answer}")
        if answer.body and answer.body != canonical.encoded(answer.json):
            raise Disagreement(f"expected canonical JSON, got {answer}")
        for name, wanted, got in replies.faults(answer, reply.reason, method, path, sent):
            raise Disagreement(f"expected {name}: {wanted}\ngot      {got} in {answer}")

    def close(self):
        self._connection.close()


def written(method: str, path: str, body: bytes | None, headers: dict) -> str:
    """A request as people read it."""
    extra = "".join(
        f" [{name}: {value}]" for name, value in headers.items() if name != "Content-Type"
    )
    if body is None:
        return f"{method} {path}{extra}"
    return f"{method} {path}{extra} {body.decode(errors='replace')}"
