"""What the nemesis does to servers and connections, as the seed says."""

import asyncio
import shutil

from redis_engine import Link
from run import Run
from server import PROGRAM, Server, ServerEnded
from wire import Connection, Lost, request_bytes

# How many inputs are a flood: more than there are between two checkpoints.
FLOOD = 8_800


async def disturb(run: Run, seconds: float):
    """Does one thing after the other to the servers, until some seconds before the end."""
    random, history = run.choices("faults"), run.history
    deeds = {kill: 5, pause: 3, end: 2, turn_clock: 3}
    if run.redis:
        deeds |= {cut: 3, hold: 3, kill_redis: 2, deploy: 2}
    if chosen := run.flaw.faults:
        deeds = {deed: often for deed, often in deeds.items() if deed.__name__ in chosen}
    next_flood = run.flaw.first_flood
    while not run.is_over:
        await asyncio.sleep(random.uniform(1, 6))
        if history.now > next_flood:
            await flood(run, random.choice(run.servers))
            next_flood = history.now + 60
        deed = random.choices(list(deeds), list(deeds.values()))[0]
        server, much = random.choice(run.servers), random.random()
        if history.now > seconds - 4:
            return
        run.is_disturbed = True
        before = len(history.events)
        await deed(run, server, much)
        run.is_disturbed = False
        if run.flaw.faults:
            run.first_sign = run.next_look = before


async def kill(run: Run, server: Server, much: float):
    began = run.history.now
    await server.kill()
    run.flaw.after_kill(str(run.folder / "journal"))
    await asyncio.sleep(much)
    await server.start()
    run.history.add("fault", fault="kill -9", server=server.number, began=began)


async def pause(run: Run, server: Server, much: float):
    began = run.history.now
    server.pause()
    await asyncio.sleep(0.5 + 3 * much)
    server.resume()
    run.history.add("fault", fault="SIGSTOP", server=server.number, began=began)


async def end(run: Run, server: Server, much: float):
    began = run.history.now
    status = await server.end()
    await asyncio.sleep(much)
    await server.start()
    run.history.add("fault", fault="SIGTERM", server=server.number, began=began, status=status)


async def deploy(run: Run, server: Server, much: float):
    """Installs a newer build, and restarts one server, which takes the journal over from the others."""
    began, others = run.history.now, [one for one in run.servers if one is not server]
    installed, new = run.folder / "viewdelta", run.folder / "viewdelta.new"
    # A program is known by the time of its file, which is new.
    shutil.copyfile(PROGRAM, new)
    new.chmod(0o700)
    new.replace(installed)
    for one in run.servers:
        one.program = str(installed)
        one.is_away = True
    statuses = [await server.end()]
    await asyncio.sleep(much)
    await server.start("--take-over")
    for one in others:
        statuses.append(await one.ended())
        if statuses[-1] != 75:
            raise ServerEnded(f"it makes way with {statuses[-1]}:\n{one.last_words()}")
        await one.start()
    run.history.add("fault", fault="deploy", server=None, began=began, status=statuses)


async def turn_clock(run: Run, server: Server, much: float):
    """Sets the wall clock back or forth by up to a day, and leaves it there."""
    seconds = int(86_400 * (2 * much - 1))
    server.set_clock(seconds)
    run.history.add("turned", server=server.number, seconds=seconds)


async def flood(run: Run, server: Server):
    """Sends more inputs than there are between two checkpoints. All are refused, and recorded."""
    began = run.history.now
    request = request_bytes("DELETE", "/v1/scoreboards/1/players/nobody")
    try:
        await asyncio.gather(
            *(Connection(server.port).pipeline(request, FLOOD // 40) for _ in range(40))
        )
    except Lost:
        pass
    # The others wait meanwhile.
    run.history.add("fault", fault="flood", server=None, began=began)


def of_link(name: str, begin):
    """A deed that is done to the link between a server and Redis, which is mended after a while."""

    async def deed(run: Run, server: Server, much: float):
        began, link = run.history.now, run.links[server.number]
        begin(link)
        await asyncio.sleep(0.1 + 4 * much)
        link.mend()
        run.history.add("fault", fault=name, server=server.number, began=began)

    return deed


cut, hold = of_link("link cut", Link.cut), of_link("link held", Link.hold)


async def kill_redis(run: Run, _: Server, much: float):
    began = run.history.now
    await run.redis.kill()
    await asyncio.sleep(2 * much)
    await run.redis.start()
    run.history.add("fault", fault="Redis kill -9", server=None, began=began)


class Vandal:
    """A client whose connections are slow or broken. Nothing that it sends may be applied."""

    def __init__(self, run: Run, number: int):
        self.run, self.random = run, run.choices(f"vandal {number}")

    async def break_things(self):
        ways = [self.half_a_head, self.half_a_body, self.noise, self.unread_stream]
        while not self.run.is_over:
            server = self.random.choice(self.run.servers)
            connection = Connection(server.port)
            try:
                await self.random.choice(ways)(connection)
            except Lost:
                pass
            (connection.abort if self.random.random() < 0.5 else connection.close)()
            await asyncio.sleep(self.random.uniform(0.1, 1))

    async def half_a_head(self, connection: Connection):
        whole = request_bytes("GET", "/v1/view-models/scoreboard/1")
        await connection.write(whole[: self.random.randrange(1, len(whole))])
        await asyncio.sleep(self.random.uniform(0, 2))

    async def half_a_body(self, connection: Connection):
        body = {"name": "m-99-1", "score": 1}
        whole = request_bytes("POST", "/v1/scoreboards/1/players", body)
        await connection.write(whole[: -self.random.randrange(1, 20)])
        await asyncio.sleep(self.random.uniform(0, 2))

    async def noise(self, connection: Connection):
        await connection.write(self.random.randbytes(self.random.randrange(1, 2000)))

    async def unread_stream(self, connection: Connection):
        head = {"Accept": "text/event-stream"}
        path = self.random.choice(["scoreboard/1", "profile/1", "catalog/1"])
        await connection.write(request_bytes("GET", f"/v1/view-models/{path}/events", None, head))
        await asyncio.sleep(self.random.uniform(0, 4))
