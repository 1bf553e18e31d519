"""Parameters of generators: what was given, what is expected."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real

from streamgauge._support.errors import UsageError


def check_choice(where: str, name: str, value: int, choices: Sequence[int]) -> None:
    """One of a few whole numbers."""
    if not _whole(value) or value not in choices:
        *first, last = map(str, choices)
        raise UsageError(f"{where}({name}={value!r}): it is {', '.join(first)} or {last}")


def check_count(where: str, name: str, value: int, least: int, most: int | None = None) -> None:
    """A whole number, neither too small nor too large."""
    if not _whole(value) or value < least or (most is not None and value > most):
        limits = f"at least {least}" if most is None else f"{least} to {most}"
        raise UsageError(f"{where}({name}={value!r}): a whole number, {limits}")


def check_size(where: str, name: str, value: float) -> None:
    """A finite number that is not negative."""
    if not isinstance(value, Real) or not 0 <= float(value) < float("inf"):
        raise UsageError(f"{where}({name}={value!r}): a number, at least 0")


def check_share(where: str, name: str, value: float, what: str = "a probability") -> None:
    """A number from 0 to 1."""
    if not isinstance(value, Real) or not 0 <= float(value) <= 1:
        raise UsageError(f"{where}({name}={value!r}): {what}, 0 <= {name} <= 1")


def _whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)
