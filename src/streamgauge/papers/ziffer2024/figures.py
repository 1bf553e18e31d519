"""Figures 3, 4 and 5 of ziffer2024: their numbers as text and as charts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from streamgauge._support.types import Floats
from streamgauge.comparison.ranking import Ranking
from streamgauge.comparison.score_table import ScoreTable
from streamgauge.experiments.results import Results
from streamgauge.figures.metric_curve import Marks, metric_curve
from streamgauge.figures.sweep import sweep
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
_SWEEP = pa.schema(
    [(name, pa.string()) for name in ("panel", "series")]
    + [(name, pa.float64()) for name in ("x", "value", "spread")]
)
_NO_CURVE = pa.table({"series": pa.array([], pa.string()), "rows": [], "value": []})


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

    def plot(self) -> Any:
        """Draw one panel per learner, with curves for original and injected streams."""
        lines = []
        for (name, injected), means in self.means.items():
            series = f"injected, order {ORDER}" if injected else "original"
            both = zip(self.orders, means, self.half_widths[name, injected], strict=True)
            lines += [
                {"panel": name, "series": series, "x": float(order)}
                | {"value": _known(mean), "spread": _known(half)}
                for order, mean, half in both
            ]
        return sweep(
            pa.Table.from_pylist(lines, _SWEEP),
            "kappa (%)",
            "past labels",
            title="ziffer2024, figure 3: kappa against the number of past labels",
            caption=["Mean over all streams; bars: 95 % interval over the seeds."],
            same_scale=True,
        )


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


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


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

    def plot(self, drifts: Sequence[float]) -> Any:
        """Draw one panel per metric, and the drifts."""
        frames = [
            pa.table(
                {
                    "panel": [f"{metric} (%)"] * len(values),
                    "series": [name] * len(values),
                    "rows": self.rows,
                    "value": pa.array(values, mask=np.isnan(values)),
                }
            )
            for metric in ("kappa", "kappa_temporal")
            for name, values in getattr(self, metric).items()
        ]
        return metric_curve(
            pa.concat_tables(frames) if frames else _NO_CURVE,
            "%",
            title=f"ziffer2024, figure 4: {', '.join(map(str, FIG_4[:2]))}, injected; {_WINDOW}",
            marks=Marks([(position, position) for position in drifts]),
        )


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
