"""The protection of a server on loopback from pages of other origins."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from server import Server

STRANGER = b"<!doctype html><title>stranger</title><link rel=icon href=data:,><body></body>"


class Handler(BaseHTTPRequestHandler):
    """Serves an empty page for every path."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(STRANGER)))
        self.end_headers()
        self.wfile.write(STRANGER)

    def log_message(self, *_):
        pass


@pytest.fixture
def stranger(driver, server):
    """A page in the browser from another port, or from another name of this machine."""
    site = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=site.serve_forever)
    thread.start()
    yield Stranger(driver, server, site.server_port)
    driver.get("about:blank")
    # The console has the refusals as errors.
    driver.get_log("browser")
    site.shutdown()
    thread.join()
    site.server_close()


class Stranger:
    def __init__(self, driver, server, port: int):
        self._driver = driver
        self._server = server
        self._port = port

    def origin(self, host: str) -> str:
        return f"http://{host}:{self._port}"

    def open(self, host: str, port=None):
        self._driver.get(f"http://{host}:{port or self._port}/")

    def run(self, script: str, *arguments, at=None):
        """Returns the result of an asynchronous script, in which `url` is the server's address."""
        wrapped = (
            "const done = arguments[arguments.length - 1]; const [url, ...rest] = arguments;"
            f"(async () => {{ {script} }})().then(done, (error) => done(`failed: ${{error}}`));"
        )
        return self._driver.execute_async_script(wrapped, (at or self._server).base, *arguments)

    def state(self):
        """All data that a page could have written."""
        users = self._server.request("GET", "/v1/users")
        return users, self._server.request("GET", "/v1/view-models/scoreboard/1")


# Another port of the same host belongs to the same site, another host name does not.
HOSTS = ("127.0.0.1", "localhost")

WRITES = {
    "a blob without a type": "fetch(target, {method: 'POST', mode: 'no-cors', body: new Blob([body])})",
    "text": "fetch(target, {method: 'POST', mode: 'no-cors', body})",
    "bytes": "fetch(target, {method: 'POST', mode: 'no-cors', body: new TextEncoder().encode(body)})",
    "JSON": "fetch(target, {method: 'POST', body, headers: {'Content-Type': 'application/json'}})",
    "JSON without cors": "fetch(target, {method: 'POST', mode: 'no-cors',"
    " body: new Blob([body], {type: 'application/json'})})",
    "with credentials": "fetch(target, {method: 'POST', mode: 'no-cors', credentials: 'include', body})",
    "without a referrer": "fetch(target, {method: 'POST', mode: 'no-cors',"
    " referrerPolicy: 'no-referrer', body: new Blob([body])})",
    "PUT": "fetch(target, {method: 'PUT', body, headers: {'Content-Type': 'application/json'}})",
    "DELETE": "fetch(url + '/v1/users/1', {method: 'DELETE'})",
    "a beacon": "beacon(new Blob([body]))",
    "a beacon of text": "beacon(body)",
    "a beacon of JSON": "beacon(new Blob([body], {type: 'application/json'}))",
    "a request of old": """new Promise((resolve) => {
        const request = new XMLHttpRequest();
        request.onloadend = resolve;
        request.open("POST", target);
        request.send(body);
      })""",
    "a form": """new Promise((resolve) => {
        const frame = document.createElement("iframe");
        frame.name = "frame" + Math.random();
        document.body.append(frame);
        const form = document.createElement("form");
        Object.assign(form, {
          action: target, method: "post", enctype: "text/plain", target: frame.name });
        const input = document.createElement("input");
        // The name and the value with `=` between them are the JSON.
        Object.assign(input, { name: body.slice(0, -2) + '","a":"', value: '"}' });
        form.append(input);
        document.body.append(form);
        frame.onload = resolve;
        form.submit();
      })""",
}

# A beacon has no answer, but leaves a performance entry when it has ended.
BEACON = """
const [path, body] = rest;
const target = url + path;
const beacon = (data) => new Promise((resolve) => {
  new PerformanceObserver(resolve).observe({ type: "resource" });
  navigator.sendBeacon(target, data);
});
"""


