"""A process that runs cells: jobs come as lines of JSON on its input, answers go to its output.

It ends when its input does, in the middle of a cell too: when the program that started it dies,
nobody is left to save what it makes.
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

import msgspec

from streamgauge._support.errors import Interrupted, StreamgaugeError
from streamgauge.experiments._jobs import Job

READY = b"ready\n"
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Answer(msgspec.Struct, frozen=True):
    """How a cell went: "done" and where its run lies, or the kind of failure and why."""

    kind: str
    place: str = ""
    message: str = ""
    traceback: str = ""
    seconds: float = 0.0  # that running and saving it took


class Order(msgspec.Struct, frozen=True):
    """A job, and the directory to write its run in."""

    job: Job
    folder: str


def answer(order: Order) -> Answer:
    """Run a cell; whatever it raises is part of the answer."""
    began = time.perf_counter()
    try:
        place = order.job.play(Path(order.folder))
        return Answer("done", str(place), seconds=time.perf_counter() - began)
    except Interrupted:
        raise
    except Exception as error:
        kind = "memory" if _is(error, MemoryError) else "disk" if _has_no_room(error) else "raised"
        named = "" if isinstance(error, StreamgaugeError) else f"{type(error).__name__}: "
        return Answer(kind, "", f"{named}{error}", "".join(traceback.format_exception(error)))


def _is(error: BaseException, kind: type[BaseException]) -> bool:
    return isinstance(error, kind) or isinstance(error.__cause__, kind)


def _has_no_room(error: BaseException) -> bool:
    return isinstance(error, OSError) and (
        error.errno in _NO_ROOM or "No space left" in str(error) or "File too large" in str(error)
    )


def main() -> None:
    """Answer orders until there are no more."""
    faulthandler.enable()
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what a learner prints is no answer
    orders: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_read, args=(orders,), daemon=True).start()
    answers.write(READY)  # the clock of a cell does not run while Python starts
    while True:
        order = msgspec.json.decode(orders.get(), type=Order)
        answers.write(msgspec.json.encode(answer(order)) + b"\n")


def _read(orders: queue.Queue[bytes]) -> None:
    with contextlib.suppress(OSError):
        for line in sys.stdin.buffer:
            orders.put(line)
    os._exit(0)


if __name__ == "__main__":
    main()
