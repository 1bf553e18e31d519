"""Names at the ends of lines, moved apart so that all can be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from streamgauge.figures._style import altair, inline

_STEP = 12  # pixels from one name to the next
_LONG = 24  # letters of a name
_GAP, _LINE = 3, 9  # pixels from the end of the line to the leader, and its length


def labels_height(count: int, height: int) -> int:
    """The height of a figure in which this many names fit below each other."""
    return max(height, _STEP * count)


def end_labels(
    ends: Mapping[str, float],
    domain: tuple[float, float],
    height: int,
    colours: Mapping[str, str],
    bold: frozenset[str] | None = None,
) -> list[Any]:
    """Layers with the name of each series at the right edge, beside its last value.

    Parameters
    ----------
    ends
        The last defined value of each series.
    domain
        The ends of the vertical axis, which is linear and has these ends exactly.
    height
        Of the figure, in pixels.
    colours
        The colour of each series.
    bold
        The series in bold type; all by default.
    """
    alt = altair()
    if not ends:
        return []
    low, high = domain
    at = {
        name: height * (1 - (min(max(value, low), high) - low) / ((high - low) or 1))
        for name, value in ends.items()
    }
    placed = spread_out(at, height)
    rows = [
        {
            "series": name,
            "from": at[name],
            "to": placed[name],
            "name": short_name(name),
        }
        for name in at
    ]
    data = inline(rows)
    scale = alt.Scale(domain=list(at), range=[colours[name] for name in at])
    ink = alt.Color("series:N", scale=scale, legend=None)

    def y(field: str) -> Any:
        return alt.Y(f"{field}:Q", scale=None, axis=None)

    def right(offset: int) -> Any:
        return alt.value(alt.expr(f"width + {offset}"))

    leaders = alt.Chart(data).mark_rule(strokeWidth=0.8, opacity=0.7)
    layers = [
        leaders.encode(
            x=right(_GAP), x2=right(_GAP + _LINE), y=y("from"), y2=alt.Y2("to:Q"), color=ink
        )
    ]
    for weight, chosen in (("bold", True), ("normal", False)):
        named = [row for row in rows if (bold is None or row["series"] in bold) is chosen]
        if named:
            text = alt.Chart(inline(named)).mark_text(
                align="left", baseline="middle", fontSize=11, fontWeight=weight, limit=200
            )
            layers.append(
                text.encode(x=right(_GAP + _LINE + 3), y=y("to"), text="name:N", color=ink)
            )
    return layers


def spread_out(places: Mapping[str, float], height: float) -> dict[str, float]:
    """The places from top to bottom, moved as little as needed to be a step apart."""
    order = sorted(places, key=lambda name: places[name])
    groups: list[list[float]] = []  # of each: the sum of the wanted tops, and how many there are
    for place, name in enumerate(order):
        groups.append([places[name] - _STEP * place, 1])
        while len(groups) > 1 and groups[-2][0] / groups[-2][1] > groups[-1][0] / groups[-1][1]:
            total, count = groups.pop()
            groups[-1] = [groups[-1][0] + total, groups[-1][1] + count]
    tops = [total / count for total, count in groups for _ in range(int(count))]
    room = max(height - _STEP * (len(order) - 1), 0)
    return {
        name: min(max(top, 0), room) + _STEP * place
        for place, (name, top) in enumerate(zip(order, tops, strict=True))
    }


def short_name(name: str) -> str:
    """A name that fits beside a line: the middle of a long one is left out.

    >>> short_name("TemporallyAugmented(HoeffdingTree(), order=2)")
    'TemporallyA…(), order=2)'
    """
    return name if len(name) <= _LONG else f"{name[: _LONG // 2 - 1]}…{name[-(_LONG // 2) :]}"
