"""Tables 1 and 2, ours beside the printed values, and what the paper does not show."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import groupby

import numpy as np

from streamgauge.papers.grzenda2019.plan import (
    LEARNERS,
    MOA_HAT,
    MOA_LEARNERS,
    SHOWN_BINS,
)
from streamgauge.papers.grzenda2019.scores import BinScores, at, best_by_bin
from streamgauge.papers.paper import PaperTable
from streamgauge.papers.printed import printed
from streamgauge.rendering.sheet import Sheet, SheetCell, words
from streamgauge.runs.run import Run

CLOSE = 0.02  # percentage points


def printed_value(table: str, data: str, b: int, learner: str) -> float:
    """A printed value; NaN if the table has none."""
    found = printed("grzenda2019")[table]
    column = "HAT" if learner == MOA_HAT else learner
    return float(found.value(f"{data} b={b}", column)) if column in found.columns else math.nan


def score_table(name: str, scores: Mapping[str, Mapping[str, BinScores]], lower: bool) -> Sheet:
    """Ours with the printed value in brackets; the best of each line is marked."""
    table = printed("grzenda2019")[name]
    columns = [*table.columns]
    if any(MOA_HAT in each for each in scores.values()):
        columns.insert(columns.index("HAT") + 1, MOA_HAT)
    groups = []
    for data, found in scores.items():
        lines = []
        for b in SHOWN_BINS:
            known = {learner: at(found, learner, b) for learner in columns}
            order = sorted((v for v in known.values() if not math.isnan(v)), reverse=not lower)
            best = order[0] if order else math.nan
            cells = [_cell(name, data, b, learner, found, best) for learner in columns]
            lines.append([words(data if b == 0 else ""), words(f"b = {b}"), *cells])
        groups.append(lines)
    notes = ["In brackets: printed.", f"Page {table.page} of the paper."]
    if lower:
        notes.append("±: standard deviation over the seeds, where there are several.")
    return Sheet(["", "", *columns], groups, notes, names=2)


def _cell(
    name: str, data: str, b: int, learner: str, found: Mapping[str, BinScores], best: float
) -> SheetCell:
    value, theirs = at(found, learner, b), printed_value(name, data, b, learner)
    if math.isnan(value):
        return SheetCell("–", extra=f" ({theirs:.2f})", number=False)
    sd = float(found[learner].sd[b])
    spread = "" if math.isnan(sd) or sd == 0 else f"{sd:.2f}"
    return SheetCell(f"{value:.2f}", spread, extra=f" ({theirs:.2f})", best=value == best)


class Agreement(dict[tuple[str, str], list[float]]):
    """Differences from Table 1 in percentage points, by data set and learner, for three bins."""

    def worst(self, learners: Sequence[str]) -> float:
        """The largest difference of these learners; NaN if none was run."""
        found = [abs(each) for key, values in self.items() if key[1] in learners for each in values]
        return max(found, default=math.nan)


def agreement(scores: Mapping[str, Mapping[str, BinScores]]) -> Agreement:
    """Ours minus printed, for what is not generated; rounded as printed."""
    found = Agreement()
    for data, by_learner in scores.items():
        if data == "Hyperplane":
            continue
        for learner in by_learner:
            found[data, learner] = [
                round(at(by_learner, learner, b), 2) - printed_value("table1", data, b, learner)
                for b in SHOWN_BINS
            ]
    return found


def agreement_table(found: Agreement) -> PaperTable:
    """How many of a learner's values are within 0.02 points of the printed ones."""
    lines = []
    for learner in (*LEARNERS, *MOA_LEARNERS):
        each = [d for (_, name), three in found.items() if name == learner for d in three]
        if each:
            near = sum(abs(d) < CLOSE + 1e-9 for d in each)
            lines.append(
                [
                    words(learner),
                    words(f"{near} of {len(each)}"),
                    SheetCell(f"{max(map(abs, each)):.2f}"),
                ]
            )
    sheet = Sheet(["", f"within {CLOSE} points", "largest difference"], [lines])
    return PaperTable(
        "Difference from Table 1, without Hyperplane, whose file is not available.", sheet
    )


def best_table(scores: Mapping[str, Mapping[str, BinScores]]) -> PaperTable:
    """Who is best in which bins."""
    lines = []
    for data, found in scores.items():
        if found:
            own = {name: each for name, each in found.items() if name in LEARNERS}
            lines.append([words(data), words(stretches(best_by_bin(own)))])
    return PaperTable("Best learner by bin of the wait.", Sheet(["", "bins"], [lines]))


def stretches(best: Sequence[str]) -> str:
    """Names with the bins in which each is best: "NB 0–39, kNN 40–51".

    >>> stretches(["NB", "NB", "kNN"])
    'NB 0–1, kNN 2'
    """
    parts, b = [], 0
    for name, group in groupby(best):
        length = len(list(group))
        parts.append(f"{name} {b}" + (f"–{b + length - 1}" if length > 1 else ""))
        b += length
    return ", ".join(parts)


def coverage_table(runs: Mapping[str, Run]) -> PaperTable:
    """Naive Bayes by the definition: what rises because rows are predicted at all."""
    lines = []
    for data, run in runs.items():
        coverage, accuracy = run.bins["coverage"], run.bins["accuracy"]
        of_made = np.divide(
            accuracy, coverage, out=np.full_like(accuracy, np.nan), where=coverage > 0
        )
        cells = [
            SheetCell(f"{100 * values[b]:.2f}")
            for values in (coverage, accuracy, of_made)
            for b in SHOWN_BINS
        ]
        lines.append([words(data), *cells])
    places = [f"b = {b}" for b in SHOWN_BINS]
    spans = [("", 1), ("coverage", 3), ("accuracy", 3), ("accuracy of predictions made", 3)]
    caption = (
        "Naive Bayes by the definition instead of the authors' program, in per cent: before the "
        "first label it abstains, where their program counts the first class. Hyperplane: one "
        "generated stream."
    )
    return PaperTable(caption, Sheet(["", *places * 3], [lines], spans=spans))
