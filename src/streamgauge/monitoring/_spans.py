"""Durations of a configuration in the unit of the times."""

from __future__ import annotations

from streamgauge._support.durations import duration
from streamgauge._support.errors import UsageError
from streamgauge.monitoring.config import JoinRules, Span


def span(what: str, given: Span) -> int:
    """A duration of 0 or more: numbers unchanged, texts in nanoseconds."""
    return 0 if given == 0 else duration(what, given)


def unit_rule(rules: JoinRules) -> tuple[str, Span] | None:
    """The first duration, by which times are integers or timestamps; None if all are 0.

    Raises an error if another one does not fit it.
    """
    found: tuple[str, Span] | None = None
    for what in ("timeout", "lateness", "remember", "ahead"):
        given = getattr(rules, what)
        if given is None or given == 0:
            continue
        found = found or (what, given)
        if isinstance(given, str) != isinstance(found[1], str):
            raise UsageError(
                f"join: {found[0]} = {found[1]!r}, but {what} = {given!r}; expected texts such as "
                "'36h' for timestamps, or numbers for integer times, in both"
            )
    return found
