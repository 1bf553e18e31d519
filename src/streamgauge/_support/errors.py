"""Every error streamgauge raises on purpose.

    StreamgaugeError
    ├── UsageError      an argument that cannot be right                    (also a ValueError)
    ├── InputError      data that cannot be right: names file, row, column  (also a ValueError)
    ├── DownloadError   a data set that cannot be fetched                   (also an OSError)
    ├── MissingExtra    an optional package that is not installed           (also an ImportError)
    ├── LearnerError    a learner that raised in the middle of a run
    └── Interrupted     Ctrl-C in the middle of a run

What was complete when the error struck is kept in its `runs`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any


class StreamgaugeError(Exception):
    """The root: catch this to catch them all. `runs` holds what was scored before the error."""

    runs: tuple[Any, ...] = ()


class UsageError(StreamgaugeError, ValueError):
    """An argument that cannot be right."""


def did_you_mean(given: str, there: Iterable[str]) -> str:
    """The nearest of what there is, in brackets, if one is near."""
    close = difflib.get_close_matches(given, list(there), 1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def check_integer(what: str, value: object) -> None:
    """Require an integer that fits the clock; counts of rows are such."""
    integer = isinstance(value, int) or (
        hasattr(value, "__index__") and not isinstance(value, bool)
    )
    if not integer or abs(int(value)) >= 1 << 62:  # type: ignore[call-overload]
        raise UsageError(f"{what}: expected an integer, got {value!r}")


def check_seed(what: str, seed: object) -> None:
    """Require a random seed: an integer, 0 or more."""
    if isinstance(seed, bool) or not hasattr(seed, "__index__") or int(seed) < 0:
        raise UsageError(f"{what}: seed={seed!r}; expected an integer, 0 or more")


class InputError(StreamgaugeError, ValueError):
    """Data that cannot be right. `row`: the first wrong row, if those before it are fine."""

    def __init__(self, message: str, row: int | None = None) -> None:
        super().__init__(message)
        self.row = row


class DownloadError(StreamgaugeError, OSError):
    """A data set that cannot be fetched."""


class MissingExtra(StreamgaugeError, ImportError):  # noqa: N818 - reads better than MissingExtraError
    """An optional package that is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            f"{package} is not installed, and this needs it: pip install 'streamgauge[{extra}]'"
        )


class Interrupted(StreamgaugeError):  # noqa: N818 - nothing is wrong
    """Ctrl-C in the middle of a run."""


class LearnerError(StreamgaugeError):
    """A learner that raised in the middle of a run; its cause is `__cause__`."""
