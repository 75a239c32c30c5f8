"""Child processes that do not outlive the benchmark, and what they cost."""

import ctypes
import os
import re
import resource
import select
import signal
import subprocess
import sys
import time

PR_SET_PDEATHSIG = 1
PAGE = os.sysconf("SC_PAGESIZE")


class BenchmarkError(Exception):
    """The benchmark cannot go on; the text is for people."""


class Child:
    """A running process, which `stop` or the end of a `with` ends."""

    def __init__(self, name, command, log):
        self.name = name
        self.log = log
        with open(log, "wb") as errors:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, bufsize=0,
                preexec_fn=_end_with_parent)
        self._pending = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=3)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def read_line(self, seconds):
        """The next line that the process writes, or an error after some seconds."""
        deadline = time.monotonic() + seconds
        descriptor = self.process.stdout.fileno()
        while b"\n" not in self._pending:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([descriptor], [], [], left)[0]:
                raise BenchmarkError(f"{self.name} said nothing for {seconds} s{self.epitaph()}")
            piece = os.read(descriptor, 1 << 16)
            if not piece:
                raise BenchmarkError(f"{self.name} ended{self.epitaph()}")
            self._pending += piece
        line, self._pending = self._pending.split(b"\n", 1)
        return line.decode()

    def read_port(self, pattern, seconds=10):
        """The port in the line with which a server says that it listens."""
        found = re.search(pattern, self.read_line(seconds))
        if not found:
            raise BenchmarkError(f"{self.name} did not say where it listens")
        return int(found[1])

    def write_line(self, line):
        try:
            self.process.stdin.write(line.encode() + b"\n")
        except BrokenPipeError:
            raise BenchmarkError(f"{self.name} is gone{self.epitaph()}") from None

    def cpu_seconds(self):
        """Time on a processor so far, of the process and its children, with their threads that have ended."""
        return sum(map(_processor_seconds, self._family()))

    def resident_bytes(self):
        """Memory in use, of the process and its children."""
        return PAGE * sum(int(_read(f"/proc/{p}/statm", "0 0").split()[1]) for p in self._family())

    def wait_until_idle(self):
        """Returns once the process has used less than a tenth of a processor for a while."""
        quiet = 0
        deadline = time.monotonic() + 20
        while quiet < 4:
            before = self.cpu_seconds()
            time.sleep(0.1)
            quiet = quiet + 1 if self.cpu_seconds() - before < 0.01 else 0
            if time.monotonic() > deadline:
                raise BenchmarkError(f"{self.name} does not come to rest")

    def _family(self):
        family = [self.process.pid]
        for entry in _list("/proc"):
            # The name in parentheses may contain anything; the parent is the second word behind it.
            if entry.isdigit():
                words = _read(f"/proc/{entry}/stat", "").rpartition(")")[2].split()
                if len(words) > 1 and int(words[1]) == self.process.pid:
                    family.append(int(entry))
        return family

    def epitaph(self):
        """How the process ended, if it did, and its last words on standard error."""
        status = self.process.poll()
        ending = "" if status is None else f"; {self.name} ended with status {status}"
        text = _read(self.log, "").strip()
        return ending + (f":\n{text[-2000:]}" if text else "")


def raise_descriptor_limit(needed):
    """Lets this process and its children open as many files as they may."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < needed:
        raise BenchmarkError(f"needs {needed:,} open files per process; `ulimit -Hn` is {hard:,}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def end_on_signals():
    """Makes signals unwind the stack, so that every `with` stops its child. nohup has a signal ignored."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda number, _: sys.exit(128 + number))


def exit_with_verdict(name, run):
    """Runs a benchmark, and exits with 1 if a budget is not met or if it cannot go on."""
    end_on_signals()
    try:
        sys.exit(0 if run() else 1)
    except BenchmarkError as error:
        sys.exit(f"scripts/benchmark {name}: {error}")


def _end_with_parent():
    # For the case that this process is killed, or that a child fails before a `with` has it.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def _processor_seconds(process):
    # The clock of a process, as clock_getcpuclockid(3) makes it of the number. It counts nanoseconds; the times in
    # `stat` are hundredths of a second, and the files of threads end with the threads.
    try:
        return time.clock_gettime(~process << 3 | 2)
    except OSError:
        return 0


def _read(path, otherwise):
    # Processes may end while they are being looked at.
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return otherwise


def _list(path):
    try:
        return os.listdir(path)
    except OSError:
        return []
