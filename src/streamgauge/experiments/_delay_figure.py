"""Results under several delays as a figure: by how much learners are better than references."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import UsageError
from streamgauge._support.printable import printable
from streamgauge._support.selection import Where
from streamgauge.experiments._sweeps import numbers_in
from streamgauge.experiments.tables.cell_values import choose
from streamgauge.figures.delay_margin import FRAME, delay_margin
from streamgauge.measures.verdict import Against
from streamgauge.runs.facts import title_of

if TYPE_CHECKING:
    from streamgauge.experiments.results import Results

_CLEAR = ("better", "worse")
_POINTS = 100.0  # of a fraction
_IMMEDIATE = ("Immediate", "Immediate()")  # what a model knows is as under Delay(1)
_MOST_STREAMS = 6


def draw_delay(results: Results, where: Where | None) -> Any:
    """The figure that `Results.plot("delay")` returns."""
    found: dict[tuple[str, str, float], list[Against]] = {}
    regression = False
    for each in choose(results.cell_results, results.folder, where):
        delay = _delay(each.cell.labels)
        if each.run is None or delay is None or not each.run.verdict.against:
            continue
        regression = each.run.confusion is None
        key = (each.cell.stream, title_of(each.cell.learner, each.cell.model), delay)
        found.setdefault(key, []).append(each.run.verdict.against[0])
    if len({delay for *_, delay in found}) < 2:
        raise UsageError(
            "plot('delay'): expected runs with references under several delays, such as "
            'labels=["Immediate", "Delay(10)", "Delay(100)"]'
        )
    streams = list(dict.fromkeys(stream for stream, *_ in found))
    rows = [
        {"panel": stream, "series": name, "x": delay, **_margin(several, regression)}
        for (stream, name, delay), several in found.items()
        if stream in streams[:_MOST_STREAMS]
    ]
    what = "mae below that of the best reference" if regression else (
        "points of accuracy above the best reference"
    )  # fmt: skip
    caption = [_answer(found), "Hollow: the test is not clear."]
    if len(streams) > _MOST_STREAMS:
        caption.append(f"The first {_MOST_STREAMS} of {len(streams)} streams; others by where=.")
    seeds = max(map(len, found.values()))
    if seeds > 1:
        caption.append(f"Means over {seeds} seeds; filled where all seeds agree.")
    head = f"{printable(streams[0])}: what" if len(streams) == 1 else "What"
    table = pa.Table.from_pylist(rows, FRAME)
    least = 0.0 if regression else 1.0
    title = f"{head} the delay of labels changes"
    return delay_margin(
        table, what, "delay of the labels in rows", title=title, least=least, caption=caption
    )


def _delay(labels: str) -> float | None:
    """The n of Delay(n); 1 for labels at once."""
    if labels in _IMMEDIATE:
        return 1.0
    return next((each.value for each in numbers_in(labels) if each.name == "Delay"), None)


def _margin(several: Sequence[Against], regression: bool) -> dict[str, Any]:
    """By how much the learner scored better than its strongest reference, and whether clearly."""
    sign = -1.0 if regression else _POINTS
    gaps = [sign * (each.learner_score - each.reference_score) for each in several]
    mean = float(np.mean(gaps))
    words = {each.word for each in several}
    return {
        "value": mean if np.isfinite(mean) else None,
        "clear": len(words) == 1 and words <= set(_CLEAR),
    }


def _answer(found: dict[tuple[str, str, float], list[Against]]) -> str:
    """How many learners are clearly better at the shortest and at the longest delay."""
    delays = sorted({delay for *_, delay in found})
    counts, when = [], []
    for delay in (delays[0], delays[-1]):
        cells = [several for (*_, at), several in found.items() if at == delay]
        better = sum({each.word for each in several} == {"better"} for several in cells)
        counts.append(f"{better} of {len(cells)}")
        when.append("at once" if delay == 1 else f"{delay:,.0f} rows late")
    return (
        f"Clearly above every reference: {counts[0]} learners with labels {when[0]}, {counts[1]} "
        f"with labels {when[1]}."
    )
