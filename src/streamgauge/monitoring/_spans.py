"""Durations of a configuration in the unit of the times."""

from __future__ import annotations

from streamgauge._support.durations import duration
from streamgauge._support.errors import UsageError
from streamgauge._support.types import Clock
from streamgauge.monitoring.config import JoinRules, Span


def span(what: str, given: Span) -> int:
    """A duration of 0 or more: numbers unchanged, texts in nanoseconds."""
    return 0 if given == 0 else duration(what, given)


def check_clock(rules: JoinRules, clock: Clock) -> None:
    """Raise an error for a duration that does not fit the times."""
    for what in ("timeout", "lateness", "remember", "ahead"):
        given = getattr(rules, what)
        if given is None or given == 0:
            continue
        if isinstance(given, str) == (clock == "integers"):
            kind, wanted = (
                ("integers", "a number in their unit, e.g. 3600")
                if clock == "integers"
                else ("timestamps", "a text such as '36h' or '7d'")
            )
            raise UsageError(
                f"join: {what} = {given!r}, but the times are {kind}; expected {wanted}"
            )
