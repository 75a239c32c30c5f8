"""Each seeded bug is found, so each promise is checked."""

import subprocess
import sys
import unittest
from pathlib import Path

from flaws import FLAWS

# With this seed a server is killed soon, and then runs for some seconds.
SEED = 9


class FlawTests(unittest.TestCase):
    def test_each_flaw_breaks_its_promise(self):
        for name, flaw in FLAWS.items():
            if flaw.breaks:
                with self.subTest(flaw=name):
                    command = [sys.executable, str(Path(__file__).parent), "sqlite", "60"]
                    run = subprocess.run(
                        [*command, "--seed", str(SEED), "--flaw", name],
                        capture_output=True, text=True, timeout=120, check=False,
                    )
                    found = {promise for promise in flaw.breaks if f"NOT {promise}:" in run.stdout}
                    self.assertTrue(found, run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main()
