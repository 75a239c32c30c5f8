"""Each seeded bug is found."""

import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from flaws import FLAWS

# With this seed a server is killed soon, and then runs for some seconds.
SEED = 9
# Runs mostly wait, so that two are as quick as one.
AT_ONCE = 2
# A run ends when its bug is found, which takes long on a busy machine alone.
SECONDS = 300


class FlawTests(unittest.TestCase):
    def test_each_flaw_breaks_its_promise(self):
        names = [name for name, flaw in FLAWS.items() if flaw.breaks]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for name, output in zip(names, pool.map(run, names)):
                with self.subTest(flaw=name):
                    breaks = FLAWS[name].breaks
                    self.assertTrue(any(f"NOT {one}:" in output for one in breaks), output)


def run(name: str) -> str:
    """Runs the nemesis with a flaw, and returns what it prints."""
    command = [sys.executable, str(Path(__file__).parent), FLAWS[name].engines[0], f"{SECONDS}"]
    result = subprocess.run(
        [*command, "--seed", str(SEED), "--flaw", name],
        capture_output=True, text=True, timeout=SECONDS + 100, check=False,
    )
    return result.stdout + result.stderr


if __name__ == "__main__":
    unittest.main()
