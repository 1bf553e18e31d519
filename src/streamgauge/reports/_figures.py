"""Figures of a page, section by section."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from streamgauge._support.errors import MissingExtra, StreamgaugeError
from streamgauge._support.printable import printable
from streamgauge.detection.detect import detect
from streamgauge.reports._best import MOST_ROWS, best_first, compared
from streamgauge.reports.page_chart import PageChart, page_chart
from streamgauge.reports.report_data import NamedRun, ReportData
from streamgauge.runs.plot import plot
from streamgauge.runs.run import Run

_VALUES = 90_000  # of all curves of a page together
_MOST_POINTS, _FEWEST_POINTS = 500, 60  # of a series
_MOST_CONFUSIONS = 24
_MOST_STREAMS = 4  # with figures that need the predictions; each takes about a second


def curves(data: ReportData, metrics: tuple[str, ...]) -> Iterator[PageChart]:
    """The metrics along each stream, for all its learners and references."""
    points = _points(data, max(len(metrics), 1))
    for group in data.groups.values():
        named = _by_seeds(group, data)
        several = any(len(runs) > 1 for runs in named.values())
        for metric in metrics or (None,):
            title = f"{group[0].stream}: {metric or 'curve'}"
            packed = _packed(partial(plot, named, metric), title, points)
            yield _called(packed, group[0], data, every=several)


def _by_seeds(group: list[NamedRun], data: ReportData) -> dict[str, list[Run]]:
    """The runs of every seed by learner; of one seed if learners do not have the same draws."""
    same = [each for each in data.entries if each.group == group[0].group]
    found = {
        entry.learner: [each.run for each in same if each.learner == entry.learner]
        for entry in group
    }
    streams = {frozenset(run.stream.name for run in runs) for runs in found.values()}
    if len(streams) > 1:
        return {entry.learner: [entry.run] for entry in group}
    return found


def diagrams(data: ReportData, metric: str | None) -> Iterator[PageChart]:
    """Critical-difference diagrams of the learners over the streams."""
    for found in data.results:
        for variant, ranking in data.rankings_of(found, metric).items():
            yield _packed(ranking.plot, variant or "Average ranks")._replace(labels=variant)


def pairs(data: ReportData) -> Iterator[PageChart]:
    """The comparisons that were asked for, or the best two learners of each stream."""
    for pair in data.comparisons:
        yield _packed(pair.plot, f"{pair.names[0]} against {pair.names[1]}")
    for group in _shown_groups(data, lambda group: len(group) > 1):
        first, second = best_first(group)[:2]
        title = f"{first.stream}: {first.learner} against {second.learner}"
        yield _called(_packed(partial(_pair, first, second), title), first, data)


def _pair(first: NamedRun, second: NamedRun) -> Any:
    return compared(first, second).plot()


def bins(data: ReportData) -> Iterator[PageChart]:
    """Scores while labels are awaited, and in the order of arrival and of reveal."""
    for group in data.groups.values():
        again = {each.learner: each.run for each in group if each.run.settings.reevaluate}
        if again:
            name, run = next(iter(again.items()))
            others = {other: each for other, each in again.items() if other != name}
            title = f"{group[0].stream}: while labels are awaited"
            yield _called(_packed(partial(_wait_bins, run, others), title), group[0], data)
    for group in _shown_groups(data, lambda group: group[0].run.late_labels is not None):
        best = best_first(group)[0]
        title = f"{best.stream}: late labels, {best.learner}"
        yield _called(_packed(best.run.plot_late_labels, title), best, data)


def _wait_bins(run: Run, others: dict[str, Run]) -> Any:
    return run.bins.plot(others=others)


def drift(data: ReportData) -> Iterator[PageChart]:
    """The error of the best learner of each stream, and what the detectors make of it."""

    def has_detectors(group: list[NamedRun]) -> bool:
        return bool(data.detectors.get(group[0].experiment or ""))

    for group in _shown_groups(data, has_detectors, first=lambda each: bool(each[0].run.drifts)):
        best = best_first(group)[0]
        detectors = data.detectors[best.experiment or ""]
        title = f"{best.stream}: alarms over the errors of {best.learner}"
        yield _called(_packed(partial(_trace, best, detectors), title), best, data)


def _trace(entry: NamedRun, detectors: tuple[str, ...]) -> Any:
    return detect(entry.run, detectors, seed=entry.seed).plot()


def confusion(data: ReportData) -> Iterator[PageChart]:
    """What the best learner of each stream predicted each class as."""
    for group in list(data.groups.values())[:_MOST_CONFUSIONS]:
        best = best_first(group)[0]
        if best.run.confusion is not None:
            title = f"{best.stream}: what each class was predicted as"
            yield _called(_packed(partial(best.run.plot_confusion, 1), title), best, data)


def cost(data: ReportData, metric: str | None) -> Iterator[PageChart]:
    """Scores against the seconds and the memory of the learners."""
    for found in data.results:
        for price in ("seconds", "model_bytes") if len(found) else ():
            yield _packed(partial(found.plot, "cost", metric, cost=price), f"Score against {price}")


def _shown_groups(
    data: ReportData,
    wanted: Callable[[list[NamedRun]], bool],
    first: Callable[[list[NamedRun]], bool] = lambda _: False,
) -> list[list[NamedRun]]:
    """The first streams for which figures are wanted that need the predictions.

    `first`: which streams come before the others, such as those whose true drifts are known.
    """
    groups = [group for group in data.groups.values() if wanted(group)]
    groups.sort(key=lambda group: not first(group))
    return [group for group in groups if group[0].run.counts.rows <= MOST_ROWS][:_MOST_STREAMS]


def _called(
    packed: PageChart, entry: NamedRun, data: ReportData, *, every: bool = False
) -> PageChart:
    """The figure, whose title calls the stream as the tables do; it says of which runs it is."""
    title = packed.title.replace(printable(entry.run.stream.title), entry.stream, 1)
    seeds = data.seeds_of(entry)
    only = f" only; the tables show the mean over {seeds} seeds" if seeds > 1 else ""
    which = "every seed" if every else f"seed {entry.seed}{only}"
    caption = (*packed.caption, f"Labels {entry.labels}, {which}.")
    return packed._replace(title=title, caption=caption, labels=entry.labels, stream=entry.stream)


def _points(data: ReportData, metrics: int) -> int:
    """Points of a series, so that a page with many runs stays small."""
    series = sum(len(group) + len(group[0].run.references) for group in data.groups.values())
    return max(_FEWEST_POINTS, min(_MOST_POINTS, _VALUES // max(series * metrics, 1)))


def _packed(make: Callable[[], Any], title: str, points: int = _MOST_POINTS) -> PageChart:
    """A figure; without a chart, but with the reason, if these results have none."""
    try:
        return page_chart(make(), points)
    except MissingExtra:
        raise
    except StreamgaugeError as error:
        return PageChart(title, (f"No figure: {error}",), {}, {})
