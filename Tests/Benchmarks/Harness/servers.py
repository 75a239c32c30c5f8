"""The servers that are raced: ViewDelta and those it is compared with."""

import itertools
import json
import os
import random
import shutil
import socket
import string
import subprocess
import time

from Harness.children import BenchmarkError, Child
from Harness.replies import Case, ask, request_with_body
from Harness.table import progress

BENCHMARKS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Where scripts/benchmark builds the programs.
PROGRAMS = os.environ.get("BENCHMARK_PROGRAMS", ".build/benchmarks")
VIEWDELTA = os.environ.get("BENCHMARK_VIEWDELTA", ".build/release/viewdelta")

# What 10,000 parked polls need. An option that the server does not know is left out.
LIVE_OPTIONS = {
    "--connection-memory": "4",
    "--waiter-limit": "20000",
    "--waiter-limit-per-address": "20000",
}
# The pool of each connection of the reference, when it parks.
LIVE_CONNECTION_MEMORY = 4096

NCHAN_MODULE = "/usr/lib/nginx/modules/ngx_nchan_module.so"
POSTS = 100


def program(name):
    return os.path.join(PROGRAMS, name)


class ViewDelta(Child):
    """The server that is measured, with the screen of one user, loaded.

    The user has 100 posts, or as many as are asked for. More users may be there; they have no
    posts, and their screens are not loaded. Or all is as in the demo.
    """

    SCREEN = "/v1/view-models/profile/1"
    LIST = "/v1/users/1/posts"
    POST = f"{LIST}/50"

    def __init__(
        self, folder, options=None, users=1, posts=POSTS, has_demo=False, program=VIEWDELTA
    ):
        command = [program, "serve", "--port", "0", "--latency", "0s"]
        if not has_demo:
            data = os.path.join(folder, "data.json")
            with open(data, "w", encoding="utf-8") as file:
                json.dump(_data(users, posts), file)
            command += ["--data", data]
        known = subprocess.run(
            [program, "serve", "--help"], capture_output=True, text=True, check=True).stdout
        for option, value in (options or {}).items():
            if f"{option} " in known:
                command += [option, value]
            else:
                progress(f"this server has no option {option}, so it runs with its default")
        launch = time.monotonic()
        super().__init__("viewdelta", command, os.path.join(folder, "viewdelta.log"))
        # A start from a long journal takes longest.
        self.port = self.read_port(r"http://127\.0\.0\.1:(\d+)", 60)
        self._await(lambda: ask(self.port, "GET", "/readyz").status == 200)
        # The time until a balancer sends it clients.
        self.ready_seconds = time.monotonic() - launch
        # What it took to read the file and to listen.
        self.start_seconds = self.cpu_seconds()
        self._numbers = itertools.count(1)
        self._load()

    def snapshot(self):
        return ask(self.port, "GET", self.SCREEN)

    def revision(self):
        return self.snapshot().field("View-Revision")

    def revisions(self):
        """The kept revisions, the oldest first."""
        target = self.SCREEN + "/revisions?limit=1000"
        listed = []
        while target:
            reply = ask(self.port, "GET", target)
            # Each page begins with its oldest; the next one has those before it.
            page = [entry["revision"] for entry in json.loads(reply.body)["revisions"]]
            listed = page + listed
            target = reply.next_target()
        return listed

    def diff_target(self, since):
        return f"{self.SCREEN}/diff?since={since}"

    def case(self, name, target, etag=None):
        """What the server replies now, for others to say the same."""
        case = Case(name, target, etag, None)
        case.reply = case.ask(self.port)
        return case

    def next_change(self):
        """The body of a PATCH that changes one field of one post, each time by as many bytes."""
        return json.dumps({"title": f"Edit {next(self._numbers):08}"}).encode()

    def next_change_request(self):
        return request_with_body(self.port, "PATCH", self.POST, self.next_change())

    def change(self):
        """Changes one field of one post, and returns the revision that shows it."""
        before = self.revision()
        reply = ask(
            self.port, "PATCH", self.POST, self.next_change(),
            {"Content-Type": "application/json"})
        if reply.status != 200:
            raise BenchmarkError(f"the change was refused: {reply.status} {reply.body[:200]}")
        self._await(lambda: self.revision() != before)
        return self.revision()

    def _load(self):
        ask(
            self.port, "POST", self.SCREEN + "/commands", b'{"type":"appear"}',
            {"Content-Type": "application/json"})
        loaded = {"posts": "loaded", "profile": "loaded"}
        self._await(lambda: json.loads(self.snapshot().body)["states"] == loaded)

    def _await(self, condition):
        deadline = time.monotonic() + 10
        while not condition():
            if time.monotonic() > deadline:
                raise BenchmarkError("the server does not get there in 10 s")
            time.sleep(0.001)


class Reference(Child):
    """The C program on libmicrohttpd."""

    def __init__(self, folder, manifest, connection_memory=32 * 1024, threads=1):
        pool = [str(threads)] if threads > 1 else []
        super().__init__(
            "reference", [program("reference"), manifest, str(connection_memory), *pool],
            os.path.join(folder, "reference.log"))
        self.port = self.read_port(r"listening on (\d+)")


class Hummingbird(Child):
    """The peer in Peers/HummingbirdPeer."""

    PROGRAM = program("HummingbirdPeer")

    @classmethod
    def is_built(cls):
        return os.path.exists(cls.PROGRAM)

    def __init__(self, folder, manifest):
        super().__init__(
            "Hummingbird", [self.PROGRAM, manifest], os.path.join(folder, "hummingbird.log"))
        self.port = self.read_port(r"listening on (\d+)")


class Nchan(Child):
    """nginx with the module nchan, in a folder and on a port of its own."""

    @staticmethod
    def is_installed():
        return shutil.which("nginx") is not None and os.path.exists(NCHAN_MODULE)

    def __init__(self, folder):
        self.port = free_port()
        with open(os.path.join(BENCHMARKS, "Peers/Nchan/nginx.conf"), encoding="utf-8") as file:
            template = string.Template(file.read())
        configuration = os.path.join(folder, "nginx.conf")
        with open(configuration, "w", encoding="utf-8") as file:
            file.write(
                template.substitute(folder=folder, module=NCHAN_MODULE, port=self.port))
        super().__init__(
            "nchan", ["nginx", "-p", folder, "-c", configuration, "-e", "stderr"],
            os.path.join(folder, "nginx.log"))
        self._wait_until_it_listens()

    def _wait_until_it_listens(self):
        deadline = time.monotonic() + 10
        while self.process.poll() is None and time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise BenchmarkError(f"nginx does not listen{self.epitaph()}")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _data(users, count):
    """A json-server file, the same in each run."""
    words = (
        "a list is what the reader holds while rows come and go under the same name as before "
        "nothing moves but what moved").split()
    choice = random.Random(1)

    def text(count):
        return " ".join(choice.choice(words) for _ in range(count)).capitalize()

    posts = [
        {
            "id": number, "userId": 1, "title": text(6), "body": text(30) + ".",
            "date": f"2026-{number // 28 % 12 + 1:02}-{number % 28 + 1:02}T08:00:00Z",
        }
        for number in range(1, count + 1)
    ]
    user = {
        "id": 1, "username": "ada", "website": "ada.example.com", "friendsCount": 42,
        "address": {"city": "Lagos"},
    }
    others = [{"id": number, "username": f"user{number}"} for number in range(2, users + 1)]
    return {"users": [user, *others], "posts": posts}
