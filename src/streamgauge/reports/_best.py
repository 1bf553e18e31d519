"""The best runs on a stream, and their comparison."""

from __future__ import annotations

from collections.abc import Sequence

from streamgauge.comparison.compare import compare
from streamgauge.comparison.result import Comparison
from streamgauge.reports.report_data import NamedRun

MOST_ROWS = 2_000_000  # of a run whose predictions a page reads: more would take too long


def best_first(group: Sequence[NamedRun]) -> list[NamedRun]:
    """The runs of a stream by accuracy, or by absolute error."""

    def merit(entry: NamedRun) -> float:
        run = entry.run
        metric = "mae" if run.confusion is None else "accuracy"
        return run.scales[metric].merit(run.overall[metric])

    return sorted(group, key=merit, reverse=True)


def compared(first: NamedRun, second: NamedRun) -> Comparison:
    """Two runs on the same stream, row by row."""
    return compare(first.run, second.run, names=[first.learner, second.learner])
