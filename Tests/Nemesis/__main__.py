"""Tries whether the promises hold while servers are killed and clients misbehave.

See `scripts/nemesis --help`.
"""

import argparse
import asyncio
import json
import random
import resource
import sys
import tempfile
from collections import Counter
from pathlib import Path

from faults import Vandal, disturb
from flaws import FLAWS
from promises import violations
from redis_engine import Redis
from run import Lines, Run
from server import ROOT, ServerEnded
from watchers import SCREENS, Watcher
from wire import Lost
from writers import Writer

WRITERS, WATCHERS, VANDALS = 8, 40, 2
# The longest time in which all servers have what others have at the end, in seconds: much more than they need, because
# the machine may do other things. Those with a seeded bug may never have it.
LONGEST_END = 60
DATA = {
    "users": [{"id": 1, "username": "ada"}],
    "posts": [],
    "scoreboards": [
        {"id": board, "title": f"Board {board}", "players": [{"id": 1, "name": "One", "score": 0}]}
        for board in (1, 2)
    ],
    "catalogs": [{"id": 1, "sections": [{"id": "pairs", "items": []}]}],
}


async def nemesis(options, folder: Path) -> Run:
    """Runs servers, clients and faults, and returns when all have ended."""
    data = folder / "data.json"
    data.write_text(json.dumps(DATA))
    redis = Redis(folder) if options.engine == "redis" else None
    run = Run(options.seed, folder, FLAWS[options.flaw](), redis)
    history = run.history
    try:
        await run.start(["--data", str(data), "--latency", "50ms", "--log-level", "error"])
        others = [Watcher(run, number).watch() for number in range(1, WATCHERS + 1)]
        others += [Vandal(run, number).break_things() for number in range(1, VANDALS + 1)]
        async with asyncio.TaskGroup() as group:
            others = [group.create_task(other) for other in [*others, note_lag(run)]]
            # These end by themselves: a writer when it knows the outcome of its last intent.
            for number in range(1, WRITERS + 1):
                group.create_task(Writer(run, number).write())
            group.create_task(disturb(run, options.seconds))
            while history.now < options.seconds and not shows_flaw(run):
                await asyncio.sleep(1)
            run.is_over = True
            for other in others:
                other.cancel()
        await look_at_the_end(run)
    except* ServerEnded as ends:
        history.add("died", text=str(ends.exceptions[0]))
    finally:
        await run.end()
    return run


def shows_flaw(run: Run) -> bool:
    """Whether a seeded bug has left its first trace, which is enough."""
    events, begin = len(run.history.events), run.first_sign
    if not run.flaw.breaks or run.is_disturbed or begin is None or events < run.next_look:
        return False
    # All looks together take as long as some at the whole history, and the first ones come soon.
    run.next_look = min(1.2 * events, 2 * events - begin + 200)
    return bool(violations(run.history))


async def note_lag(run: Run):
    """Notes when this process itself was late, for which no server can be blamed."""
    while not run.is_over:
        began = run.history.now
        await asyncio.sleep(0.2)
        if run.history.now - began > 1.2:
            run.history.add("fault", fault="the clients were late", server=None, began=began)
        for server in run.servers:
            if server.status is not None and not server.is_away:
                raise ServerEnded(f"it ends with {server.status}:\n{server.last_words()}")


async def look_at_the_end(run: Run):
    """Asks each server for all screens when nothing happens any more."""
    lines, history = Lines(run), run.history
    deadline = history.now + (0 if run.flaw.breaks else LONGEST_END)
    while not are_one(looks := await look(run, lines)) and history.now < deadline:
        await asyncio.sleep(0.1)
    lines.close()
    for server in run.servers:
        if server.has_differed:
            raise ServerEnded(f"it starts anew:\n{server.last_words()}")
    for server, screen, began, document in looks:
        if isinstance(document, Lost):
            history.add("refused", screen=screen, text=str(document), server=server.number)
            continue
        content = {"sections": document["sections"], "states": document["states"]}
        history.see(
            content, screen=screen, who="the end", server=server.number, via="end",
            began=began, since=None, kind="snapshot", revision=document["revision"],
        )


async def look(run: Run, lines: Lines) -> list[tuple]:
    """What each server shows on each screen now, with the server, the screen and the time before."""
    looks = []
    for server in run.servers:
        for screen in SCREENS:
            began = run.history.now
            try:
                answer = await lines.ask(server, "GET", f"/v1/view-models/{screen}")
                shown = answer.json if answer.status == 200 else Lost(f"status {answer.status}")
            except Lost as error:
                shown = error
            looks.append((server, screen, began, shown))
    return looks


def are_one(looks: list[tuple]) -> bool:
    """Whether loads have ended, and servers have what others have."""
    documents: dict = {}
    for _, screen, _, shown in looks:
        if isinstance(shown, Lost) or "isLoading" in shown["states"].values():
            return False
        if documents.setdefault(screen, shown) != shown:
            return False
    return True


def report(run: Run, options) -> int:
    """Prints what was done, and what was not kept."""
    history, found = run.history, violations(run.history)
    counts = Counter(event["what"] for event in history.events)
    faults = Counter(event["fault"] for event in history.events if event["what"] == "fault")
    faults["clock set"] = counts["turned"]
    own = resource.getrusage(resource.RUSAGE_SELF)
    print(
        f"nemesis: {counts['sent']} writes sent, {counts['answered']} answered, {counts['seen']} "
        f"documents seen of {len(history.contents)} revisions; "
        + (", ".join(f"{count} {fault}" for fault, count in sorted(faults.items())) or "no fault")
        + f"; {own.ru_utime + own.ru_stime:.0f} s of processor time for the clients"
    )
    shown: Counter = Counter()
    for violation in found:
        shown[violation.promise] += 1
        if shown[violation.promise] <= 3:
            print(f"\nNOT {violation.promise}: {violation.text}")
            for event in violation.events[-6:]:
                print(f"  {json.dumps(event)}"[:600])
    again = f"{options.engine} {options.seconds} --seed {options.seed} --flaw {options.flaw}"
    place = ROOT / f".build/nemesis/history-{options.flaw}-{options.seed}.jsonl"
    if found:
        history.write(place)
        print(f"\nthe whole history: {place}")
        print(f"again: scripts/nemesis {again}")
    totals = ", ".join(f"{count} {name}" for name, count in shown.items())
    print(f"nemesis: {len(found)} violations{': ' if totals else ''}{totals}", flush=True)
    return 1 if found else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/nemesis", description=__doc__)
    parser.add_argument("engine", choices=["sqlite", "redis"])
    parser.add_argument("seconds", type=int, nargs="?", default=60)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    parser.add_argument("--flaw", choices=FLAWS, default="none", help="a seeded bug")
    options = parser.parse_args()
    if options.engine not in FLAWS[options.flaw].engines:
        parser.error(f"{options.flaw} does not show with {options.engine}")
    print(f"nemesis {options.engine}: seed {options.seed}, {options.seconds} s", flush=True)
    with tempfile.TemporaryDirectory(prefix="viewdelta-nemesis-") as folder:
        return report(asyncio.run(nemesis(options, Path(folder))), options)


if __name__ == "__main__":
    sys.exit(main())
