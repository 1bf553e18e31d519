"""Places along a stream: numbers of rows, or times."""

from __future__ import annotations

from typing import Any, NamedTuple

from streamgauge.figures._style import altair

_TIMES = {"hours": "%H:%M", "date": "%b %d", "day": "%b %d"}  # else 12-hour clock


class PlaceKind(NamedTuple):
    """How to encode places."""

    code: str  # of Vega-Lite: Q or T
    axis: Any
    tooltip: dict[str, Any]
    base: dict[str, Any]  # of the scale

    def scale(self, domain: Any) -> Any:
        """A scale from end to end; times find their ends themselves.

        Pages draw without compiling expressions, and Vega reads a single number as a year there.
        """
        ends = {} if self.code == "T" and isinstance(domain, list) else {"domain": domain}
        return altair().Scale(nice=False, **ends, **self.base)


def place_kind(times: bool) -> PlaceKind:
    """Times are milliseconds since 1970, in UTC; other places are numbers."""
    alt = altair()
    if times:
        axis = alt.Axis(labelOverlap=True, tickCount=6, format=_TIMES)
        return PlaceKind("T", axis, {"format": "%Y-%m-%d %H:%M"}, {"type": "utc"})
    return PlaceKind("Q", alt.Axis(format="~s"), {"format": ","}, {"zero": False})
