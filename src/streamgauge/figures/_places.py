"""Places along a stream: numbers of rows, or times."""

from __future__ import annotations

from typing import Any, NamedTuple

from streamgauge.figures._style import altair


class PlaceKind(NamedTuple):
    """How to encode places."""

    code: str  # of Vega-Lite: Q or T
    axis: Any
    tooltip: dict[str, Any]
    base: dict[str, Any]  # of the scale

    def scale(self, domain: Any) -> Any:
        """A scale from end to end."""
        return altair().Scale(domain=domain, nice=False, **self.base)


def place_kind(times: bool) -> PlaceKind:
    """Times are milliseconds since 1970, in UTC; other places are numbers."""
    alt = altair()
    if times:
        shown = {"format": "%Y-%m-%d %H:%M", "formatType": "utc"}
        return PlaceKind("T", alt.Axis(labelOverlap=True, tickCount=6), shown, {"type": "utc"})
    return PlaceKind("Q", alt.Axis(format="~s"), {"format": ","}, {"zero": False})
