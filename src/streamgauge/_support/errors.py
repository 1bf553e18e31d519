"""The errors that streamgauge raises.

    StreamgaugeError
    ├── UsageError      an invalid argument                                 (also a ValueError)
    ├── InputError      invalid data: names file, row and column            (also a ValueError)
    ├── DownloadError   a data set that cannot be downloaded                (also an OSError)
    ├── MissingExtra    an optional package that is not installed           (also an ImportError)
    ├── LearnerError    a learner that raised an exception during a run
    └── Interrupted     Ctrl-C during a run                             (also a KeyboardInterrupt)

The attribute `runs` of an error holds what was scored before it.
"""

from __future__ import annotations

import difflib
import operator
from collections.abc import Iterable, Sequence
from typing import Any

from streamgauge._support.printable import printable

_FEWEST_LETTERS = 3  # of the start of a name
_LIKENESS = 0.65  # of two names that are close, from 0 to 1
_MOST_NAMES, _FIRST_NAMES = 8, 4  # that a message lists; of more, it shows the first ones


class StreamgaugeError(Exception):
    """The base of all errors that streamgauge raises; `runs` holds what was scored before it.

    Examples
    --------
    >>> import streamgauge as sg
    >>> try:
    ...     sg.Fading(2)
    ... except sg.StreamgaugeError as error:
    ...     print(error)
    Fading(2): expected 0 < a <= 1, the weight kept per row, e.g. 0.999
    """

    runs: Sequence[Any] = ()

    def __str__(self) -> str:
        return printable(super().__str__())


class UsageError(StreamgaugeError, ValueError):
    """Raised for an invalid argument.

    Examples
    --------
    >>> import streamgauge as sg
    >>> try:
    ...     sg.Window(0)
    ... except sg.UsageError as error:
    ...     print(error)
    Window(0): expected w >= 1 row
    """


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """A suggestion in parentheses, if a known name is close to the one given, in any case.

    Or if what is given is the start of a known name, or its initials: SRP of
    StreamingRandomPatches.
    """
    by_lower = {name.lower(): name for name in known}
    initials = [name for name in by_lower.values() if _initials(name) == given.upper()]
    if len(given) > 1 and len(initials) == 1:
        return f" (did you mean {initials[0]!r}?)"
    close = difflib.get_close_matches(given.lower(), by_lower, 1, _LIKENESS)
    if given.lower() not in by_lower and len(given) >= _FEWEST_LETTERS:  # a start
        longer = sorted((each for each in by_lower if each.startswith(given.lower())), key=len)
        if longer and all(each.startswith(longer[0]) for each in longer):
            close = longer
    return f" (did you mean {by_lower[close[0]]!r}?)" if close else ""


def instead_of(given: object, known: Iterable[str], where: str = "") -> str:
    """What to write instead of an unknown name: the one that is near, else what is known.

    Of many names the first ones, and `where` all are listed.

    >>> instead_of("kapa", ["kappa", "auc"])
    " (did you mean 'kappa'?)"
    >>> instead_of("beauty", ["kappa", "auc"])
    '; expected one of kappa, auc'
    """
    names = [str(name) for name in known]
    if close := did_you_mean(str(given), names):
        return close
    if not names:
        return "; there is none"
    if len(names) <= _MOST_NAMES:
        return f"; expected one of {', '.join(names)}"
    shown = ", ".join(names[:_FIRST_NAMES])
    listed = f"; all: {where}" if where else ""
    return f"; expected one of {len(names):,} names, such as {shown}{listed}"


def _initials(name: str) -> str:
    return "".join(letter for letter in name if letter.isupper())


def shown(value: object, length: int = 200) -> str:
    """The `repr` of a value for a message, the start of a long one."""
    text = repr(value[: length + 1] if isinstance(value, str) else value)
    return text if len(text) <= length + 2 else f"{text[:length]}…{text[-1]}"


def check_integer(what: str, value: object) -> None:
    """Require an integer that fits in 62 bits, such as a number of rows."""
    number = _index(value)
    if number is None:
        raise UsageError(f"{what}: expected an integer, got {value!r}")
    if abs(number) >= 1 << 62:
        raise UsageError(f"{what}: expected an integer below 2^62, got {value!r}")


