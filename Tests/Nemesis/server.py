"""A server that is killed, stopped and started again, always on one port."""

import asyncio
import os
import signal
import sys
from pathlib import Path

from redis_engine import held_port

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("VIEWDELTA_BINARY", str(ROOT / ".build/debug/viewdelta"))
# Lets a file say how far the wall clock of a process is off; deadlines have another clock.
FAKE_CLOCK = next(
    (it for folder in ("lib/*", "lib", "lib64") for it in Path("/usr").glob(f"{folder}/faketime/libfaketimeMT.so.1")),
    None,
)
if FAKE_CLOCK is None:
    sys.exit("nemesis: no clock can be set, because libfaketime is not installed")
# The longest time in which a server ends after SIGTERM: its grace, and some for a busy machine.
GRACE = 120


class ServerEnded(Exception):
    """A server does not start, or has ended by itself."""


class Server:
    """One server of the run."""

    def __init__(self, number: int, folder: Path, options: list[str]):
        self.number = number
        self._place = held_port()
        self.port = self._place.getsockname()[1]
        self._log = folder / f"server-{number}.log"
        # Nobody asks for the page, and joining it takes a third of a start.
        public = folder / "public"
        public.mkdir(exist_ok=True)
        self._arguments = ["serve", "--port", str(self.port), "--public", str(public), *options]
        self.program = PROGRAM
        self._clock = folder / f"clock-{number}"
        self.set_clock(0)
        self._environment = {
            **os.environ,
            "LD_PRELOAD": str(FAKE_CLOCK),
            "FAKETIME_TIMESTAMP_FILE": str(self._clock),
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_NO_CACHE": "1",
            # A program is known by the time of its file.
            "NO_FAKE_STAT": "1",
        }
        self._process: asyncio.subprocess.Process | None = None
        # Whether it is meant not to run.
        self.is_away = True

    async def start(self, *options: str):
        """Starts the process, and returns when it listens."""
        # The parent's end ends it, too, however that comes about.
        command = ["setpriv", "--pdeathsig", "KILL", self.program, *self._arguments, *options]
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *command, env=self._environment, stdout=asyncio.subprocess.PIPE, stderr=log
            )
        async for line in self._process.stdout:
            if b"listens on http://" in line:
                self.is_away = False
                return
        raise ServerEnded(f"server {self.number} does not start:\n{self.last_words()}")

    async def kill(self):
        """Ends the process without a shutdown."""
        self.is_away = True
        if self._process and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()

    async def end(self) -> int | None:
        """Ends the process as an operator does; its status, or `None` if it had to be killed."""
        self.is_away = True
        self._process.send_signal(signal.SIGTERM)
        return await self.ended()

    async def ended(self) -> int | None:
        """Waits for the end of the process; its status, or `None` if it had to be killed."""
        try:
            async with asyncio.timeout(GRACE):
                return await self._process.wait()
        except TimeoutError:
            await self.kill()
            return None

    def pause(self):
        self._process.send_signal(signal.SIGSTOP)

    def resume(self):
        self._process.send_signal(signal.SIGCONT)

    def set_clock(self, seconds: int):
        """Sets the wall clock of the process, by its distance from the machine's."""
        new = self._clock.with_suffix(".new")
        new.write_text(f"{seconds:+}s\n")
        new.replace(self._clock)

    @property
    def status(self) -> int | None:
        """The status with which the process has ended; `None` while it runs."""
        return self._process.returncode

    @property
    def has_differed(self) -> bool:
        """Whether it has found that it may have applied an input wrongly."""
        return self.has_logged("differs from that of other servers")

    def has_logged(self, text: str) -> bool:
        return text in self._log.read_text(errors="replace")

    def last_words(self) -> str:
        return "\n".join(self._log.read_text(errors="replace").splitlines()[-12:])
