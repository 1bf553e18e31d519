"""Figures 1, 3, 4 and 5 of ziffer2024."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from streamgauge._support.types import Floats
from streamgauge.figures.metric_curve import Marks, metric_curve
from streamgauge.figures.points import points
from streamgauge.figures.sweep import sweep
from streamgauge.papers.claim import PaperClaim
from streamgauge.papers.paper import PaperFigure, PaperSection, PaperTable
from streamgauge.papers.printed import printed
from streamgauge.papers.study import PaperStudy
from streamgauge.papers.ziffer2024.claims import judge_both
from streamgauge.papers.ziffer2024.figure_claims import (
    claims_of_figure1,
    claims_of_figure3,
    claims_of_figure4,
    claims_of_real_ranks,
    claims_of_synthetic_ranks,
)
from streamgauge.papers.ziffer2024.plan import (
    NO_CHANGE,
    ORDER,
    PAPERS,
    WINDOW,
    Ziffer2024Plan,
    augmented,
    run_figure3,
    run_figure4,
    run_table2,
    run_table3,
    synthetic,
)
from streamgauge.papers.ziffer2024.scores import SeedOutcomes, printed_scores, read_scores
from streamgauge.ranking.ranking import Ranking
from streamgauge.rendering.sheet import sheet_of
from streamgauge.runs.run import Run
from streamgauge.streams.generators.tenet import tenet_stream
from streamgauge.streams.transforms.inject import inject

_SWEEP = pa.schema(
    [(name, pa.string()) for name in ("panel", "series")]
    + [(name, pa.float64()) for name in ("x", "value", "spread")]
)
_CONCEPTS = 4  # of Sine1
_ROWS = 100_000  # of Figure 1
_POINTS = 120  # drawn in each panel of Figure 1
_FULL_WINDOW = 1000  # rows of WINDOW, before which Figure 4 has too few
_METRICS = ("kappa", "kappa_temporal")


class Orders(NamedTuple):
    """Kappa of a learner by number of past labels: orders × (streams and seeds)."""

    orders: tuple[int, ...]
    kappa: Floats

    @property
    def means(self) -> Floats:
        """Means over the streams and seeds."""
        return np.asarray(self.kappa.mean(axis=1))

    @property
    def half_widths(self) -> Floats:
        """Half the 95 % intervals of the means."""
        n = self.kappa.shape[1]
        return np.asarray(1.96 * self.kappa.std(axis=1, ddof=min(1, n - 1)) / np.sqrt(n))

    def gain(self, start: int, end: int) -> tuple[float, float]:
        """The mean gain from one order to another, and half its 95 % interval."""
        first, last = (self.kappa[self.orders.index(order)] for order in (start, end))
        gains = Orders((end,), (last - first)[None])
        return float(gains.means[0]), float(gains.half_widths[0])


def figure1(study: PaperStudy, profile: Ziffer2024Plan) -> PaperSection:
    """Figure 1: the concepts of Sine1 with temporal injection, by the label before."""
    stream = inject(tenet_stream("Sine1", rows=_ROWS), ORDER)
    block = next(stream.blocks(_ROWS))
    rows = np.arange(1, _ROWS)
    above = block.X[rows, 0] > np.sin(block.X[rows, 1])
    concept, before = rows * _CONCEPTS // _ROWS, block.y[rows - 1]
    shares, lines = {}, []
    for label in (0, 1):
        for c in range(_CONCEPTS):
            own = rows[(concept == c) & (before == label)]
            shares[c, label] = [float(block.y[own[above[own - 1] == up]].mean()) for up in (1, 0)]
            name = f"concept {c + 1}, label before {label}"
            lines += [
                {"panel": name, "series": f"class {block.y[i]}", "x": x, "y": y}
                for i in own[:_POINTS]
                for x, y in [block.X[i].tolist()]
            ]
    header = ["", "x1 > sin(x2)", "x1 < sin(x2)"]
    cells = [
        [f"concept {c + 1}, label before {label}", *(f"{each:.2f}" for each in share)]
        for (c, label), share in shares.items()
    ]
    return PaperSection(
        [PaperTable("Share of class 1 on each side of the curve.", sheet_of([header, *cells]))],
        [
            PaperFigure(
                "figure1",
                lambda: points(
                    pa.Table.from_pylist(lines),
                    "x1",
                    "x2",
                    title="ziffer2024, figure 1: the concepts of Sine1, injected",
                    caption=[f"The first {_POINTS} rows of each, by the label before."],
                ),
            )
        ],
        claims_of_figure1(shares),
    )


Sweeps = Mapping[tuple[str, bool], Orders]  # by learner, and whether injected


def figure3(study: PaperStudy, profile: Ziffer2024Plan) -> PaperSection:
    """Figure 3: kappa against the number of past labels."""
    sweeps = _sweeps(read_scores([run_figure3(study, profile)]), profile)
    lines = [["past labels", *map(str, profile.orders)]]
    for (name, injected), found in sweeps.items():
        both = zip(found.means, found.half_widths, strict=True)
        cells = [f"{mean:.1f} ± {half:.1f}" for mean, half in both]
        lines.append([f"{name}, {_kind(injected)}", *cells])
    caption = (
        "Kappa in percent; ±: the 95 % interval of the mean over all streams and seeds. The paper "
        "prints no numbers."
    )
    return PaperSection(
        [PaperTable(caption, sheet_of(lines))],
        [PaperFigure("figure3", lambda: _draw_sweeps(sweeps))],
        claims_of_figure3(sweeps),
    )


def _sweeps(scores: SeedOutcomes, profile: Ziffer2024Plan) -> Sweeps:
    found = {}
    for injected in (False, True):
        streams = profile.table2(injected, profile.drifts)
        for name in ("HAT", "ARF"):
            kappa = [
                [k for stream in streams for k in scores.values(stream, augmented(name, order))]
                for order in profile.orders
            ]
            complete = len({*map(len, kappa)} | {len(streams) * profile.runs}) == 1
            if complete:
                found[name, injected] = Orders(profile.orders, np.array(kappa))
    return found


def _kind(injected: bool) -> str:
    return f"injected, order {ORDER}" if injected else "original"


def _draw_sweeps(sweeps: Sweeps) -> Any:
    """One panel per learner, with curves for original and injected streams."""
    lines = [
        {"panel": name, "series": _kind(injected), "x": float(order), "value": mean, "spread": half}
        for (name, injected), found in sweeps.items()
        for order, mean, half in zip(found.orders, found.means, found.half_widths, strict=True)
    ]
    return sweep(
        pa.Table.from_pylist(lines, _SWEEP),
        "kappa (%)",
        "past labels",
        title="ziffer2024, figure 3: kappa against the number of past labels",
        caption=["Bands: the 95 % interval of the mean over all streams and seeds."],
        same_scale=True,
        bands=True,
    )


def figure4(study: PaperStudy, profile: Ziffer2024Plan) -> PaperSection:
    """Figure 4: kappa and kappa-temporal along STAGGER with abrupt drifts, injected."""
    results = run_figure4(study, profile)
    runs = {
        each.cell.learner: each.run
        for each in results.cell_results
        if each.run is not None and each.cell.learner in (*PAPERS, NO_CHANGE)
    }
    drifts = [
        each.position for each in tenet_stream("STAGGER", rows=profile.rows or 100_000).drifts
    ]
    scores = read_scores([results])
    return PaperSection(
        [PaperTable(f"Along the stream, in percent; {WINDOW}.", sheet_of(_curve_lines(runs)))],
        [PaperFigure("figure4", lambda: _draw_curves(runs, drifts))],
        claims_of_figure4(scores, synthetic("STAGGER", "abrupt", True)),
    )


def _curve_lines(runs: Mapping[str, Run]) -> list[list[str]]:
    rows = next(iter(runs.values())).curve.rows
    points = np.linspace(0, len(rows) - 1, 9).astype(int)[1:]
    lines = [["", *(f"row {int(rows[i]):,}" for i in points)]]
    for metric in _METRICS:
        for name, run in runs.items():
            values = 100 * run.curve[metric, WINDOW]
            lines.append([f"{name}, {metric}", *(f"{values[i]:.1f}" for i in points)])
    return lines


def _draw_curves(runs: Mapping[str, Run], drifts: Sequence[float]) -> Any:
    """One panel per metric, the learners of the paper, and the drifts."""
    frames = []
    for metric in _METRICS:
        for name in PAPERS:
            if name in runs:
                curve = runs[name].curve
                full = curve.rows >= _FULL_WINDOW
                values = 100 * curve[metric, WINDOW][full]
                columns = {
                    "panel": [f"{metric} (%)"] * len(values),
                    "series": [name] * len(values),
                    "rows": curve.rows[full].astype(np.float64),
                    "value": pa.array(values, mask=np.isnan(values)),
                }
                frames.append(pa.table(columns))
    return metric_curve(
        pa.concat_tables(frames),
        "%",
        title=f"ziffer2024, figure 4: STAGGER, abrupt, injected; {WINDOW}",
        caption=["From where the window is full."],
        marks=Marks([(position, position) for position in drifts]),
    )


def figure5(study: PaperStudy, profile: Ziffer2024Plan) -> PaperSection:
    """Figure 5: the average ranks of the five learners, and Nemenyi's test."""
    section = PaperSection(
        notes=[
            "Figure 5a ranks as the paper does, originals and injected streams in one table. Such "
            "rows are not independent, so differences look clearer than they are; `streamgauge "
            "rank` ranks them apart."
        ]
    )
    real = read_scores(run_table3(study, profile))
    run = [name for name in profile.real if real.values(name, "HAT")]
    both = profile.table2(False) + profile.table2(True)
    synthetic_ranks = read_scores(run_table2(study, profile)).ranking(both, PAPERS)
    real_ranks = real.ranking(run, PAPERS) if len(run) > 1 else None
    claims_a, claims_b = claims_of_synthetic_ranks, claims_of_real_ranks
    _add_ranks(section, "a, synthetic streams", synthetic_ranks, "table2", claims_a)
    _add_ranks(section, "b, real streams", real_ranks, "table3", claims_b)
    return section


def _add_ranks(
    section: PaperSection,
    what: str,
    ours: Ranking | None,
    table: str,
    judged: Callable[[Ranking | None], list[PaperClaim]],
) -> None:
    paper = printed("ziffer2024")[table]
    theirs = printed_scores(paper).ranking(list(paper.rows), PAPERS)
    lines = [["", *PAPERS, "critical difference", "streams"]]
    for whose, each in (("ours", ours), ("printed", theirs)):
        if each is not None:
            ranks = [f"{each.average_ranks[name]:.2f}" for name in PAPERS]
            count = str(len(each.table.streams))
            lines.append([whose, *ranks, f"{each.critical_difference:.2f}", count])
    section.tables.append(PaperTable(f"Figure 5{what}: average ranks.", sheet_of(lines)))
    if ours is not None:
        section.figures.append(PaperFigure(f"figure5{what[0]}", ours.plot))
    section.claims += judge_both(judged, ours, theirs)
