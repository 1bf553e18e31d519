"""Mutated inputs: bytes changed at random, and a run over many of them.

`mutate` changes any bytes; `failures` applies an action to many mutations of some seeds and returns
what went wrong: any exception but a `StreamgaugeError`, and any action that takes too long. The
same seed gives the same mutations, so that a failure can be repeated.
"""

from __future__ import annotations

import random
import signal
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from streamgauge._support.errors import StreamgaugeError

TOKENS = (
    b"", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xc3\xa9", b"\n", b"\r", b"\r\n", b"\n\n", b"\t",
    b" ", b"     ", b",", b",,,,", b";", b'"', b'""', b"'", b"\\", b"\\'", b"{", b"}", b"{0 1}",
    b"%", b"#", b"@data", b"@attribute x {a,b}\n", b"?", b"-", b"--1", b".", b"0", b"1e400",
    b"-1e-400", b"nan", b"NaN", b"inf", b"-Infinity", b"NA", b"None", b"null", b"true", b"0x10",
    b"1_000", b"007", b"9007199254740993", b"18446744073709551616", b"1" * 400, b"x" * 3000,
    b"2013-01-01", b"2013-01-01T11:00Z", b"9999-99-99", b"[", b"]", b"[[", b"=", b'"""', b"\x1b[2J",
    b"\xe2\x80\xae", b"\x7f\xff\xff\xff", b"\x80\x00\x00\x00", b"\xff\xff\xff\xff\xff\xff\xff\xff",
)  # fmt: skip


def mutate(data: bytes, rng: random.Random) -> bytes:
    """Return the bytes with one to four random changes."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        start = rng.randint(0, len(changed))
        stop = min(len(changed), start + rng.choice((1, 1, 2, 4, 16, 64, len(changed))))
        match rng.randrange(8):
            case 0:
                for i in range(start, min(stop, start + 8)):
                    changed[i] ^= 1 << rng.randrange(8)
            case 1:
                changed[start:start] = rng.choice(TOKENS)
            case 2:
                changed[start:stop] = rng.choice(TOKENS)
            case 3:
                del changed[start:stop]
            case 4:
                changed[start:start] = changed[start:stop]
            case 5:
                to = rng.randint(0, len(changed))
                changed[to:to] = changed[start:stop]
            case 6:
                changed[start:stop] = rng.randbytes(stop - start)
            case _:
                del changed[start:]
    return bytes(changed)


def mutations(seeds: Sequence[bytes], count: int, seed: int) -> Iterator[bytes]:
    """Yield `count` mutations of the seeds in turn; `seed` numbers the run."""
    for i in range(count):
        yield mutate(seeds[i % len(seeds)], random.Random(f"{seed}/{i}"))


def failures(
    action: Callable[[bytes], object],
    seeds: Sequence[bytes],
    count: int,
    seed: int = 1,
    seconds: float = 10,
) -> list[str]:
    """Apply the action to mutations; return what failed in other ways than a StreamgaugeError.

    Parameters
    ----------
    action
        Gets the mutated bytes.
    seeds
        Valid inputs, which must succeed unchanged.
    count, seed
        How many mutations, and which.
    seconds
        How long one may take.
    """
    for data in seeds:
        action(data)
    found = []
    for number, data in enumerate(mutations(seeds, count, seed)):
        try:
            with limited(seconds), warnings.catch_warnings():
                warnings.simplefilter("error")
                action(data)
        except StreamgaugeError as error:
            if len(str(error)) < 10:
                found.append(f"{number}: says too little: {error!r}")
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            found.append(f"{number}: {type(error).__name__}: {error} for {data[:300]!r}")
    return found


class TooSlowError(Exception):
    """The action took too long."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TooSlowError in the main thread after some seconds."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlowError(f"more than {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    started = time.monotonic()
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    if time.monotonic() - started > seconds:  # a call into C is not interrupted
        raise TooSlowError(f"more than {seconds:g} seconds")
