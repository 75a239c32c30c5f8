"""Runs the program of the server for the tests."""

import json
import os
import re
import signal
import socket
import subprocess
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("VIEWDELTA_BINARY", str(ROOT / ".build/debug/viewdelta"))


class Server:
    """A running server, which can be killed and restarted on its port."""

    def __init__(self, *options: str):
        self._options = options
        # As long as this socket is open, the system gives the port to no other program, also while the server is away.
        self._place = socket.socket()
        self._place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._place.bind(("127.0.0.1", 0))
        self._process = None
        self.base = ""

    def begin(self) -> "Server":
        """Begins a start, which `start` completes."""
        port = str(self._place.getsockname()[1])
        self._process = subprocess.Popen(
            [PROGRAM, "serve", "--port", port, "--public", ROOT / "Public", *self._options],
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def start(self) -> "Server":
        """Starts the server and waits until it listens."""
        if self._process is None:
            self.begin()
        for line in self._process.stdout:
            if found := re.search(r"listens on (http://\S+:\d+)", line):
                self.base = found[1]
                return self
        raise RuntimeError(f"the server ended with {self._process.wait()}")

    def kill(self):
        """Kills the server without a shutdown, if it runs."""
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()
        self._process = None

    def pause(self):
        """Stops the process within the context: it accepts connections but does not answer."""
        self._process.send_signal(signal.SIGSTOP)

    def resume(self):
        self._process.send_signal(signal.SIGCONT)

    def request(self, method: str, path: str, body=None):
        """Sends a request as `curl` would, and returns the JSON of the answer."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.base + path, data, {"Content-Type": "application/json"}, method=method
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def script_faults(self, source: str, key: str, outcomes: list, latency: int):
        """Sets the outcomes and the latency in milliseconds of a source's next loads."""
        script = {"outcomes": outcomes, "latencyMilliseconds": latency}
        self.request("PUT", f"/v1/faults/{source}/{key}", script)

    def add_post(self, user: int, title: str) -> str:
        """Adds a post, the newest of all, and returns the id of its row."""
        post = {"title": title, "body": "Fresh from curl.", "date": "2031-01-01T00:00:00Z"}
        return f'post/{self.request("POST", f"/v1/users/{user}/posts", post)["id"]}'

    def command(self, view_model: str, **command):
        return self.request("POST", f"/v1/view-models/{view_model}/commands", command)
