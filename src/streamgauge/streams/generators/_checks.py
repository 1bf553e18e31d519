"""Checks of generator parameters."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real

from streamgauge._support.errors import UsageError

MOST_COLUMNS = 10_000  # features, classes or nominal values of a row
MOST_CENTROIDS = 100_000


def check_choice(where: str, name: str, value: int, choices: Sequence[int]) -> None:
    """Require one of a few integers."""
    if not _integer(value) or value not in choices:
        *first, last = map(str, choices)
        raise UsageError(f"{where}({name}={value!r}): expected {', '.join(first)} or {last}")


def check_count(where: str, name: str, value: int, least: int, most: int | None = None) -> None:
    """Require an integer within limits."""
    if not _integer(value) or value < least or (most is not None and value > most):
        limits = f"at least {least}" if most is None else f"{least} to {most}"
        raise UsageError(f"{where}({name}={value!r}): expected an integer, {limits}")


def check_at_most(where: str, name: str, value: int, most: int) -> None:
    """Require no more than fit into memory."""
    if value > most:
        raise UsageError(f"{where}({name}={value!r}): expected at most {most:,}")


def check_size(where: str, name: str, value: float) -> None:
    """Require a finite number, 0 or more."""
    if not isinstance(value, Real) or not 0 <= float(value) < float("inf"):
        raise UsageError(f"{where}({name}={value!r}): expected a number, at least 0")


def check_fraction(where: str, name: str, value: float, what: str = "a probability") -> None:
    """Require a number from 0 to 1."""
    if not isinstance(value, Real) or not 0 <= float(value) <= 1:
        raise UsageError(f"{where}({name}={value!r}): expected {what}, 0 <= {name} <= 1")


def check_flag(where: str, name: str, value: bool) -> None:
    """Require True or False."""
    if not isinstance(value, bool):
        raise UsageError(f"{where}({name}={value!r}): expected True or False")


def check_compat(where: str, compat: str | None, known: Sequence[str]) -> None:
    """Require a peer whose rows the generator can make, or None."""
    if compat is not None and compat not in known:
        choices = " or ".join(map(repr, (None, *known)))
        raise UsageError(f"{where}(compat={compat!r}): expected {choices}")


def whole_percentage(where: str, name: str, value: float) -> int:
    """The percentage of a probability; MOA's probabilities are whole percentages."""
    percentage = round(100 * value)
    if abs(100 * value - percentage) > 1e-9:
        raise UsageError(
            f"{where}({name}={value!r}): expected a multiple of 0.01 with compat='moa', since MOA "
            "takes whole percentages"
        )
    return percentage


def _integer(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)