def check_seed(what: str, seed: object) -> None:
    """Require a random seed: an integer, 0 or more."""
    number = _index(seed)
    if number is None or number < 0:
        raise UsageError(f"{what}: seed={seed!r}; expected an integer, 0 or more")


def _index(value: Any) -> int | None:
    """The value as an integer; None for a boolean and anything else."""
    try:
        return None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return None


class InputError(StreamgaugeError, ValueError):
    """Raised for invalid data; the message names the place.

    Parameters
    ----------
    message
        What is wrong, where, and what is expected.
    row
        The first invalid row, if the rows before it are valid.

    Examples
    --------
    >>> import streamgauge as sg
    >>> try:
    ...     sg.from_arrays([[1.0], [float("inf")]], ["a", "b"])
    ... except sg.InputError as error:
    ...     print(error)
    row 1: feature 'x0' is infinite; expected a finite number, or NaN if the value is missing
    """

    def __init__(self, message: str, row: int | None = None) -> None:
        super().__init__(message)
        self.row = row


class DownloadError(StreamgaugeError, OSError):
    r"""Raised when a data set cannot be downloaded.

    Examples
    --------
    >>> from pathlib import Path
    >>> import streamgauge as sg
    >>> keys = ["name", "title", "about", "paper", "licence", "target"]
    >>> card = [f'{key} = "machine"' for key in keys] + ['features = ["heat"]']
    >>> _ = Path("machine.toml").write_text("\n".join(card))
    >>> try:
    ...     sg.load("machine.toml")  # the card names no source
    ... except sg.DownloadError as error:
    ...     print(*str(error).split("; "), sep="\n")
    machine: no download source is known
    put machine.csv.gz (columns heat, machine) into a folder and set STREAMGAUGE_DATA to that folder
    """


class MissingExtra(StreamgaugeError, ImportError):  # noqa: N818 - reads better than MissingExtraError
    """Raised when an optional package is needed but not installed.

    Parameters
    ----------
    package
        The package.
    extra
        The extra of streamgauge that installs it.

    Examples
    --------
    >>> import streamgauge as sg
    >>> print(sg.MissingExtra("PyTorch", "torch"))
    PyTorch is needed here but not installed: pip install 'streamgauge[torch]'
    """

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            f"{package} is needed here but not installed: pip install 'streamgauge[{extra}]'"
        )


class Interrupted(StreamgaugeError, KeyboardInterrupt):  # noqa: N818 - nothing is wrong
    r"""Raised for Ctrl-C during a run; the message says where the partial runs are.

    Examples
    --------
    >>> import streamgauge as sg
    >>> class Impatient:
    ...     def start(self, schema, seed):
    ...         pass
    ...     def predict(self, X):
    ...         raise KeyboardInterrupt
    ...     def learn(self, X, y, w):
    ...         pass
    >>> try:
    ...     sg.evaluate(sg.SEA(1000), Impatient())
    ... except KeyboardInterrupt as stopped:
    ...     print(*str(stopped).split("; "), sep="\n")
    interrupted after 0 rows
    the partial run is in the `runs` of this error
    """

    def __str__(self) -> str:
        message = super().__str__()
        if not self.runs:
            return message
        paths = [str(run.path) for run in self.runs if run.path is not None]
        saved = len(paths) == len(self.runs)
        where = f"saved to {' and '.join(paths)}" if saved else "in the `runs` of this error"
        are = "run is" if len(self.runs) == 1 else "runs are"
        return f"{message}; the partial {are} {where}"


class LearnerError(StreamgaugeError):
    r"""Raised when a learner raises an exception during a run; `__cause__` is that exception.

    Examples
    --------
    >>> import streamgauge as sg
    >>> class Broken:
    ...     def start(self, schema, seed):
    ...         pass
    ...     def predict(self, X):
    ...         raise ZeroDivisionError("no rows")
    ...     def learn(self, X, y, w):
    ...         pass
    >>> try:
    ...     sg.evaluate(sg.SEA(1000), Broken())
    ... except sg.LearnerError as error:
    ...     print(*str(error).split("; "), sep="\n")
    Broken failed at row 0 of SEA(1000, seed=1): ZeroDivisionError: no rows
    the 0 rows scored before are kept
    """
