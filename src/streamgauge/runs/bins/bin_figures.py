"""Bins as figures: over the wait, along the stream, and what re-evaluation costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import UsageError, did_you_mean
from streamgauge._support.printable import printable
from streamgauge._support.types import Floats
from streamgauge.figures.bins_over_time import bins_over_time
from streamgauge.figures.effort import effort
from streamgauge.figures.wait_bins import wait_bins
from streamgauge.rendering.units import readable
from streamgauge.rendering.words import plural, unique_names

if TYPE_CHECKING:
    from streamgauge.measures.bins import BinTable
    from streamgauge.runs.bins.bins import Bins
    from streamgauge.runs.run import Run

_KINDS = ("wait", "time", "effort")
_POINTS = 1000  # of a line: more than a figure has pixels to show


def draw_bins(
    bins: Bins,
    what: str,
    metric: str | None,
    others: Iterable[Run] | Mapping[str, Run],
    references: bool,
    parts: int,
) -> Any:
    """The figure that `Bins.plot` returns."""
    if what not in _KINDS:
        close = did_you_mean(str(what), _KINDS)
        raise UsageError(f"plot({what!r}): unknown figure{close}; expected {', '.join(_KINDS)}")
    metric = metric or ("mae" if "mae" in bins.metrics else "accuracy")
    if what == "time":
        return _draw_time(bins, metric, parts)
    named = _named(bins, others)
    if what == "effort":
        return _draw_effort(named)
    return _draw_wait(bins, named, metric, references)


def _named(bins: Bins, others: Iterable[Run] | Mapping[str, Run]) -> dict[str, Bins]:
    """The bins to draw by name, those of this run first; all are of one stream."""
    runs = others.values() if isinstance(others, Mapping) else list(others)
    for run in runs:
        if not hasattr(run, "bins"):
            raise UsageError(f"others: expected runs, got {type(run).__name__}")
    found = [bins, *(run.bins for run in runs)]
    names = list(others) if isinstance(others, Mapping) else [each.name for each in found[1:]]
    streams = {each.stream: None for each in found}
    if len(streams) > 1:
        listed = ", ".join(map(printable, streams))
        raise UsageError(
            f"others: the runs are on different streams: {listed}; expected runs on one: draw a "
            "figure for each stream"
        )
    shown = unique_names([printable(str(name)) for name in (bins.name, *names)])
    return dict(zip(shown, found, strict=True))


def _draw_wait(bins: Bins, named: Mapping[str, Bins], metric: str, references: bool) -> Any:
    series: dict[str, BinTable] = dict(named)
    drawn = []
    if references:
        for name, table in bins.references.items():
            if metric in table.metrics and name not in series:
                series[name] = table
                drawn.append(name)
    most = max(table.bins for table in series.values())
    sizes = sorted({table.bins for table in named.values()})
    caption = [_gain(name, each, metric) for name, each in named.items()]
    caption.append(f"After {_labels(named)}; each labelled row counts once in every bin.")
    if len(sizes) > 1:
        caption.append(f"Runs with fewer than {most} bins are stretched to {most}.")
    return wait_bins(
        _wait_frame(series, metric, most),
        metric,
        title=f"{_prefix(bins)}{metric} while labels are awaited",
        final=most + 1,
        references=drawn,
        direction=bins.scales[metric].direction,
        percent=bins.scales[metric].unit == "fraction",
        caption=caption,
    )


def _wait_frame(series: Mapping[str, BinTable], metric: str, most: int) -> pa.Table:
    """A line per series and bin; bins are stretched to the largest number of them (b·N/B)."""
    names, places, columns = [], [], []
    for name, table in series.items():
        place = np.arange(len(table)) * most / max(1, table.bins)
        place[-1] = most + 1
        names += [name] * len(table)
        places.append(place)
        columns.append(np.column_stack([table[metric], table.band(metric)]))
    value, low, high = (_nulls(each) for each in np.concatenate(columns).T)
    return pa.table(
        {"series": names, "bin": np.concatenate(places), "value": value, "low": low, "high": high}
    )


def _nulls(values: Floats) -> pa.Array:
    """Arrow's null for what is undefined or infinite: neither has a place in a figure."""
    return pa.array(values, mask=~np.isfinite(values))


def _gain(name: str, bins: Bins, metric: str) -> str:
    values = bins[metric]  # an unknown metric is an error here
    first, final = (readable(bins.scales[metric].unit, float(values[b])) for b in (0, -1))
    return f"{name}: {first} in the first prediction, {final} in the final one."


def _labels(named: Mapping[str, Bins]) -> str:
    counts = sorted({each.rows for each in named.values()})
    if len(counts) == 1:
        return plural(counts[0], "label")
    return f"{counts[0]:,} to {counts[-1]:,} labels"


def _draw_time(bins: Bins, metric: str, parts: int) -> Any:
    frame = bins.over_time(metric, parts)
    stretches = len(frame) // len(bins)
    caption = [
        f"{printable(bins.name)}, in {plural(stretches, 'part')} of the stream. White: undefined."
    ]
    if bins.scales[metric].lower_is_better:
        caption.append("Lower is better.")
    return bins_over_time(
        frame,
        metric,
        title=f"{_prefix(bins)}{metric} by time and bin of the wait",
        percent=bins.scales[metric].unit == "fraction",
        caption=caption,
    )


def _draw_effort(named: Mapping[str, Bins]) -> Any:
    columns: dict[str, list[Any]] = {"series": [], "rows": [], "n_c": [], "n_b": []}
    for name, bins in named.items():
        along = bins.effort
        length = len(along.get("rows", ()))
        kept = np.unique(np.linspace(0, length - 1, min(length, _POINTS)).astype(np.int64))
        columns["series"] += [name] * len(kept)
        for field in ("rows", "n_c", "n_b"):
            columns[field] += along[field][kept].tolist() if length else []
    first = next(iter(named.values()))
    caption = [
        f"{name}: {bins.n_r:.1f} predictions more for each labelled row (N_R)."
        for name, bins in named.items()
    ]
    return effort(
        pa.table(columns), title=f"{_prefix(first)}predictions made again", caption=caption
    )


def _prefix(bins: Bins) -> str:
    return f"{printable(bins.stream)}: " if bins.stream else ""
