"""The worker process: reads requests as lines of JSON, runs their cells, writes replies.

It exits as soon as its input closes, even in the middle of a cell: the supervisor is dead and
cannot save the run.
"""

from __future__ import annotations

import contextlib
import errno
import faulthandler
import os
import queue
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import IO

import msgspec

from streamgauge._support.compile_message import compile_message
from streamgauge._support.errors import Interrupted, StreamgaugeError
from streamgauge.experiments._jobs import Job

READY = b"ready\n"
COMPILING = "compiling"
_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Reply(msgspec.Struct, frozen=True):
    """The outcome of a cell: "done" and the run's directory, or the kind of failure and why.

    "compiling" is no outcome: kernels are being compiled, and the outcome follows.
    """

    kind: str
    directory: str = ""
    message: str = ""
    traceback: str = ""
    seconds: float = 0.0  # to run and save the cell


class Request(msgspec.Struct, frozen=True):
    """A job, and the folder to write its run in."""

    job: Job
    folder: str


def handle(request: Request) -> Reply:
    """Run a cell; exceptions become part of the reply."""
    began = time.perf_counter()
    try:
        directory = request.job.run(Path(request.folder))
        return Reply("done", str(directory), seconds=time.perf_counter() - began)
    except Interrupted:
        raise
    except Exception as error:
        kind = "memory" if _is(error, MemoryError) else "disk" if _no_space(error) else "raised"
        prefix = "" if isinstance(error, StreamgaugeError) else f"{type(error).__name__}: "
        return Reply(kind, "", f"{prefix}{error}", "".join(traceback.format_exception(error)))


def _is(error: BaseException, kind: type[BaseException]) -> bool:
    return isinstance(error, kind) or isinstance(error.__cause__, kind)


def _no_space(error: BaseException) -> bool:
    return isinstance(error, OSError) and (
        error.errno in _NO_SPACE or "No space left" in str(error) or "File too large" in str(error)
    )


def main() -> None:
    """Handle requests until the input closes."""
    faulthandler.enable()
    replies = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # keep what learners print apart from replies
    compile_message.show = lambda _: _send(replies, Reply(COMPILING))  # stderr is not read
    requests: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_read, args=(requests,), daemon=True).start()
    replies.write(READY)  # a cell's timeout must not include the start of Python
    while True:
        request = msgspec.json.decode(requests.get(), type=Request)
        _send(replies, handle(request))


def _send(replies: IO[bytes], reply: Reply) -> None:
    replies.write(msgspec.json.encode(reply) + b"\n")


def _read(requests: queue.Queue[bytes]) -> None:
    with contextlib.suppress(OSError):
        for line in sys.stdin.buffer:
            requests.put(line)
    os._exit(0)


if __name__ == "__main__":
    main()
