"""Figures 3, 4 and 5 of ziffer2024: their numbers, and drawings where matplotlib is installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq

from streamgauge._support.types import Floats
from streamgauge.comparison.ranking import Ranking, rank
from streamgauge.comparison.score_table import ScoreTable
from streamgauge.experiments.results import Results
from streamgauge.papers.ziffer2024 import printed
from streamgauge.papers.ziffer2024.plan import (
    FIG_4,
    ORDER,
    Profile,
    augmented,
    synthetic,
)
from streamgauge.papers.ziffer2024.scores import Scores, per_cent
from streamgauge.rendering.text_table import align

_WINDOW = "Window(1000)"


class Fig3(NamedTuple):
    """Mean kappa and half its 95 % interval by order, of (learner, injected)."""

    orders: tuple[int, ...]
    means: dict[tuple[str, bool], Floats]
    halves: dict[tuple[str, bool], Floats]

    def __str__(self) -> str:
        lines = [["labels given", *map(str, self.orders)]]
        for (name, injected), means in self.means.items():
            both = zip(means, self.halves[name, injected], strict=True)
            cells = [f"{a:.1f}" if np.isnan(b) else f"{a:.1f} ± {b:.1f}" for a, b in both]
            lines.append([f"{name}, {'injected' if injected else 'original'}", *cells])
        return align(lines)


def fig_3(results: Results, profile: Profile) -> Fig3:
    """Over all streams; the interval is of the mean of a run over them, as runs differ."""
    kappa: dict[tuple[str, str, int], float | None] = {}
    for line in results.lines:
        if line.facts is not None:
            key = (line.cell.stream, line.cell.learner, line.cell.seed)
            kappa[key] = line.facts.summary["Cumulative()"]["kappa"]
    means, halves = {}, {}
    for injected in (False, True):
        streams = [synthetic(*key) for key in profile.keys(injected, profile.drifts)]
        for name in profile.bases:
            points = []
            for order in profile.orders:
                label = augmented(name, order)
                of_runs = [
                    [per_cent(kappa.get((stream, label, seed))) for stream in streams]
                    for seed in range(1, profile.runs + 1)
                ]
                points.append(_mean_and_half(np.mean(of_runs, axis=1)))
            means[name, injected], halves[name, injected] = np.array(points).T
    return Fig3(profile.orders, means, halves)


def _mean_and_half(runs: Floats) -> tuple[float, float]:
    """Of runs without a hole; one alone has no interval."""
    whole = runs[~np.isnan(runs)]
    if not len(whole):
        return np.nan, np.nan
    half = 1.96 * whole.std(ddof=1) / np.sqrt(len(whole)) if len(whole) > 1 else np.nan
    return float(whole.mean()), float(half)


class Fig4(NamedTuple):
    """Kappa and kappa_temporal in per cent along the stream, of each learner."""

    rows: Floats
    kappa: dict[str, Floats]
    kappa_temporal: dict[str, Floats]

    def __str__(self) -> str:
        places = np.linspace(0, len(self.rows) - 1, 9).astype(int)[1:]
        lines = [["", *(f"row {int(self.rows[i]):,}" for i in places)]]
        for metric in ("kappa", "kappa_temporal"):
            for name, values in getattr(self, metric).items():
                lines.append([f"{name}, {metric}", *(f"{values[i]:.1f}" for i in places)])
        return align(lines)


def fig_4(scores: Scores, learners: Sequence[str]) -> Fig4:
    """Over the last 1000 rows; of the first seed."""
    stream = synthetic(*FIG_4)
    rows: Floats = np.empty(0)
    kappa, temporal = {}, {}
    for name in learners:
        for outcome in scores.of(stream, name)[:1]:
            curve = pq.read_table(outcome.path / "curve.parquet")
            curve = curve.filter(pc.equal(curve["forgetting"], _WINDOW))
            rows = curve["rows"].to_numpy().astype(np.float64)
            kappa[name] = 100 * curve["kappa"].to_numpy()
            temporal[name] = 100 * curve["kappa_temporal"].to_numpy()
    return Fig4(rows, kappa, temporal)


class Fig5(NamedTuple):
    """Rankings of the paper's five learners: ours, and of what the paper prints."""

    ours: Ranking | None
    paper: Ranking


def fig_5_synthetic(scores: Scores, profile: Profile) -> Fig5:
    """Over the streams of Table II."""
    keys = profile.keys(False) + profile.keys(True)
    theirs = np.array([printed.TABLE_II[key][:-1] for key in keys])
    return _fig_5(scores, [synthetic(*key) for key in keys], theirs)


def fig_5_real(scores: Scores, profile: Profile) -> Fig5:
    """Over those real streams that are here; the paper's over all six."""
    return _fig_5(scores, list(profile.real), np.array(list(printed.TABLE_III.values())))


def _fig_5(scores: Scores, streams: list[str], theirs: Floats) -> Fig5:
    table = scores.table(streams, printed.LEARNERS)
    ours = None
    if len(streams) > 1 and not np.isnan(table).any():
        ours = rank(ScoreTable(tuple(streams), printed.LEARNERS, table))
    names = tuple(f"stream {i + 1}" for i in range(len(theirs)))
    return Fig5(ours, rank(ScoreTable(names, printed.LEARNERS, theirs)))


def draw_fig_3(figure: Any, fig: Fig3) -> None:
    """A panel a learner, original and injected streams."""
    names = list(dict.fromkeys(name for name, _ in fig.means))
    panels = figure.subplots(1, len(names), sharey=True, squeeze=False)
    for panel, name in zip(panels[0], names, strict=True):
        for injected, colour in ((False, "#2c7fb8"), (True, "#d95f0e")):
            means, halves = fig.means[name, injected], fig.halves[name, injected]
            label = f"injected, order {ORDER}" if injected else "original"
            panel.plot(fig.orders, means, color=colour, marker="o", markersize=3, label=label)
            panel.fill_between(fig.orders, means - halves, means + halves, color=colour, alpha=0.2)
        panel.set(title=name, xlabel="past labels given", ylabel="kappa (%)")
        panel.legend()


def draw_fig_4(figure: Any, fig: Fig4, drifts: Sequence[int]) -> None:
    """A panel a metric; lines mark the drifts."""
    panels = figure.subplots(2, 1, sharex=True)
    for panel, metric in zip(panels, ("kappa", "kappa_temporal"), strict=True):
        curves: Mapping[str, Floats] = getattr(fig, metric)
        for name, values in curves.items():
            panel.plot(fig.rows, values, linewidth=1, label=name)
        for drift in drifts:
            panel.axvline(drift, color="red", linewidth=0.8)
        panel.set(ylabel=f"{metric} (%)")
    panels[0].set(ylim=(-20, 105))
    panels[1].set(ylim=(-120, 105), xlabel="rows")
    panels[0].legend(ncols=4, fontsize=7)


def save_figure(path: Path, draw: Any, *arguments: Any) -> Path | None:
    """A drawing as .svg, without a window; None where matplotlib is not installed."""
    try:
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ImportError:
        return None
    figure = Figure(figsize=(9, 5), layout="constrained")
    FigureCanvasSVG(figure)
    draw(figure, *arguments)
    figure.savefig(path)
    return path
