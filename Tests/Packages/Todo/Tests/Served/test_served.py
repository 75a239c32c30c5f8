"""Runs the built program, changes its SQLite file from outside, and polls it over HTTP.

Nothing here sleeps: a long poll waits for each change. LIST_BINARY names the program.
"""

import contextlib
import http.server
import json
import os
import re
import sqlite3
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

DEADLINE = 120


class Holidays(http.server.BaseHTTPRequestHandler):
    """A JSON API that fails the first time."""

    requests = 0

    def do_GET(self):
        Holidays.requests += 1
        fails = Holidays.requests == 1
        body = b"" if fails else b'[{"date":"2026-04-03","name":"Good Friday"}]'
        self.send_response(503 if fails else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server:
    """The program with a file and holidays of its own."""

    def __init__(self, stack):
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        self.file = os.path.join(folder, "todos.sqlite")
        api = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Holidays)
        stack.callback(api.server_close)
        threading.Thread(target=api.serve_forever, daemon=True).start()
        stack.callback(api.shutdown)
        settings = {
            "LIST_FILE": self.file,
            "HOLIDAYS_ADDRESS": f"http://127.0.0.1:{api.server_port}/holidays.json",
        }
        self.settings = os.environ | settings
        self.view = None
        self.start()
        stack.callback(self.stop)

    def start(self, log=None):
        self.process = subprocess.Popen(
            [os.environ["LIST_BINARY"], "--port", "0"], stdout=subprocess.PIPE, stderr=log,
            text=True, env=self.settings)
        self.url = re.search(r"http://[^ /]+:\d+", self.process.stdout.readline())[0]

    def stop(self):
        self.process.terminate()
        self.process.wait(DEADLINE)
        self.process.stdout.close()
        if self.process.stderr:
            self.process.stderr.close()

    def restart(self, log=None):
        self.stop()
        self.start(log)

    def logged(self, text):
        """The next line of the log with a text; empty if none comes."""
        timer = threading.Timer(DEADLINE, self.process.kill)
        timer.start()
        try:
            return next((line for line in self.process.stderr if text in line), "")
        finally:
            timer.cancel()

    def request(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        fields = {"Content-Type": "application/json"} if data else {}
        request = urllib.request.Request(self.url + path, data, fields, method=method)
        try:
            with urllib.request.urlopen(request, timeout=DEADLINE) as reply:
                return reply.status, json.loads(reply.read() or "null")
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read() or "null")

    def ids(self):
        return [row["id"] for section in self.view["sections"] for row in section["rows"]]

    def send(self, **command):
        status, reply = self.request("POST", SCREEN + "/commands", command)
        assert status in (200, 202), reply

    def until(self, condition):
        """Polls until the view model is as it should be; each poll waits for the next change.

        Returns how many diffs came since the last view model that was read."""
        diffs = 0
        end = time.monotonic() + DEADLINE
        while not condition(self):
            assert time.monotonic() < end, f"no change came: {self.view}"
            since = self.view["revision"]
            status, diff = self.request("GET", f"{SCREEN}/diff?since={since}&wait=20")
            assert status in (200, 204), diff
            diffs += status == 200 and diff["kind"] == "diff"
            _, self.view = self.request("GET", SCREEN)
        return diffs


SCREEN = "/v1/view-models/todos/home"


