"""Sends random histories to a running server, and compares it with a model.

See `scripts/fuzz --help`.
"""

import argparse
import json
import math
import random
import signal
import sys
import time
import traceback
from collections import Counter

from process import ROOT, Disagreement
from catalog_screen import Catalogs
from followers import follow
from descriptions import check_descriptions
from differences import check_difference
from form_screen import Forms
from podcasts_screen import Podcasts
from profile_screen import Profile
from run import Run
from scoreboard_screens import Scoreboards
from sync import check_sync

ACTORS = {actor.name: actor for actor in [Profile, Podcasts, Scoreboards, Catalogs, Forms]}
FEATURES = {
    "equal-ids": "ids that are canonically equal and not the same bytes",
    "equal-texts": "other texts of that kind",
    "equal-names": "member names of that kind",
    "large": "sizes above 150",
    "have": "the parameter have",
}
STEPS = 250


class Failure(Exception):
    """An episode in which something was wrong, told for people."""


def episode(seed: int, options, deadline: float, totals: Counter, sizes: dict):
    """Runs the episode of a seed until it ends or the time is over."""
    run = Run(seed, options.without, totals, sizes)
    names = options.only or run.random.sample(list(ACTORS), run.number(1, len(ACTORS)))
    step = 0
    try:
        actors = [ACTORS[name](run) for name in names]
        data: dict = {"users": [], "posts": []}
        for actor in actors:
            data |= actor.data()
        run.open(data)
        for step in range(1, options.steps + 1):
            if time.monotonic() > deadline:
                break
            run.pick(actors).step()
            run.check_touched()
            if run.chance(0.15):
                check_sync(run, run.views)
            if run.chance(0.1):
                follow(run)
            totals["steps"] += 1
            if run.chance(0.02):
                check_difference(run)
        check_descriptions(run)
        for actor in actors:
            actor.finish()
        run.close()
    except Disagreement as error:
        raise Failure(told(run, seed, step, names, options, str(error))) from None
    except Exception:
        story = f"the model itself fails: {traceback.format_exc()}"
        raise Failure(told(run, seed, step, names, options, story)) from None
    finally:
        if hasattr(run, "server"):
            run.server.kill()
    totals["episodes"] += 1
    totals["requests"] += len(run.client.trace)


def told(run: Run, seed: int, step: int, names: list, options, story: str) -> str:
    """What is wrong, in few lines; a file has all requests and all that was compared."""
    requests = run.client.trace if hasattr(run, "client") else []
    place = ROOT / f".build/fuzz/server-{seed}.txt"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(visible("\n".join([*requests, story])) + "\n")
    replay = f"scripts/fuzz server --seed {seed} --episodes 1 --steps {options.steps}"
    for name in ("only", "without"):
        if chosen := getattr(options, name):
            replay += f" --{name} {','.join(sorted(chosen))}"
    lines = [f"step {step} of seed {seed} ({', '.join(names)}); the last requests:"]
    lines += [f"  {line}" for line in requests[-6:]] + story.split("\n")
    lines = [line if len(line) < 600 else f"{line[:600]}…" for line in map(visible, lines)]
    return "\n".join([*lines, f"all of it: {place}", f"to see it again: {replay}"])


def visible(text: str) -> str:
    """The text with all but ASCII as JSON escapes it, so that its bytes can be seen and copied."""
    return "".join(one if one.isascii() else json.dumps(one)[1:-1] for one in text)


def names(text: str) -> set:
    return {name for name in text.split(",") if name}


def parsed_options():
    parser = argparse.ArgumentParser(prog="scripts/fuzz server", description=__doc__)
    parser.add_argument("seconds", type=int, nargs="?", default=60)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--episodes", type=int, default=None, help="in place of the seconds")
    parser.add_argument("--steps", type=int, default=STEPS, help="the steps of an episode")
    parser.add_argument("--only", type=names, default=set(), help=", ".join(ACTORS))
    parser.add_argument("--without", type=names, default=set(), help=", ".join(FEATURES))
    parser.add_argument("--keep-going", action="store_true", help="do not end at the first fault")
    options = parser.parse_args()
    if unknown := options.only - set(ACTORS) or options.without - set(FEATURES):
        parser.error(f"there is no {', '.join(sorted(unknown))}")
    options.only = [name for name in ACTORS if name in options.only]
    return options


def main() -> int:
    options = parsed_options()
    # They unwind the stack, so that the server and its files go. nohup has a signal ignored.
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda number, _: sys.exit(128 + number))
    first = options.seed if options.seed is not None else random.SystemRandom().getrandbits(32)
    length = f"{options.seconds} s" if options.episodes is None else f"{options.episodes} episodes"
    print(f"fuzz server: seed {first}, {length}", flush=True)
    # So many episodes are the same histories on every machine, at any speed.
    last = math.inf if options.episodes is None else first + options.episodes
    deadline = time.monotonic() + options.seconds if options.episodes is None else math.inf
    totals: Counter = Counter()
    sizes: dict = {}
    failures = 0
    seed = first
    while seed < last and time.monotonic() < deadline:
        try:
            episode(seed, options, deadline, totals, sizes)
        except Failure as failure:
            failures += 1
            print(f"\nfuzz server: FAULT in {failure}\n", flush=True)
            if not options.keep_going:
                break
        seed += 1
    reached = "; ".join(f"{kind} {sorted(found)}" for kind, found in sorted(sizes.items()))
    counts = ", ".join(f"{count} {name}" for name, count in sorted(totals.items()))
    print(f"fuzz server: {counts}, {failures} faults; sizes reached: {reached}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
