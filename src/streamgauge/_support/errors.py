"""The errors that streamgauge raises.

    StreamgaugeError
    ├── UsageError      an invalid argument                                 (also a ValueError)
    ├── InputError      invalid data: names file, row and column            (also a ValueError)
    ├── DownloadError   a data set that cannot be downloaded                (also an OSError)
    ├── MissingExtra    an optional package that is not installed           (also an ImportError)
    ├── LearnerError    a learner that raised an exception during a run
    └── Interrupted     Ctrl-C during a run

The attribute `runs` of an error holds what was scored before it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any


class StreamgaugeError(Exception):
    """The base of all errors; `runs` holds what was scored before the error."""

    runs: tuple[Any, ...] = ()


class UsageError(StreamgaugeError, ValueError):
    """An invalid argument."""


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """A suggestion in parentheses, if a known name is close to the one given."""
    close = difflib.get_close_matches(given, list(known), 1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def check_integer(what: str, value: object) -> None:
    """Require an integer that fits in 62 bits, such as a number of rows."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise UsageError(f"{what}: expected an integer, got {value!r}")
    if abs(int(value)) >= 1 << 62:
        raise UsageError(f"{what}: expected an integer below 2^62, got {value!r}")


def check_seed(what: str, seed: object) -> None:
    """Require a random seed: an integer, 0 or more."""
    if isinstance(seed, bool) or not hasattr(seed, "__index__") or int(seed) < 0:
        raise UsageError(f"{what}: seed={seed!r}; expected an integer, 0 or more")


class InputError(StreamgaugeError, ValueError):
    """Invalid data; `row` is the first invalid row, if the rows before it are valid."""

    def __init__(self, message: str, row: int | None = None) -> None:
        super().__init__(message)
        self.row = row


class DownloadError(StreamgaugeError, OSError):
    """A data set that cannot be downloaded."""


class MissingExtra(StreamgaugeError, ImportError):  # noqa: N818 - reads better than MissingExtraError
    """An optional package that is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            f"{package} is needed here but not installed: pip install 'streamgauge[{extra}]'"
        )


class Interrupted(StreamgaugeError):  # noqa: N818 - nothing is wrong
    """Ctrl-C during a run."""


class LearnerError(StreamgaugeError):
    """A learner that raised an exception during a run; `__cause__` is that exception."""