class ServedTests(unittest.TestCase):
    def setUp(self):
        with contextlib.ExitStack() as stack:
            self.server = Server(stack)
            self.addCleanup(stack.pop_all().close)

    def test_follows_the_file_and_writes_to_it(self):
        server = self.server
        self.assertEqual(server.request("GET", "/v1/view-models/profile/1")[0], 404)
        _, server.view = server.request("GET", SCREEN)
        server.send(type="appear")
        server.until(lambda it: it.view["states"] ==
                     {"todos": "loaded", "holidays": "failed", "changes": "loaded"})
        self.assertEqual(server.ids(), ["holidays/error"])
        server.send(type="loadHolidays")
        server.until(lambda it: it.ids() == ["holiday/2026-04-03"])

        with contextlib.closing(sqlite3.connect(server.file)) as database, database:
            database.execute("INSERT INTO todo (list, title) VALUES ('home', 'From outside')")
        self.assertEqual(
            server.until(lambda it: it.ids() == ["todo/1", "holiday/2026-04-03"]), 1)

        status, added = server.request("POST", "/todos/home", {"title": "Over REST"})
        self.assertEqual((status, added), (201, {"id": 2, "isDone": False, "title": "Over REST"}))
        server.until(lambda it: "todo/2" in it.ids())
        server.send(type="finish", todo=1)
        # It shows as done at once, and is written then.
        server.until(lambda it: it.view["sections"][0]["rows"][0]["isDone"]
                     and it.view["states"]["changes"] == "loaded")
        with contextlib.closing(sqlite3.connect(server.file)) as database:
            done = database.execute("SELECT id, isDone FROM todo ORDER BY id").fetchall()
        self.assertEqual(done, [(1, 1), (2, 0)])

        self.assertEqual(server.request("DELETE", "/todos/home/2")[0], 204)
        server.until(lambda it: "todo/2" not in it.ids())
        status, problem = server.request("DELETE", "/todos/home/2")
        self.assertEqual((status, problem["code"]), (404, "unknown-todo"))
        status, problem = server.request("POST", "/todos/home", {"title": ""})
        self.assertEqual((status, problem["pointer"]), (422, "/title"))

    def test_removes_what_was_done_long_ago(self):
        with contextlib.closing(sqlite3.connect(self.server.file)) as database, database:
            database.executemany(
                "INSERT INTO todo (list, title, due, isDone) VALUES ('home', ?, ?, ?)",
                [("Old", "2020-01-01T00:00:00Z", 1), ("Late", "2020-01-01T00:00:00Z", 0),
                 ("Done", None, 1)])
            database.execute(
                "CREATE TRIGGER refusal BEFORE DELETE ON todo BEGIN SELECT RAISE(ABORT, 'not now'); END")
        self.server.restart(log=subprocess.PIPE)
        self.assertIn("not now", self.server.logged("a task failed"))
        # The task runs again.
        with contextlib.closing(sqlite3.connect(self.server.file)) as database, database:
            database.execute("DROP TRIGGER refusal")
        _, self.server.view = self.server.request("GET", SCREEN)
        self.server.send(type="appear")
        self.server.until(lambda it: [row for row in it.ids() if row.startswith("todo/")]
                          == ["todo/2", "todo/3"])

    def test_does_not_start_where_it_cannot_read_its_options(self):
        hidden = ["unshare", "--map-root-user", "--mount", "sh", "-c",
                  'mount -t tmpfs none /proc && exec "$0" "$@"']
        if subprocess.run([*hidden, "true"], capture_output=True).returncode:
            self.skipTest("/proc cannot be hidden here")
        ended = subprocess.run([*hidden, os.environ["LIST_BINARY"], "--port", "0"],
                               capture_output=True, text=True, timeout=DEADLINE)
        self.assertEqual(ended.returncode, 69)
        self.assertTrue(
            ended.stderr.startswith("viewdelta: the options cannot be read: /proc is not mounted"), ended.stderr)

    def test_has_no_lists_but_its_own(self):
        for method, path in [("GET", "/todos/garden"), ("POST", "/todos/garden"),
                             ("DELETE", "/todos/garden/1")]:
            body = {"title": "Rake"} if method == "POST" else None
            status, problem = self.server.request(method, path, body)
            self.assertEqual((status, problem["code"]), (404, "unknown-list"))
        self.assertEqual(self.server.request("GET", "/v1/view-models/todos/garden")[0], 404)


if __name__ == "__main__":
    unittest.main()
