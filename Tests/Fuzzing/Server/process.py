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

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = os.environ.get("VIEWDELTA_BINARY", str(ROOT / ".build/debug/viewdelta"))


class Disagreement(Exception):
    """The server did something else than it should have."""


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
        self._check(answer)
        if answer.status >= 400:
            self._check_problem(answer, reply.reason, path)
        else:
            self._check_headers(answer, method, path)
        return answer

    def first_event(self, path: str) -> Answer:
        """The first event with data of a stream; its headers are the fields of the event."""
        self.trace.append(f"GET {path}, up to the first event")
        stream = http.client.HTTPConnection("127.0.0.1", self._server.port, timeout=120)
        fields: dict = {}
        try:
            stream.request("GET", path, headers={"Accept": "text/event-stream"})
            reply = stream.getresponse()
            if reply.status != 200:
                return Answer(reply.status, reply.headers, reply.read())
            for line in reply:
                name, _, value = line.decode().rstrip("\n").partition(":")
                fields[name] = value.removeprefix(" ")
                if line == b"\n" and "data" in fields:
                    break
        except (OSError, http.client.HTTPException) as error:
            raise Disagreement(f"no event: {error!r}. {self._server.end()}") from error
        finally:
            stream.close()
        return Answer(200, fields, fields["data"].encode())

    def _check(self, answer: Answer):
        """What holds for every answer."""
        if answer.status >= 500:
            raise Disagreement(f"expected no failure of the server, got {answer}")
        if answer.body and "json" in answer.headers.get("Content-Type", ""):
            if answer.body != canonical.encoded(answer.json):
                raise Disagreement(f"expected canonical JSON, got {answer}")

    def _check_problem(self, answer: Answer, title: str, path: str):
        """What holds for every refusal (RFC 9457)."""
        headers = {name: answer.headers[name] for name in ("Content-Type", "Cache-Control")}
        wanted = {"Content-Type": "application/problem+json", "Cache-Control": "no-store"}
        if headers != wanted:
            raise Disagreement(f"expected the headers {wanted}, got {headers} of {answer}")
        problem = answer.json
        wanted = {
            "instance": path.partition("?")[0],
            "status": answer.status,
            "title": title,
            "type": f"urn:viewdelta:problem:{problem['code']}",
        }
        if any(problem.get(name) != value for name, value in wanted.items()):
            raise Disagreement(f"expected a problem with {wanted}, got {answer}")
        if not problem.get("detail"):
            raise Disagreement(f"expected a problem with a detail, got {answer}")

    def _check_headers(self, answer: Answer, method: str, path: str):
        """What holds for every other answer."""
        headers = answer.headers
        if answer.status in (204, 304):
            if answer.body or "Content-Type" in headers:
                raise Disagreement(f"expected no content, got {answer}")
        elif headers["Content-Type"] not in ("application/json", "application/json-patch+json"):
            raise Disagreement(f"expected JSON, got {headers['Content-Type']}: {answer}")
        kept = headers["Cache-Control"]
        # A revision of the past stays the same, and so do the changes that lead to it.
        is_past = re.search("[?&](at|until)=", path)
        longest = "max-age=31536000, immutable" if is_past else "max-age=1"
        if kept not in ("no-store", "no-cache", longest):
            raise Disagreement(f"expected no other Cache-Control, got {kept} of {answer}")
        if kept != "no-store" and "Accept" not in (headers["Vary"] or "").split(", "):
            raise Disagreement(f"expected to vary by Accept, got {headers['Vary']} of {answer}")
        if kept == "no-cache" and method == "GET" and not answer.etag:
            raise Disagreement(f"expected an ETag, got {answer}")

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