@pytest.mark.parametrize("host", HOSTS)
def test_a_page_of_another_origin_writes_nothing(stranger, host):
    stranger.open(host)
    before = stranger.state()
    bodies = {
        "/v1/users": json.dumps({"username": "stranger"}),
        "/v1/view-models/scoreboard/1/commands": json.dumps(
            {"player": 2, "score": 9999, "type": "setScore"}
        ),
    }
    for path, body in bodies.items():
        for name, write in WRITES.items():
            script = f"{BEACON} await {write}; return 'sent'"
            outcome = stranger.run(script, path, body)
            assert outcome == "sent" or outcome.startswith("failed: TypeError"), (name, outcome)
            assert stranger.state() == before, (host, name, path)


@pytest.mark.parametrize("host", HOSTS)
def test_a_page_of_another_origin_reads_nothing(stranger, host):
    stranger.open(host)
    for path in ("/v1/users", "/v1/view-models/profile/1", "/healthz", "/openapi.json", "/"):
        for options in ("{}", "{credentials: 'include'}"):
            read = stranger.run(f"return (await fetch(url + rest[0], {options})).text()", path)
            assert read.startswith("failed: TypeError"), (path, options)
        opaque = stranger.run(
            "const it = await fetch(url + rest[0], {mode: 'no-cors'});"
            "return [it.type, it.status, await it.text()]",
            path,
        )
        # The policy keeps the bytes out of the page's process, where a side channel could read them.
        assert opaque == ["opaque", 0, ""] or opaque.startswith("failed: TypeError"), (path, opaque)
    stream = stranger.run(
        """return new Promise((resolve) => {
          const source = new EventSource(url + "/v1/view-models/profile/1/events");
          source.onmessage = () => resolve("read");
          source.onerror = () => resolve("refused");
        })"""
    )
    assert stream == "refused"


@pytest.mark.parametrize("host", HOSTS)
def test_a_page_of_another_origin_includes_nothing(stranger, host):
    stranger.open(host)
    for tag, attribute, path in (
        ("script", "src", "/v1/users"),
        ("script", "src", "/viewdelta.js"),
        ("img", "src", "/favicon.svg"),
        ("img", "src", "/v1/users"),
        ("link", "href", "/styles/base.css"),
    ):
        outcome = stranger.run(
            """const [tag, attribute, path] = rest;
            return new Promise((resolve) => {
              const element = document.createElement(tag);
              element.rel = "stylesheet";
              element.onload = () => resolve("loaded");
              element.onerror = () => resolve("refused");
              element[attribute] = url + path;
              document.body.append(element);
            })""",
            tag, attribute, path,
        )
        assert outcome == "refused", (tag, path)


def test_a_site_whose_name_comes_to_point_here_reads_and_writes_nothing(stranger, server):
    """DNS rebinding: the browser treats the server as the other site, with the same origin."""
    stranger.open("rebound.example", port=server.base.split(":")[-1])
    before = stranger.state()
    assert "foreign-host" in stranger.run("return document.body.textContent")
    for method in ("GET", "POST"):
        status, text = stranger.run(
            """const answer = await fetch("/v1/users", {
              method: rest[0], headers: { "Content-Type": "application/json" },
              body: rest[0] === "GET" ? undefined : '{"username":"stranger"}' });
            return [answer.status, await answer.text()];""",
            method,
        )
        assert status == 403 and "foreign-host" in text
    assert stranger.state() == before


FOLLOW = """
const [transport] = rest;
const { ViewDelta } = await import(url + "/viewdelta.js");
const server = new ViewDelta({ base: url, transports: [transport] });
const loaded = (views) =>
  new Promise((resolve) => {
    const look = () => {
      if (views.every((view) => Object.values(view.snapshot?.states ?? { none: "" }).every((state) => state === "loaded")))
        resolve();
    };
    for (const view of views) view.addEventListener("advanced", look);
    look();
  });
const profile = server.open("profile/1");
const both = server.sync(["profile/2", "profile/4"]);
await loaded([profile, ...both.viewModels.values()]);
const { accepted } = await profile.send({ type: "loadPosts" });
await loaded([profile]);
server.close();
return accepted;
"""


@pytest.mark.parametrize("transport", ("events", "longPoll", "poll"))
def test_a_page_of_an_allowed_origin_follows_view_models_and_sends_commands(stranger, transport):
    allowing = Server("--allow-origin", stranger.origin("127.0.0.1")).start()
    try:
        stranger.open("127.0.0.1")
        assert stranger.run(FOLLOW, transport, at=allowing) is True
        stranger.open("localhost")
        assert stranger.run(FOLLOW, transport, at=allowing).startswith("failed: TypeError")
    finally:
        allowing.kill()
