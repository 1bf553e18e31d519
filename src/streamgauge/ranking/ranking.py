"""`rank`: many learners over many streams, and the resulting ranking."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import UsageError
from streamgauge._support.printable import printable_lines, printed
from streamgauge._support.types import Floats
from streamgauge.figures.critical_difference import (
    critical_difference as critical_difference_diagram,
)
from streamgauge.ranking._answer import show_answer
from streamgauge.ranking._friedman import Friedman, ImanDavenport, friedman_test, iman_davenport
from streamgauge.ranking._outlets import ranking_html, ranking_latex
from streamgauge.ranking._ranks import critical_difference, groups_of, nemenyi_p, rank_rows
from streamgauge.ranking._text import (
    friedman_text,
    ranking_header,
    ranking_sentences,
    show_ranking,
)
from streamgauge.ranking._wilcoxon import (
    EquivalentPair,
    WilcoxonPair,
    equivalent_pairs,
    wilcoxon_pairs,
)
from streamgauge.ranking.score_table import ScoreTable
from streamgauge.rendering.frames import frame_of
from streamgauge.rendering.layout import wide
from streamgauge.rendering.plain_values import plain

FORMAT = "streamgauge.ranking/2"


@dataclass(frozen=True, repr=False)
class Ranking:
    """A ranking of learners over streams; print it for a report.

    Attributes
    ----------
    table
        The scores, streams × learners.
    lower_is_better
        Whether lower scores are better.
    alpha
        Significance level of all tests.
    dropped
        Streams left out, with the learners whose scores were missing.
    control
        The learner that the others are compared with, or None.
    equal_within
        Scores that differ by no more than this count as equal, or None.
    variant
        The label policy or change of the streams that the ranking is within; "" if there is one.
    metric
        What the scores are; "" if a table does not say it.

    References
    ----------
    demsar2006, friedman1937, iman1980, holm1979, benavoli2017 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> scores = {"A": [0.9, 0.8, 0.7, 0.8], "B": [0.8, 0.7, 0.6, 0.7], "C": [0.7, 0.8, 0.5, 0.6]}
    >>> ranking = sg.rank(scores)
    >>> print(f"{ranking.friedman.method} p = {ranking.friedman.p:.3f}")
    exact p = 0.074
    >>> ranking.groups
    (('A', 'B', 'C'),)
    """

    table: ScoreTable
    lower_is_better: bool = False
    alpha: float = 0.05
    dropped: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    control: str | None = None
    equal_within: float | None = None
    variant: str = ""
    metric: str = ""

    @property
    def learners(self) -> tuple[str, ...]:
        """The learners, in the order of the table."""
        return self.table.learners

    @cached_property
    def ranks(self) -> Floats:
        """The ranks, streams × learners; 1 is the best, tied scores share their mean rank."""
        return rank_rows(self.table.scores, self.lower_is_better)

    @property
    def average_ranks(self) -> dict[str, float]:
        """The average rank of each learner, the best first."""
        average = self.ranks.mean(axis=0)
        order = np.argsort(average, kind="stable")
        return {self.learners[i]: float(average[i]) for i in order}

    @cached_property
    def friedman(self) -> Friedman:
        """Friedman's test of whether all learners are equal: χ², p and how p was found.

        `method` is "exact", "permutations" (100,000 random ones) or "F distribution" (Iman and
        Davenport's), by the size of the table.
        """
        return friedman_test(self.ranks)

    @property
    def iman_davenport(self) -> ImanDavenport:
        """Iman and Davenport's F, a function of Friedman's χ²; the p-value is `friedman.p`."""
        return iman_davenport(self.friedman.chi2, *self.ranks.shape)

    @property
    def friedman_text(self) -> str:
        """Friedman's test in words: χ², F, and p with how it was found."""
        return friedman_text(self)

    @property
    def significant(self) -> bool:
        """Whether Friedman's test finds any difference; without it no pair is called different."""
        return self.friedman.p < self.alpha

    @cached_property
    def critical_difference(self) -> float:
        """Nemenyi's critical difference: average ranks farther apart differ significantly."""
        n, k = self.ranks.shape
        return critical_difference(n, k, self.alpha)

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The largest groups without a significant difference (Nemenyi), best first.

        All learners are one group if Friedman's test finds no difference.
        """
        apart = self.critical_difference if self.significant else np.inf
        found = groups_of(self.ranks.mean(axis=0), apart)
        return tuple(tuple(self.learners[i] for i in group) for group in found)

    @cached_property
    def nemenyi(self) -> dict[tuple[str, str], float]:
        """Nemenyi's p-value of every pair, in the order of the table."""
        n, k = self.ranks.shape
        average = self.ranks.mean(axis=0)
        pairs = list(itertools.combinations(range(k), 2))
        gaps = np.array([average[i] - average[j] for i, j in pairs])
        p = nemenyi_p(gaps, n, k).tolist()
        return {
            (self.learners[i], self.learners[j]): one for (i, j), one in zip(pairs, p, strict=True)
        }

    @cached_property
    def holm_wilcoxon(self) -> tuple[WilcoxonPair, ...]:
        """Wilcoxon's signed-rank test of every pair with Holm's correction.

        Exact up to 100 streams. Streams on which both have the same score are left out: `tied`.
        """
        pairs = list(itertools.combinations(range(len(self.learners)), 2))
        return wilcoxon_pairs(self.learners, self._worth(), pairs)

    @cached_property
    def against_control(self) -> tuple[WilcoxonPair, ...]:
        """Wilcoxon's test of every other learner (a) against the control (b).

        Holm's correction is over these comparisons alone, so they find more than those of all
        pairs.
        """
        if self.control is None:
            raise UsageError("against_control: no control; name one with rank(..., control=...)")
        return wilcoxon_pairs(self.learners, self._worth(), self._pairs())

    @cached_property
    def equivalence(self) -> tuple[EquivalentPair, ...]:
        """Which pairs are equal within ±`equal_within`, by tests and in probabilities.

        `p` is of two one-sided signed-rank tests, with Holm's correction in `p_holm`. `bayesian` is
        the posterior of the Bayesian signed-rank test: P(a better), P(equivalent), P(b better).
        With a control, only its pairs.
        """
        if self.equal_within is None:
            raise UsageError("equivalence: no margin; give one with rank(..., equal_within=0.01)")
        return equivalent_pairs(self.learners, self._worth(), self._pairs(), self.equal_within)

    def _pairs(self) -> list[tuple[int, int]]:
        """The pairs of interest: the control's, or all."""
        everyone = range(len(self.learners))
        if self.control is None:
            return list(itertools.combinations(everyone, 2))
        control = self.learners.index(self.control)
        return [(i, control) for i in everyone if i != control]

    def _worth(self) -> Floats:
        """The scores, turned so that higher is better."""
        if np.isnan(self.table.scores).any():
            raise UsageError(
                "Wilcoxon's test needs every score, but missing='worst' gives ranks only; use "
                "missing='drop' (--missing drop)"
            )
        return -self.table.scores if self.lower_is_better else self.table.scores

    def plot(self) -> Any:
        """Draw the critical-difference diagram: an Altair chart (docs/figures.md).

        A bar joins learners that do not differ significantly; the caption says what the tests say.
        """
        return critical_difference_diagram(
            self.average_ranks,
            self.critical_difference,
            self.groups,
            title=ranking_header(self),
            caption=ranking_sentences(self),
        )

    def frames(self) -> dict[str, pa.Table]:
        """Arrow tables: learners, ranks (a line per stream and learner), pairs.

        With a control also "control", with a margin also "equivalence".
        """
        names, streams = list(self.learners), list(self.table.streams)
        average = self.ranks.mean(axis=0)
        tested: list[WilcoxonPair | None] = [None] * len(self.nemenyi)
        if not np.isnan(self.table.scores).any():
            tested = list(self.holm_wilcoxon)
        frames = {
            "learners": pa.table({"learner": names, "average_rank": average}),
            "ranks": pa.table(
                {
                    "stream": [stream for stream in streams for _ in names],
                    "learner": names * len(streams),
                    "score": self.table.scores.ravel(),
                    "rank": self.ranks.ravel(),
                }
            ),
            "pairs": pa.table(
                {
                    "a": [a for a, _ in self.nemenyi],
                    "b": [b for _, b in self.nemenyi],
                    "nemenyi_p": list(self.nemenyi.values()),
                    "wilcoxon_p": pa.array([t and t.p for t in tested], pa.float64()),
                    "holm_wilcoxon_p": pa.array([t and t.p_holm for t in tested], pa.float64()),
                    "tied": pa.array([t and t.tied for t in tested], pa.int64()),
                }
            ),
        }
        if self.control is not None:
            lines = [pair._asdict() for pair in self.against_control]
            frames["control"] = pa.Table.from_pylist(lines)
        if self.equal_within is not None:
            frames["equivalence"] = pa.Table.from_pylist(
                [
                    {"a": e.a, "b": e.b, "margin": e.margin, "p": e.p, "p_holm": e.p_holm}
                    | {"p_a_better": e.bayesian.a, "p_equal": e.bayesian.equal}
                    | {"p_b_better": e.bayesian.b}
                    for e in self.equivalence
                ]
            )
        return frames

    def to_frame(self, what: str = "learners", kind: str | None = None) -> Any:
        """One of `frames` as "pandas", "polars" or "arrow"; default: the first one installed."""
        frames = self.frames()
        if what not in frames:
            raise UsageError(f"to_frame({what!r}): expected one of {', '.join(frames)}")
        return frame_of(frames[what], kind)

    def to_dict(self) -> dict[str, Any]:
        """The ranking as plain values, as `--json` writes it (docs/json.md)."""
        with wide(None):
            text = self.details
        frames, table = self.frames(), self.table
        values: dict[str, Any] = plain(
            {
                "format": FORMAT,
                "text": text,
                "variant": self.variant,
                "streams": list(table.streams),
                "dropped": {stream: list(names) for stream, names in self.dropped.items()},
                "learners": list(self.learners),
                "lower_is_better": self.lower_is_better,
                "scores": table.scores.tolist(),
                "sd": None if table.sd is None else table.sd.tolist(),
                "runs": None if table.runs is None else table.runs.tolist(),
                "ranks": self.ranks.tolist(),
                "average_ranks": self.average_ranks,
                "friedman": self.friedman._asdict(),
                "iman_davenport": self.iman_davenport._asdict(),
                "alpha": self.alpha,
                "significant": self.significant,
                "critical_difference": self.critical_difference,
                "groups": [list(group) for group in self.groups],
                "pairs": frames["pairs"].to_pylist(),
                "control": self.control,
                "equal_within": self.equal_within,
            }
        )
        for name in ("control", "equivalence"):
            if name in frames:
                key = "against_control" if name == "control" else name
                values[key] = plain(frames[name].to_pylist())
        return values

    def to_latex(self, *, caption: str | None = None, label: str = "tab:ranking") -> str:
        """The ranks as a LaTeX table (booktabs, siunitx); the caption is LaTeX, too."""
        return ranking_latex(self, caption, label)

    @property
    def details(self) -> str:
        """Everything there is to say of the ranking, as text; printing shows the answer only."""
        return printable_lines(show_ranking(self))

    @printed
    def __str__(self) -> str:
        return show_answer(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return ranking_html(self)
