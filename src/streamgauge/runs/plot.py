"""`plot`: a metric of runs along the stream, as a figure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Floats
from streamgauge.figures.metric_curve import metric_curve
from streamgauge.measures.verdict import score_text

if TYPE_CHECKING:
    from streamgauge.measures.curves import Curve
    from streamgauge.runs.run import Run


def plot(
    runs: Run | Iterable[Run] | Mapping[str, Run],
    metric: str | None = None,
    *,
    forget: Any = None,
    references: bool = True,
    alarms: Iterable[int] = (),
    zoom: bool = False,
) -> Any:
    """Draw a metric along the stream, of one run or of several on the same stream.

    Needs Altair: pip install 'streamgauge[plot]'.

    Parameters
    ----------
    runs
        A run, several, or a dict of runs by the names to show.
    metric
        The metric; by default accuracy, or mae for regression.
    forget
        The forgetting, one that the runs have kept; by default the first window or fading one.
    references
        Whether to draw the references, where the runs have their metric (accuracy).
    alarms
        Rows of alarms to mark, such as those of a detector.
    zoom
        Add the whole curve below the figure; drag over it to zoom.

    Returns
    -------
    altair.Chart
        The chart: change it as you like; `.save("x.pdf")` also writes .svg, .png and .html.

    Examples
    --------
    >>> import streamgauge as sg
    >>> runs = sg.evaluate(sg.SEA(5000, seed=1), [sg.NaiveBayes(), sg.HoeffdingTree()])
    >>> chart = sg.plot(runs, metric="kappa_temporal")
    >>> points = chart.to_dict()["data"]["values"]
    >>> sorted({point["series"] for point in points})
    ['HoeffdingTree', 'NaiveBayes']
    """
    named = _named(runs)
    first = next(iter(named.values()))
    streams = {run.stream.name for run in named.values()}
    if len(streams) > 1:
        raise UsageError(
            f"the runs are on different streams: {', '.join(sorted(streams))}; expected runs on "
            "one: draw a figure for each stream"
        )
    metric = metric or ("mae" if first.confusion is None else "accuracy")
    kept = _forgetting(first.curve, forget)
    series = {name: (run.curve.rows, run.curve[metric, kept]) for name, run in named.items()}
    drawn = []
    if references:
        for reference in first.references:
            column = f"{metric}_{reference.lower()}"
            if column in first.curve.metrics:
                series[reference] = (first.curve.rows, first.curve[column, kept])
                drawn.append(reference)
    return metric_curve(
        _frame(series),
        metric,
        title=f"{first.stream.name}: {metric}, {kept}",
        references=drawn,
        drifts=[drift.position for drift in first.drifts],
        alarms=list(alarms),
        caption=_caption(named),
        zoom=zoom,
    )


def _named(runs: Run | Iterable[Run] | Mapping[str, Run]) -> dict[str, Run]:
    if isinstance(runs, Mapping):
        named = dict(runs)
    else:
        several = [runs] if hasattr(runs, "curve") else list(runs)
        named = {}
        for run in several:
            name, number = run.name, 2
            while name in named:
                name, number = f"{run.name} ({number})", number + 1
            named[name] = run
    if not named:
        raise UsageError("no runs to plot; expected at least one")
    return named


def _forgetting(curve: Curve, wanted: Any) -> str:
    """The forgetting to draw: what is asked, or the first that forgets."""
    if wanted is not None:
        return wanted if isinstance(wanted, str) else repr(wanted)
    return next(
        (each for each in curve.forgettings if each != "Cumulative()"), curve.forgettings[0]
    )


def _frame(series: Mapping[str, tuple[Any, Floats]]) -> pa.Table:
    rows = np.concatenate([rows for rows, _ in series.values()])
    values = np.concatenate([values for _, values in series.values()])
    names = [name for name, (rows, _) in series.items() for _ in range(len(rows))]
    value = pa.array(values, mask=np.isnan(values))
    return pa.table({"series": pa.array(names, pa.string()), "rows": rows, "value": value})


def _caption(named: Mapping[str, Run]) -> list[str]:
    """What the verdict says against the strongest reference, a line per learner."""
    if len(named) == 1:
        return [str(run.verdict).split("\n", 1)[0] for run in named.values()]
    lines = []
    for name, run in named.items():
        best = run.verdict.against[0]
        own, other = (
            score_text(s, run.confusion is None) for s in (best.learner_score, best.reference_score)
        )
        lines.append(f"{name} against {best.reference}: {best.word} ({own}, {other})")
    return lines
