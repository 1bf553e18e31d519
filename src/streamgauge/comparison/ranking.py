"""`rank`: many learners over many streams, and the resulting ranking."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import Floats
from streamgauge.comparison._rank_text import show_ranking
from streamgauge.comparison._ranks import (
    Friedman,
    ImanDavenport,
    WilcoxonPair,
    critical_difference,
    friedman_test,
    groups_of,
    iman_davenport_test,
    nemenyi_p,
    rank_rows,
    wilcoxon_pairs,
)
from streamgauge.comparison.score_table import LOWER_IS_BETTER, ScoreTable, score_table
from streamgauge.figures.critical_difference import Diagram, draw
from streamgauge.rendering.frames import frame_of
from streamgauge.rendering.plain_values import plain

FORMAT = "streamgauge.ranking/1"
Missing = Literal["error", "drop", "worst"]


def rank(
    scores: Any,
    *,
    metric: str = "kappa",
    names: Sequence[str] | None = None,
    lower_is_better: bool | None = None,
    missing: Missing = "error",
    alpha: float = 0.05,
) -> Ranking:
    """Rank learners over many streams and test which of them differ.

    Parameters
    ----------
    scores
        One run per learner and stream, or a table of streams × learners: a pandas or polars frame,
        a dict of columns, or an array with `names` for its columns.
    metric
        The metric to rank runs by, over all scored rows.
    names
        Names of the learners, for an array.
    lower_is_better
        Whether lower scores are better. Default: True for metrics that are losses.
    missing
        What to do with NaN scores and with failed or absent runs: "error" raises, "drop" leaves
        their streams out, "worst" ranks them last.
    alpha
        Significance level of the Nemenyi test and the groups.

    Returns
    -------
    Ranking
        Average ranks, tests and groups; print it for a report.

    Raises
    ------
    InputError
        If a score is missing and `missing` is "error".

    References
    ----------
    demsar2006, iman1980, holm1979 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> scores = {"A": [0.9, 0.8, 0.7, 0.8], "B": [0.8, 0.7, 0.6, 0.7], "C": [0.7, 0.8, 0.5, 0.6]}
    >>> ranking = sg.rank(scores)
    >>> ranking.average_ranks
    {'A': 1.125, 'B': 2.25, 'C': 2.625}
    >>> round(ranking.critical_difference, 3)
    1.657
    """
    if missing not in ("error", "drop", "worst"):
        raise UsageError(f"missing={missing!r}: expected 'error', 'drop' or 'worst'")
    if not 0 < alpha < 0.5:
        raise UsageError(f"alpha={alpha}: expected a value between 0 and 0.5, e.g. 0.05")
    table = score_table(scores, metric, names)
    complete, dropped = _without_holes(table, missing)
    if lower_is_better is None:
        lower_is_better = metric in LOWER_IS_BETTER
    return Ranking(complete, lower_is_better, alpha, dropped)


def _without_holes(table: ScoreTable, missing: Missing) -> tuple[ScoreTable, tuple[str, ...]]:
    holes = np.isnan(table.scores)
    if not holes.any() or missing == "worst":
        return table, ()
    if missing == "error":
        row, column = np.argwhere(holes)[0].tolist()
        raise InputError(
            f"no score of {table.learners[column]} on {table.streams[row]} ({int(holes.sum())} of "
            f"{holes.size} are missing); leave such streams out with missing='drop', or rank "
            "missing scores last with missing='worst'"
        )
    whole = ~holes.any(axis=1)
    if whole.sum() < 2:
        raise InputError(
            f"streams without a missing score: {int(whole.sum())}; expected two or more"
        )
    streams = np.array(table.streams, dtype=object)
    kept = ScoreTable(tuple(streams[whole]), table.learners, table.scores[whole])
    return kept, tuple(streams[~whole])


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
        Significance level of the Nemenyi test and the groups.
    dropped
        Streams left out because of missing scores.

    References
    ----------
    demsar2006 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> scores = {"A": [0.9, 0.8, 0.7, 0.8], "B": [0.8, 0.7, 0.6, 0.7], "C": [0.7, 0.8, 0.5, 0.6]}
    >>> ranking = sg.rank(scores)
    >>> print(f"p = {ranking.friedman.p:.3f}")
    p = 0.074
    >>> ranking.groups
    (('A', 'B', 'C'),)
    """

    table: ScoreTable
    lower_is_better: bool
    alpha: float
    dropped: tuple[str, ...]  # streams left out

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
        """Friedman's test of whether all learners are equal."""
        return friedman_test(self.ranks)

    @cached_property
    def iman_davenport(self) -> ImanDavenport:
        """The same test by Iman and Davenport, less conservative."""
        return iman_davenport_test(self.friedman, len(self.ranks))

    @cached_property
    def critical_difference(self) -> float:
        """Nemenyi's critical difference: average ranks farther apart differ significantly."""
        n, k = self.ranks.shape
        return critical_difference(n, k, self.alpha)

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The largest groups without a significant difference (Nemenyi), best first."""
        found = groups_of(self.ranks.mean(axis=0), self.critical_difference)
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

        It has more power than Nemenyi's test.
        """
        if np.isnan(self.table.scores).any():
            raise UsageError(
                "Wilcoxon's test needs every score, but missing='worst' gives ranks only; use "
                "missing='drop'"
            )
        return wilcoxon_pairs(self.learners, self.table.scores)

    def to_svg(self) -> str:
        """The critical-difference diagram as SVG text."""
        return self._diagram().to_svg()

    _repr_svg_ = to_svg  # shown in notebooks

    def save_diagram(self, path: str | Path) -> Path:
        """Save the critical-difference diagram as .svg or .png (needs matplotlib)."""
        path = Path(path)
        match path.suffix.lower():
            case ".svg":
                path.write_text(self.to_svg(), encoding="utf-8")
            case ".png":
                self._diagram().save_png(path)
            case other:
                raise UsageError(f"{path}: got {other or 'no suffix'}; expected .svg or .png")
        return path

    def _diagram(self) -> Diagram:
        return draw(self.average_ranks, self.critical_difference, self.groups)

    def frames(self) -> dict[str, pa.Table]:
        """Arrow tables: learners, ranks (one line per stream and learner), pairs."""
        names, streams = list(self.learners), list(self.table.streams)
        average = self.ranks.mean(axis=0)
        holes = np.isnan(self.table.scores).any()
        corrected: list[float | None] = [None] * len(self.nemenyi)
        if not holes:
            corrected = [pair.p_holm for pair in self.holm_wilcoxon]
        return {
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
                    "holm_wilcoxon_p": pa.array(corrected, pa.float64()),
                }
            ),
        }

    def to_frame(self, what: str = "learners", kind: str | None = None) -> Any:
        """One of `frames` as "pandas", "polars" or "arrow"; default: the first one installed."""
        frames = self.frames()
        if what not in frames:
            raise UsageError(f"to_frame({what!r}): expected one of {', '.join(frames)}")
        return frame_of(frames[what], kind)

    def to_dict(self) -> dict[str, Any]:
        """The ranking as plain values, as `--json` writes it (docs/json.md)."""
        values: dict[str, Any] = plain(
            {
                "format": FORMAT,
                "text": str(self),
                "streams": list(self.table.streams),
                "dropped": list(self.dropped),
                "learners": list(self.learners),
                "lower_is_better": self.lower_is_better,
                "scores": self.table.scores.tolist(),
                "ranks": self.ranks.tolist(),
                "average_ranks": self.average_ranks,
                "friedman": self.friedman._asdict(),
                "iman_davenport": self.iman_davenport._asdict(),
                "alpha": self.alpha,
                "critical_difference": self.critical_difference,
                "groups": [list(group) for group in self.groups],
                "pairs": self.frames()["pairs"].to_pylist(),
            }
        )
        return values

    def __str__(self) -> str:
        return show_ranking(self)

    __repr__ = __str__
