"""Compiles what every evaluation needs in a second process, while this one reads the stream.

numba compiles one kernel at a time per process. The two processes share the cache on disk: what one
compiles, the other waits for instead of compiling it as well (`_support/checked_cache.py`).
"""

from __future__ import annotations

import atexit
import subprocess
import sys
from contextlib import suppress

from streamgauge._support.cores import available_cores

_ROWS = 40


def compile_ahead() -> None:
    """Start the second process once this one has to compile a kernel, if there is a core for it."""
    from streamgauge._support.compile_message import compile_message

    if available_cores() > 1:
        compile_message.also = _start


def _start() -> None:
    with suppress(OSError):  # it only saves time
        process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        atexit.register(_end, process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.wait()


def main() -> None:
    """Evaluate a few rows; first compile what takes long and is needed late."""
    import numpy as np

    from streamgauge._support.types import Block, Schema
    from streamgauge.evaluation.evaluate import evaluate
    from streamgauge.learners.references.seasonal import Seasonal
    from streamgauge.prequential.labels import Immediate
    from streamgauge.prequential.loop import Loop
    from streamgauge.prequential.participant import Participant
    from streamgauge.prequential.protocols import Prequential
    from streamgauge.streams.frames import ArrayStream

    schema = Schema(("x",), ((),), ("a", "b"))
    rows = Block(0, np.zeros((_ROWS, 1)), np.arange(_ROWS, dtype=np.int32) % 2)
    stream = ArrayStream("a few rows", schema, rows)
    Participant(Seasonal()).start(schema, seed=0)
    Loop(stream, Immediate(), [], Prequential(0)).prepare()
    evaluate(stream, "Seasonal", progress=False)


if __name__ == "__main__":
    main()
