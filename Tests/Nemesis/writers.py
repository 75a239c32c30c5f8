"""Clients that write, each with intents of its own, until they know the outcome of each."""

import asyncio

from run import Lines, Run
from wire import Answer, Lost
from writing import BEHIND

COUNTER = "/v1/view-models/scoreboard/1"
CATALOG = "/v1/view-models/catalog/1"
# What all writers change at once.
CONTENDED = "/v1/scoreboards/2/players/1"
# The most resources of its own that a writer keeps, so that documents stay short.
MOST = 4
# How long it waits for the outcome of one request before it sends it again.
PATIENCE = 6


class Writer:
    """Sends one intent after the other; no other client changes what it has made."""

    def __init__(self, run: Run, number: int):
        self.run, self.number, self.name = run, number, f"writer {number}"
        self.random = run.choices(self.name)
        self.lines = Lines(run)
        self._intents = 0
        # What it has made: path, collection, member with the mark, mark, entity tag.
        self._own: list[dict] = []
        self._pairs: list[str] = []

    async def write(self):
        """Writes until the run is over, and the last outcome is known."""
        steps = {
            self.adjust: 30,
            self.adjust_if: 8,
            self.add: 16,
            self.rename: 14,
            self.remove: 8,
            self.race: 10,
            self.pair: 8,
            self.load: 4,
        }
        while not self.run.is_over:
            step = self.random.choices(list(steps), list(steps.values()))[0]
            await step()
            await asyncio.sleep(self.random.uniform(0.02, 0.3))
        self.lines.close()

    # Intents

    async def adjust(self):
        """Counts up, for which the order does not matter, and each counts once."""
        intent = self._intend("adjust")
        answer = await self._insist(
            intent, "POST", f"{COUNTER}/commands", {"type": "adjustScore", "player": 1, "by": 1},
            key=True,
        )
        await self._read_back(answer)

    async def adjust_if(self):
        """Counts up if nothing has changed; one of those that have seen the same revision can."""
        look = await self._ask("GET", COUNTER)
        if look is None or look.status != 200:
            return
        intent, tag = self._intend("adjust"), f'"{look.json["revision"]}"'
        await self._insist(
            intent, "POST", f"{COUNTER}/commands", {"type": "adjustScore", "player": 1, "by": 1},
            {"If-Match": tag}, key=True,
        )

    async def add(self):
        if len(self._own) >= MOST:
            return await self.remove()
        mark = self._mark()
        if self.random.random() < 0.6:
            path, member = f"/v1/scoreboards/{self.random.choice([1, 2])}/players", "name"
            body = {"name": mark, "score": 0}
        else:
            path, member = "/v1/users/1/posts", "title"
            body = {"title": mark, "body": "Text.", "date": "2026-06-15T08:00:00Z"}
        intent = self._intend("add", mark=mark, path=path)
        answer = await self._insist(intent, "POST", path, body, key=True)
        if answer.status == 201:
            one = {"path": f"{path}/{answer.json['id']}", "in": path, "member": member}
            self._own.append({**one, "mark": mark, "tag": answer.headers["etag"]})

    async def rename(self):
        if not self._own:
            return await self.add()
        one, mark = self.random.choice(self._own), self._mark()
        intent = self._intend("rename", mark=mark, path=one["in"], instead=one["mark"])
        condition = {"If-Match": one["tag"]}
        answer = await self._insist(intent, "PATCH", one["path"], {one["member"]: mark}, condition)
        if answer.status == 412:
            answer = await self._look_again(one, intent, mark)
        if answer.status == 200:
            one |= {"mark": answer.json[one["member"]], "tag": answer.headers["etag"]}

    async def remove(self):
        if not self._own:
            return await self.add()
        one = self._own.pop(self.random.randrange(len(self._own)))
        intent = self._intend("remove", instead=one["mark"], path=one["in"])
        condition = {"If-Match": one["tag"]}
        await self._insist(intent, "DELETE", one["path"], None, condition)

    async def race(self):
        """Changes what others change at the same moment, once and on a condition."""
        look = await self._ask("GET", CONTENDED)
        if look is None or look.status != 200:
            return
        tag, mark = look.headers["etag"], self._mark()
        intent = self._intend("race", tag=tag, mark=mark)
        await self._ask("PATCH", CONTENDED, {"name": mark}, {"If-Match": tag}, intent)

    async def pair(self):
        """Appends two items in one command, which is refused as a whole if one is wrong."""
        if len(self._pairs) >= 2:
            mark = self._pairs.pop(0)
            intent = self._intend("remove", instead=f"{mark}a", path=CATALOG)
            body = {"operation": "deleteItems", "ids": [f"{mark}a", f"{mark}b"]}
        else:
            mark, is_wrong = self._mark(), self.random.random() < 0.3
            intent = self._intend("bad" if is_wrong else "add", mark=f"{mark}a", path=CATALOG)
            items = [{"id": f"{mark}{one}", "title": f"{mark}{one}"} for one in "ab"]
            if is_wrong:
                items[1]["id"] = f"{mark}a"
            body = {"operation": "appendItems", "items": items, "section": "pairs"}
            if not is_wrong:
                self._pairs.append(mark)
        command = {"type": "apply", "operations": [body]}
        await self._insist(intent, "POST", f"{CATALOG}/commands", command, key=True)

    async def load(self):
        command = self.random.choice(["loadPosts", "loadProfile", "appear"])
        path = "/v1/view-models/profile/1/commands"
        await self._insist(self._intend("load"), "POST", path, {"type": command}, key=True)

    # How they are sent

    def _intend(self, kind: str, **members) -> dict:
        self._intents += 1
        return {"kind": kind, "intent": f"{self.name}/{self._intents}", **members}

    def _mark(self) -> str:
        self._intents += 1
        return f"m-{self.number}-{self._intents}"

    async def _insist(self, intent: dict, method, path, body=None, headers=None, key=False):
        """Sends a request until it is answered, with the same key each time."""
        headers = dict(headers or {})
        if key:
            headers["Idempotency-Key"] = f'"{self.run.seed}/{intent["intent"]}"'
        attempt = 0
        while True:
            attempt += 1
            answer = await self._ask(method, path, body, headers, intent, attempt)
            if answer is not None and answer.status not in (429, 503):
                return answer
            await asyncio.sleep(self.random.uniform(0.1, 0.8))

    async def _ask(self, method, path, body=None, headers=None, intent=None, attempt=1):
        """Sends a request to any server; `None` if there is no answer."""
        server, history = self.random.choice(self.run.servers), self.run.history
        story = {"who": self.name, "server": server.number, "attempt": attempt, **(intent or {})}
        story |= {"target": f"{method} {path}", "condition": (headers or {}).get("If-Match")}
        if intent:
            history.add("sent", body=body, **story)
        try:
            answer = await self.lines.ask(server, method, path, body, headers, PATIENCE)
        except Lost as error:
            if intent:
                history.add("lost", error=str(error), **story)
            return None
        if intent:
            text = answer.body.decode(errors="replace")[:300]
            history.add("answered", status=answer.status, text=text, **story)
        return answer

    async def _look_again(self, one: dict, intent: dict, mark: str) -> Answer:
        """Looks which of two contents a resource has whose change may have been the first try's."""
        deadline = self.run.history.now + BEHIND
        while True:
            began = self.run.history.now
            answer = await self._ask("GET", one["path"])
            if answer is not None and answer.status == 200:
                # A new build has new entity tags, so a condition with a former one fails.
                if seed_of(answer.headers["etag"]) != seed_of(one["tag"]):
                    return answer
                now = answer.json[one["member"]]
                # Another server may be a moment behind, and answer late.
                if now == mark or began > deadline:
                    self.run.history.add("settled", who=self.name, now=now, **intent)
                    return answer
            await asyncio.sleep(0.1)

    async def _read_back(self, answer: Answer):
        """Names the revision of an own command on any server, which must have it."""
        if answer.status not in (200, 202):
            return
        token, server = answer.json["revision"], self.random.choice(self.run.servers)
        try:
            reply = await self.lines.ask(server, "GET", f"{COUNTER}/diff?since={token}")
        except Lost:
            return
        got = reply.json.get("reason") if reply.status == 200 else None
        story = {"who": self.name, "server": server.number, "token": token}
        self.run.history.add("read back", status=reply.status, got=got, **story)


def seed_of(tag: str) -> str:
    """What the entity tags of one build begin with."""
    return tag.partition("-")[0]
