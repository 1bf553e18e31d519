"""Supervises one worker process: enforces time and memory limits, notices when it dies."""

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

from streamgauge._support.compile_message import compile_message
from streamgauge._support.valid_text import valid_text
from streamgauge.experiments._jobs import Job
from streamgauge.experiments._worker import COMPILING, READY, Reply, Request

_POLL_SECONDS = 0.2
_STDERR_TAIL = 4000  # bytes
# One thread per worker: workers share the machine, and the order of sums must not vary.
_ONE_THREAD = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")


class SupervisorStopped(Exception):  # noqa: N818 - nothing is wrong
    """The supervisor was stopped; its cell stays in the queue."""


class Supervisor:
    """Runs jobs one by one in a worker process; starts a new process when one fails."""

    def __init__(self, timeout: float | None = None, max_memory: int | None = None) -> None:
        self._timeout, self._max_memory = timeout, max_memory
        self._process: subprocess.Popen[bytes] | None = None
        self._replies: queue.Queue[bytes] = queue.Queue()
        self._stderr: IO[bytes] | None = None
        self._stopped = False

    @property
    def pid(self) -> int | None:
        """Process id of the worker, or None."""
        return None if self._process is None else self._process.pid

    def run(self, job: Job, folder: Path) -> Reply:
        """Run a cell and write its run under `folder`."""
        process = self._process
        if process is None:
            process = self._start()
            if self._replies.get() != READY:
                return self._died(process)
        with valid_text():
            request = msgspec.json.encode(Request(job, str(folder))) + b"\n"
        began = time.monotonic()
        try:
            assert process.stdin is not None
            process.stdin.write(request)
            process.stdin.flush()
        except OSError:  # it died while idle; the empty reply below says so
            pass
        while True:
            try:
                line = self._replies.get(timeout=_POLL_SECONDS)
            except queue.Empty:
                if failure := self._check_limits(process.pid, time.monotonic() - began):
                    self._kill()
                    return failure
                continue
            if not line:
                return self._died(process)
            reply = msgspec.json.decode(line, type=Reply)
            if reply.kind != COMPILING:
                return reply
            compile_message.announce()

    def stop(self) -> None:
        """Kill the worker at once; `run` then raises SupervisorStopped."""
        self._stopped = True
        self._kill()

    def _start(self) -> subprocess.Popen[bytes]:
        if self._stopped:
            raise SupervisorStopped
        paths = os.pathsep.join(map(os.path.abspath, sys.path))  # "" is the working directory
        env = dict.fromkeys(_ONE_THREAD, "1") | os.environ | {"PYTHONPATH": paths}
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process runs
        self._replies = queue.Queue()
        self._process = process = subprocess.Popen(
            [sys.executable, "-P", "-m", "streamgauge.experiments._worker"],  # the same sys.path
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            env=env,
            start_new_session=True,  # Ctrl-C must reach only the supervising program
        )
        forwarded = (process, self._replies)
        threading.Thread(target=_forward_replies, args=forwarded, daemon=True).start()
        return process

    def _check_limits(self, pid: int, seconds: float) -> Reply | None:
        if self._timeout is not None and seconds > self._timeout:
            return Reply("timeout", "", f"took longer than {self._timeout:g} seconds (timeout)")
        if self._max_memory is not None:
            used = resident_bytes(pid)
            if used > self._max_memory:
                said = f"used {used:,} bytes of memory, more than {self._max_memory:,} (max_memory)"
                return Reply("memory", "", said)
        return None

    def _died(self, process: subprocess.Popen[bytes]) -> Reply:
        code = process.wait()
        if self._stopped:
            raise SupervisorStopped
        try:
            how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        except ValueError:
            how = f"killed by signal {-code}"
        stderr = self._stderr_tail()
        self._kill()
        return Reply("died", "", f"the worker process died: {how}", stderr)

    def _stderr_tail(self) -> str:
        if self._stderr is None:
            return ""
        with contextlib.suppress(OSError, ValueError):
            size = self._stderr.seek(0, os.SEEK_END)
            self._stderr.seek(max(0, size - _STDERR_TAIL))
            return self._stderr.read().decode(errors="replace")
        return ""

    def _kill(self) -> None:
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
        if self._stderr is not None:
            self._stderr.close()


def _forward_replies(process: subprocess.Popen[bytes], replies: queue.Queue[bytes]) -> None:
    """Put every reply into a queue, and an empty one when the process ends."""
    assert process.stdout is not None
    with process.stdout as lines:
        for line in lines:
            if line.endswith(b"\n"):  # else it was killed while replying
                replies.put(line)
    replies.put(b"")


def resident_bytes(pid: int) -> int:
    """Resident memory of a process; 0 if unknown."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        pass
    try:  # no /proc on macOS
        shown = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, check=False, text=True
        )
        return int(shown.stdout or 0) * 1024
    except (OSError, ValueError):
        return 0
