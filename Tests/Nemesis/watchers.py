"""Clients that keep replicas by diffs alone, on any server and by any transport."""

import asyncio
import itertools
import json

import canonical
from changes import Broken, applied
from history import number_of
from run import Lines, Run
from wire import Lost

SCREENS = ["scoreboard/1", "scoreboard/2", "scoreboards/all", "catalog/1", "profile/1"]
# The longest a poll waits, in seconds. What is told later than that is told by a poll's end.
LONGEST_WAIT = 12


class Replica:
    """A copy of one view model."""

    def __init__(self, screen: str):
        self.screen = screen
        self.token: str | None = None
        self.content: dict = {}
        self.hash = ""

    @property
    def path(self) -> str:
        return f"/v1/view-models/{self.screen}"


class Watcher:
    """Follows one to three view models."""

    _connections = itertools.count(1)

    def __init__(self, run: Run, number: int):
        self.run, self.name = run, f"watcher {number}"
        self.random = run.choices(self.name)
        self.lines = Lines(run)
        chosen = self.random.sample(SCREENS, self.random.choice([1, 1, 2, 3]))
        self.replicas = {screen: Replica(screen) for screen in chosen}
        self._has_lost = False

    async def watch(self):
        """Follows until the run is over."""
        ways = [self.poll, self.long_poll, self.events, self.sync, self.all_events]
        rare = [self.start_again, self.look_back, self.guess]
        while not self.run.is_over:
            way = self.random.choice(rare if self.random.random() < 0.06 else ways)
            server = self.random.choice(self.run.servers)
            try:
                await way(server, self.random.choice(list(self.replicas.values())))
                self._has_lost = False
            except Lost:
                self._has_lost = True
            await asyncio.sleep(self.random.uniform(0.1, 1.0))
        self.lines.close()

    # Transports

    async def poll(self, server, replica: Replica, wait: int = 0):
        began, since = self.run.history.now, replica.token
        path = f"{replica.path}/diff" + (f"?since={since}" if since else "")
        if since and wait:
            path += f"&wait={wait}"
        if since and self._has_lost and self.random.random() < 0.5:
            path += f"&have={canonical.have(replica.content)}"
        answer = await self.lines.ask(server, "GET", path, seconds=wait + 6)
        story = {"server": server.number, "via": "long poll" if wait else "poll", "began": began}
        if answer.status == 204:
            self._keep(replica, answer.headers["view-revision"], **story)
        elif answer.status == 200:
            self._take(replica, answer.json, **story)
        else:
            await self._refused(answer, path, **story)

    async def long_poll(self, server, replica: Replica):
        await self.poll(server, replica, self.random.choice([2, 5, LONGEST_WAIT]))

    async def events(self, server, replica: Replica):
        began, path = self.run.history.now, f"{replica.path}/events"
        headers = {}
        if replica.token:
            path, headers = self._from(path, replica)
        story = {"server": server.number, "via": "events", "connection": next(self._connections)}
        async for event in self.lines.events(server, path, self._stay(), headers):
            if "data" in event:
                document = json.loads(event["data"])
                self._take(replica, document, began=began, id=event.get("id"), **story)
            elif event.get("id") and replica.token:
                # Where the client is from now on, although it sees no change.
                self._keep(replica, event["id"], began=began, **story)
            began = self.run.history.now
        if replica.token:
            self._waited(replica, began, **story)

    async def sync(self, server, _):
        began, wait = self.run.history.now, self.random.choice([0, 0, 2, LONGEST_WAIT])
        body = {"screens": self._known(), "wait": wait}
        answer = await self.lines.ask(server, "POST", "/v1/sync", body, seconds=wait + 6)
        story = {"server": server.number, "via": "sync", "began": began}
        if answer.status in (200, 204):
            news = answer.json["screens"] if answer.status == 200 else {}
            self._take_all(news, began_waiting=began if wait else None, **story)
        else:
            await self._refused(answer, "/v1/sync", **story)

    async def all_events(self, server, _):
        began = self.run.history.now
        if any(replica.token is None for replica in self.replicas.values()):
            return
        query = "&".join(
            f"screen={name}&since={replica.token}" for name, replica in self.replicas.items()
        )
        story = {"server": server.number, "via": "all events"}
        story["connection"] = next(self._connections)
        path = f"/v1/events?{query}"
        async for event in self.lines.events(server, path, self._stay(), {}):
            if "data" in event:
                self._take_all(json.loads(event["data"])["screens"], began=began, **story)
            for replica, token in zip(self.replicas.values(), event.get("id", "").split(",")):
                if token not in ("", replica.token):
                    self._keep(replica, token, began=began, **story)
            began = self.run.history.now

    # What is rare

    async def start_again(self, server, replica: Replica):
        began = self.run.history.now
        answer = await self.lines.ask(server, "GET", replica.path)
        story = {"server": server.number, "via": "snapshot", "began": began}
        if answer.status != 200:
            return await self._refused(answer, replica.path, **story)
        # It may be the one of another server that is a moment behind.
        if replica.token is None or number_of(answer.json["revision"]) >= number_of(replica.token):
            self._take(replica, answer.json, **story)

    async def look_back(self, server, replica: Replica):
        """Compares the replica with the snapshot at its revision, byte for byte."""
        if replica.token is None:
            return
        path, began = f"{replica.path}?at={replica.token}", self.run.history.now
        answer = await self.lines.ask(server, "GET", path)
        if answer.status == 200:
            document = canonical.snapshot(replica.screen, replica.token, replica.content)
            if answer.body != canonical.encoded(document):
                self._broken(replica, f"at={replica.token} differs from the replica", began=began)
        elif answer.status != 410:
            await self._refused(answer, path, server=server.number, via="at", began=began)

    async def guess(self, server, replica: Replica):
        """Names a revision that the server has not given yet, or never."""
        if replica.token is None:
            return
        epoch, _, number = replica.token.partition(".")
        token, reason = self.random.choice(
            [
                (f"{epoch}.{int(number) + 1_000_000}", "future-revision"),
                (f"{'A' * len(epoch)}.{number}", "epoch-changed"),
            ]
        )
        path = f"{replica.path}/diff?since={token}"
        answer = await self.lines.ask(server, "GET", path)
        if answer.status != 503:
            document = answer.json if answer.status == 200 else {}
            # A new build has started new revisions since the held one.
            if document.get("revision", token).partition(".")[0] != epoch:
                reason = "epoch-changed"
            got = document.get("reason")
            self._note("guessed", token=token, expected=reason, status=answer.status, got=got)

    # Helpers

    def _stay(self) -> float:
        return self.random.uniform(0.5, 8)

    def _known(self) -> dict:
        return {
            name: {"since": replica.token} if replica.token else {}
            for name, replica in self.replicas.items()
        }

    def _from(self, path: str, replica: Replica):
        if self.random.random() < 0.5:
            return path, {"Last-Event-ID": replica.token}
        return f"{path}?since={replica.token}", {}

    def _take_all(self, news: dict, began: float, began_waiting=None, **story):
        """Takes what one answer says of several screens, which is of one moment."""
        for name, document in news.items():
            self._take(self.replicas[name], document, began=began, **story)
        if all(replica.token for replica in self.replicas.values()):
            contents = {name: replica.hash for name, replica in self.replicas.items()}
            self._note("together", contents=contents, **story)
            if began_waiting is not None and not news:
                for replica in self.replicas.values():
                    self._waited(replica, began_waiting, **story)

    def _take(self, replica: Replica, document: dict, **story):
        kind, since = document["kind"], replica.token
        story |= {"since": since, "kind": kind, "revision": document.get("revision")}
        if kind == "problem":
            return self._note("refused", screen=replica.screen, document=document, **story)
        if kind == "diff":
            story["from"] = document["from"]
            if document["from"] != since:
                self._note("gap", screen=replica.screen, **story)
                self._give_up(replica)
            try:
                content = applied(replica.content, document)
            except (Broken, LookupError) as error:
                self._broken(replica, f"{error!r}", **story)
                self._give_up(replica)
        else:
            content = {"sections": document["sections"], "states": document["states"]}
            if kind == "reset":
                story["reason"] = document["reason"]
        if canonical.digest(content) != document["digest"]:
            self._broken(replica, "the digest is another one", **story)
            self._give_up(replica)
        replica.content, replica.token = content, document["revision"]
        self._seen(replica, **story)

    def _keep(self, replica: Replica, token: str, **story):
        since, replica.token = replica.token, token
        self._seen(replica, since=since, kind="same", revision=token, **story)

    def _give_up(self, replica: Replica):
        replica.token = None
        raise Lost("the client begins again")

    def _waited(self, replica: Replica, began: float, **story):
        self._note(
            "waited", screen=replica.screen, revision=replica.token, began=began, **story
        )

    def _seen(self, replica: Replica, **story):
        event = self.run.history.see(
            replica.content, who=self.name, screen=replica.screen, **story
        )
        replica.hash = event["content"]

    def _broken(self, replica: Replica, error: str, **story):
        self._note("broken", screen=replica.screen, error=error, **story)

    async def _refused(self, answer, path: str, **story):
        text = answer.body.decode(errors="replace")[:300]
        self._note("refused", path=path, status=answer.status, text=text, **story)
        await asyncio.sleep(0.3)

    def _note(self, what: str, **story):
        self.run.history.add(what, who=self.name, **story)
