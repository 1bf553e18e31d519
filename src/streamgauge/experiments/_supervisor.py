"""A worker process, watched: what takes too long or too much memory is killed, a death noticed."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import IO

import msgspec

from streamgauge.experiments._jobs import Job
from streamgauge.experiments._worker import READY, Answer, Order

_LOOK_EVERY = 0.2  # seconds
_LAST_WORDS = 4000  # characters
# One core a worker: they share the machine, and sums are added in one order everywhere.
_ONE_THREAD = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")


class Stopped(Exception):  # noqa: N818 - nothing is wrong
    """The worker was told to stop, and its cell is left for another time."""


class Worker:
    """Runs jobs one after another in a process of its own, a new one after each mishap."""

    def __init__(self, timeout: float | None = None, max_memory: int | None = None) -> None:
        self._timeout, self._max_memory = timeout, max_memory
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: queue.Queue[bytes] = queue.Queue()
        self._words: IO[bytes] | None = None
        self._stopped = False

    @property
    def pid(self) -> int | None:
        """Of the process, if there is one."""
        return None if self._process is None else self._process.pid

    def run(self, job: Job, folder: Path) -> Answer:
        """Run a cell; its run is then under `folder`."""
        process = self._process
        if process is None:
            process = self._start()
            if self._answers.get() != READY:
                return self._died(process)
        order = msgspec.json.encode(Order(job, str(folder))) + b"\n"
        began = time.monotonic()
        try:
            assert process.stdin is not None
            process.stdin.write(order)
            process.stdin.flush()
        except OSError:  # it died while it waited; reading says so too
            pass
        while True:
            try:
                line = self._answers.get(timeout=_LOOK_EVERY)
            except queue.Empty:
                if failure := self._too_much(process.pid, time.monotonic() - began):
                    self._end()
                    return failure
                continue
            if line:
                return msgspec.json.decode(line, type=Answer)
            return self._died(process)

    def stop(self) -> None:
        """End the process, whatever it is doing; `run` then raises Stopped."""
        self._stopped = True
        self._end()

    def _start(self) -> subprocess.Popen[bytes]:
        if self._stopped:
            raise Stopped
        paths = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
        env = dict.fromkeys(_ONE_THREAD, "1") | os.environ | {"PYTHONPATH": paths}
        self._words = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        self._answers = queue.Queue()
        self._process = process = subprocess.Popen(
            [sys.executable, "-P", "-m", "streamgauge.experiments._worker"],  # the same sys.path
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._words,
            env=env,
            start_new_session=True,  # Ctrl-C is for the program that watches
        )
        threading.Thread(target=_listen, args=(process, self._answers), daemon=True).start()
        return process

    def _too_much(self, pid: int, seconds: float) -> Answer | None:
        if self._timeout is not None and seconds > self._timeout:
            return Answer("timeout", "", f"took longer than {self._timeout:g} seconds (timeout)")
        if self._max_memory is not None:
            used = resident_bytes(pid)
            if used > self._max_memory:
                said = f"used {used:,} bytes of memory, more than {self._max_memory:,} (max_memory)"
                return Answer("memory", "", said)
        return None

    def _died(self, process: subprocess.Popen[bytes]) -> Answer:
        code = process.wait()
        if self._stopped:
            raise Stopped
        try:
            how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        except ValueError:
            how = f"killed by signal {-code}"
        words = self._last_words()
        self._end()
        return Answer("died", "", f"its process ended: {how}", words)

    def _last_words(self) -> str:
        if self._words is None:
            return ""
        with contextlib.suppress(OSError, ValueError):
            size = self._words.seek(0, os.SEEK_END)
            self._words.seek(max(0, size - _LAST_WORDS))
            return self._words.read().decode(errors="replace")
        return ""

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.wait()
        if process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()
        if self._words is not None:
            self._words.close()


def _listen(process: subprocess.Popen[bytes], answers: queue.Queue[bytes]) -> None:
    """Hand on every answer; an empty one at the end."""
    assert process.stdout is not None
    with process.stdout as lines:
        for line in lines:
            if line.endswith(b"\n"):  # else it was killed while it answered
                answers.put(line)
    answers.put(b"")


def resident_bytes(pid: int) -> int:
    """How much memory a process holds; 0 if that cannot be told."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        pass
    try:  # no /proc, as on a Mac
        shown = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, check=False, text=True
        )
        return int(shown.stdout or 0) * 1024
    except (OSError, ValueError):
        return 0
