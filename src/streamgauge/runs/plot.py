"""`plot`: a metric of runs along the stream, as a figure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from streamgauge._support.errors import UsageError
from streamgauge.rendering.words import unique_names
from streamgauge.runs._curve_figure import curve_figure
from streamgauge.runs._seed_curves import by_seeds
from streamgauge.runs.open_run import open_run
from streamgauge.runs.run import Run


def plot(
    runs: Run | str | Path | Iterable[Any] | Mapping[str, Any],
    metric: str | None = None,
    *,
    forget: Any = None,
    references: bool | Sequence[str] = True,
    alarms: Iterable[int] = (),
    zoom: bool = False,
    highlight: str | Sequence[str] = (),
) -> Any:
    """Draw a metric along the stream, of one run or of several on the same stream.

    Needs Altair: pip install 'streamgauge[plot]'. True drifts are red; where labels come late or
    never, a strip below shows of how many rows they are known.

    Parameters
    ----------
    runs
        A run, the directory of a saved run, several of them, or a dict by the names to show. Runs
        that differ in nothing but their seeds are drawn as their mean, in a band of one standard
        deviation; a dict of a name to several runs says which.
    metric
        The metric, or "kappas" for all kappas at one glance. Default: accuracy, or mae for
        regression.
    forget
        A forgetting that the runs have kept, or several, each drawn in a panel. Default: the first
        window or fading one.
    references
        Whether to draw the references, or the names of some. They have a curve of accuracy and
        error, and in regression a line at their value over the whole stream.
    alarms
        Rows of the stream at which to mark alarms, such as `detections.alarms["DDM()"]`.
    zoom
        Add the whole curve below the figure; drag over it to zoom.
    highlight
        Learners to draw in colour where there are more than six: else the best three are, and the
        others stay grey.

    Returns
    -------
    altair.Chart
        The chart. Change it as you like; `chart.save("x.pdf")` also writes .svg, .png and .html.

    Raises
    ------
    MissingExtra
        If Altair is not installed.
    UsageError
        If the runs are on different streams or have no such metric or forgetting.

    Examples
    --------
    >>> import streamgauge as sg
    >>> runs = sg.evaluate(sg.SEA(5000, seed=1), [sg.NaiveBayes(), sg.HoeffdingTree()])
    >>> chart = sg.plot(runs, metric="kappa_temporal")
    >>> print(chart.caption)
    NaiveBayes against Majority: better (94.4 %, 68.3 %).
    HoeffdingTree against Majority: better (95.7 %, 68.3 %).
    0: no better than repeating the last label.
    """
    return curve_figure(
        _named(runs),
        metric,
        forget=forget,
        references=references,
        alarms=alarms,
        zoom=zoom,
        highlight=highlight,
    )


def _named(runs: Any) -> dict[str, list[Run]]:
    """The runs by the names to show; several of one name are its seeds."""
    if isinstance(runs, Mapping):
        named = {str(name): list(_flat(run)) for name, run in runs.items()}
    else:
        several = by_seeds(list(_flat(runs)))
        names = unique_names(_names([group[0] for group in several]))
        named = dict(zip(names, several, strict=True))
    if not named:
        raise UsageError("runs: got none to plot; expected at least one run")
    return named


def _names(runs: Sequence[Run]) -> list[str]:
    """The names of the learners, with the settings that tell runs of one learner apart."""
    names = [run.title for run in runs]
    settings = [
        (f"labels {run.settings.labels}", f"seed {run.settings.seed}", run.settings.protocol or "")
        for run in runs
    ]
    differ = [len(set(each)) > 1 for each in zip(*settings, strict=True)]
    if len(set(names)) == len(names) or not any(differ):
        return names
    shown = [[text for text, told in zip(each, differ, strict=True) if told] for each in settings]
    return [", ".join([name, *map(str, added)]) for name, added in zip(names, shown, strict=True)]


def _flat(runs: Any) -> Iterable[Run]:
    """The runs, also in lists and in `Runs` inside lists."""
    if isinstance(runs, Run | str | Path) or not isinstance(runs, Iterable):
        yield _opened(runs)
    else:
        for each in runs:
            yield from _flat(each)


def _opened(run: Any) -> Run:
    if isinstance(run, str | Path):
        return open_run(run)
    if not isinstance(run, Run):
        raise UsageError(
            f"runs: got {type(run).__name__}; expected runs of sg.evaluate, or directories of "
            "saved runs"
        )
    return run
