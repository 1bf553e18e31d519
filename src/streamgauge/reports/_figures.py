"""Figures of a page, section by section."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from streamgauge._support.errors import MissingExtra, StreamgaugeError
from streamgauge.reports._pack import Packed, pack
from streamgauge.reports.material import Entry, Material
from streamgauge.runs.plot import plot

_VALUES = 90_000  # of all curves of a page together
_MOST_POINTS, _FEWEST_POINTS = 500, 60  # of a series


def curves(material: Material, metrics: tuple[str, ...]) -> Iterator[Packed]:
    """The metrics along each stream, for all its learners and references."""
    points = _points(material, max(len(metrics), 1))
    for group in material.groups.values():
        named = {entry.learner: entry.run for entry in group}
        for metric in metrics or (None,):
            title = f"{group[0].stream}: {metric or 'curve'}"
            yield _titled(_packed(partial(plot, named, metric), title, points), group)


def _titled(packed: Packed, group: list[Entry]) -> Packed:
    """The figure, called as the tables call its stream and labels."""
    first = group[0]
    title = packed.title.replace(first.run.stream.name, first.stream, 1)
    caption = packed.caption
    if len({entry.seed for entry in group}) == 1:
        caption += (f"Labels {first.labels}, seed {first.seed}.",)
    return packed._replace(title=title, caption=caption)


def _points(material: Material, metrics: int) -> int:
    """Points of a series, so that a page with many runs stays small."""
    series = sum(len(group) + len(group[0].run.references) for group in material.groups.values())
    return max(_FEWEST_POINTS, min(_MOST_POINTS, _VALUES // max(series * metrics, 1)))


def _packed(make: Callable[[], Any], title: str, points: int = _MOST_POINTS) -> Packed:
    """A figure; without a chart, but with the reason, if these results have none."""
    from altair.utils.schemapi import debug_mode

    try:
        with debug_mode(False):  # Altair would check every point against its schema, many times
            return pack(make(), points)
    except MissingExtra:
        raise
    except StreamgaugeError as error:
        return Packed(title, (f"No figure: {error}",), {}, {})
