"""Cells of classifiers whose scores are over all rows and over the last 1000."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from streamgauge.experiments.grid import Grid
from streamgauge.experiments.results import Results
from streamgauge.papers.study import PaperStudy

Entry = Mapping[str, Any]  # of a stream, as in a grid
WINDOW = "Window(1000)"


def run_cells(
    study: PaperStudy,
    name: str,
    streams: Sequence[Entry],
    learners: Mapping[str, str],
    seeds: int = 1,
) -> list[Results]:
    """The results of an experiment; none without a stream."""
    if not streams:
        return []
    grid = Grid(
        [dict(each) for each in streams],
        dict(learners),
        name=name,
        seeds=seeds,
        forget=["Cumulative()", WINDOW],
        predictions=False,  # hundreds of megabytes, which no figure needs
    )
    return [study.run(grid)]


def shuffled_entry(entry: Entry, how: str = "shuffled") -> dict[str, Any]:
    """The entry of a stream shuffled by the seed of the cell.

    >>> shuffled_entry({"load": "elec2", "variant": "papers"})
    {'generate': "shuffled(load('elec2', variant='papers'))"}
    """
    text = entry.get("generate")
    if text is None:
        variant = f", variant={entry['variant']!r}" if "variant" in entry else ""
        text = f"load({entry['load']!r}{variant})"
    kept = {key: entry[key] for key in ("rows", "name") if key in entry}
    return {"generate": f"{how}({text})", **kept}
