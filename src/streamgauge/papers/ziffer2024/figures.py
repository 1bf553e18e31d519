"""Figures 3, 4 and 5 of ziffer2024: their numbers as text, and as panels to draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.comparison.ranking import Ranking
from streamgauge.comparison.score_table import ScoreTable
from streamgauge.experiments.results import Results
from streamgauge.figures.curves import Panel
from streamgauge.papers.ziffer2024 import printed
from streamgauge.papers.ziffer2024.plan import (
    FIG_4,
    ORDER,
    Profile,
    augmented,
    synthetic,
)
from streamgauge.papers.ziffer2024.scores import Scores, percent
from streamgauge.rendering.text_table import align
from streamgauge.runs.open import open_run

_WINDOW = "Window(1000)"


class Fig3(NamedTuple):
    """Mean kappa and half its 95 % interval by order, for (learner, injected)."""

    orders: tuple[int, ...]
    means: dict[tuple[str, bool], Floats]
    half_widths: dict[tuple[str, bool], Floats]

    def __str__(self) -> str:
        lines = [["past labels", *map(str, self.orders)]]
        for (name, injected), means in self.means.items():
            both = zip(means, self.half_widths[name, injected], strict=True)
            cells = [f"{a:.1f}" if np.isnan(b) else f"{a:.1f} ± {b:.1f}" for a, b in both]
            lines.append([f"{name}, {'injected' if injected else 'original'}", *cells])
        return align(lines)

    @property
    def panels(self) -> list[Panel]:
        """One panel per learner, with curves for original and injected streams."""
        labels = {"original": False, f"injected, order {ORDER}": True}
        return [
            Panel(
                np.array(self.orders, np.float64),
                {label: self.means[name, injected] for label, injected in labels.items()},
                {label: self.half_widths[name, injected] for label, injected in labels.items()},
                y_label="kappa (%)",
                title=name,
            )
            for name in dict.fromkeys(name for name, _ in self.means)
        ]


def fig_3(results: Results, profile: Profile) -> Fig3:
    """Average each seed over all streams; the interval is over the seeds."""
    kappa: dict[tuple[str, str, int], float | None] = {}
    for result in results.cell_results:
        if result.facts is not None:
            key = (result.cell.stream, result.cell.learner, result.cell.seed)
            kappa[key] = result.facts.summary["Cumulative()"]["kappa"]
    means, half_widths = {}, {}
    for injected in (False, True):
        streams = [synthetic(*key) for key in profile.keys(injected, profile.drifts)]
        for name in profile.bases:
            points = []
            for order in profile.orders:
                label = augmented(name, order)
                by_seed = [
                    [percent(kappa.get((stream, label, seed))) for stream in streams]
                    for seed in range(1, profile.runs + 1)
                ]
                points.append(_mean_and_half_width(np.mean(by_seed, axis=1)))
            means[name, injected], half_widths[name, injected] = np.array(points).T
    return Fig3(profile.orders, means, half_widths)


def _mean_and_half_width(values: Floats) -> tuple[float, float]:
    """Mean of the values that are not NaN, and half its 95 % interval; a single one has none."""
    known = values[~np.isnan(values)]
    if not len(known):
        return np.nan, np.nan
    half = 1.96 * known.std(ddof=1) / np.sqrt(len(known)) if len(known) > 1 else np.nan
    return float(known.mean()), float(half)


class Fig4(NamedTuple):
    """Kappa and kappa_temporal in percent along the stream, by learner."""

    rows: Floats
    kappa: dict[str, Floats]
    kappa_temporal: dict[str, Floats]

    def __str__(self) -> str:
        points = np.linspace(0, len(self.rows) - 1, 9).astype(int)[1:]
        lines = [["", *(f"row {int(self.rows[i]):,}" for i in points)]]
        for metric in ("kappa", "kappa_temporal"):
            for name, values in getattr(self, metric).items():
                lines.append([f"{name}, {metric}", *(f"{values[i]:.1f}" for i in points)])
        return align(lines)

    @property
    def panels(self) -> list[Panel]:
        """One panel per metric."""
        return [
            Panel(self.rows, self.kappa, y_label="kappa (%)", y_range=(-20, 105)),
            Panel(
                self.rows,
                self.kappa_temporal,
                y_label="kappa_temporal (%)",
                y_range=(-120, 105),
            ),
        ]


def fig_4(scores: Scores, learners: Sequence[str]) -> Fig4:
    """Read the curves over the last 1000 rows, of the first seed."""
    stream = synthetic(*FIG_4)
    rows: Floats = np.empty(0)
    kappa, temporal = {}, {}
    for name in learners:
        for outcome in scores.of(stream, name)[:1]:
            curve = open_run(outcome.path).curve
            rows = curve.rows.astype(np.float64)
            kappa[name] = 100 * curve["kappa", _WINDOW]
            temporal[name] = 100 * curve["kappa_temporal", _WINDOW]
    return Fig4(rows, kappa, temporal)


class Fig5(NamedTuple):
    """Rankings of the paper's five learners: by our scores, and by the printed ones."""

    ours: Ranking | None
    paper: Ranking


def fig_5_synthetic(scores: Scores, profile: Profile) -> Fig5:
    """Rank over the streams of Table II, originals and injected in one table, as the paper does."""
    keys = profile.keys(False) + profile.keys(True)
    paper = np.array([printed.TABLE_II[key][:-1] for key in keys])
    return _fig_5(scores, [synthetic(*key) for key in keys], paper)


def fig_5_real(scores: Scores, profile: Profile) -> Fig5:
    """Rank over the real streams that were run; the paper's ranking is over all six."""
    return _fig_5(scores, list(profile.real), np.array(list(printed.TABLE_III.values())))


def _fig_5(scores: Scores, streams: list[str], paper: Floats) -> Fig5:
    table = scores.table(streams, printed.LEARNERS)
    ours = None
    if len(streams) > 1 and not np.isnan(table).any():
        ours = Ranking(ScoreTable(tuple(streams), printed.LEARNERS, table))
    names = tuple(f"stream {i + 1}" for i in range(len(paper)))
    return Fig5(ours, Ranking(ScoreTable(names, printed.LEARNERS, paper)))
