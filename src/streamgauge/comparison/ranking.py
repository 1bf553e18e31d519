"""`rank`: many learners over many streams, and what their ranking is."""

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
from streamgauge.runs.run import frame_of, plain

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
    """Which learners are better over many streams, and which are not told apart?

    scores: runs of each learner on each stream, or a table, streams × learners: a pandas or polars
    frame, a dict of columns, or an array with `names` for its columns.
    metric: of the runs, over all scored rows.
    lower_is_better: by default of the metrics that are losses.
    missing: scores that are NaN, and runs that failed or are not there, are an "error"; "drop"
    leaves their streams out, "worst" ranks them last.
    alpha: of the Nemenyi test and the groups.
    """
    if missing not in ("error", "drop", "worst"):
        raise UsageError(f"missing={missing!r}: it is 'error', 'drop' or 'worst'")
    if not 0 < alpha < 0.5:
        raise UsageError(f"alpha={alpha}: expected a small share, e.g. 0.05")
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
            f"{holes.size} are missing); leave such streams out with missing='drop', or rank what "
            "is missing last with missing='worst'"
        )
    whole = ~holes.any(axis=1)
    if whole.sum() < 2:
        raise InputError(
            f"without streams that lack a score {int(whole.sum())} is left; expected two or more"
        )
    streams = np.array(table.streams, dtype=object)
    kept = ScoreTable(tuple(streams[whole]), table.learners, table.scores[whole])
    return kept, tuple(streams[~whole])


@dataclass(frozen=True, repr=False)
class Ranking:
    """Learners over streams, ranked. Printing it shows the answer, the ranks and the groups."""

    table: ScoreTable
    lower_is_better: bool
    alpha: float
    dropped: tuple[str, ...]  # streams left out

    @property
    def learners(self) -> tuple[str, ...]:
        """In the order of the table."""
        return self.table.learners

    @cached_property
    def ranks(self) -> Floats:
        """Streams × learners; 1 is the best, equal scores share."""
        return rank_rows(self.table.scores, self.lower_is_better)

    @property
    def average_ranks(self) -> dict[str, float]:
        """Of each learner, the best first."""
        average = self.ranks.mean(axis=0)
        order = np.argsort(average, kind="stable")
        return {self.learners[i]: float(average[i]) for i in order}

    @cached_property
    def friedman(self) -> Friedman:
        """Are the learners alike?"""
        return friedman_test(self.ranks)

    @cached_property
    def iman_davenport(self) -> ImanDavenport:
        """The same, less conservative."""
        return iman_davenport_test(self.friedman, len(self.ranks))

    @cached_property
    def critical_difference(self) -> float:
        """Nemenyi's: average ranks farther apart than this differ clearly."""
        n, k = self.ranks.shape
        return critical_difference(n, k, self.alpha)

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Learners that Nemenyi's test does not tell apart: the longest groups, best first."""
        found = groups_of(self.ranks.mean(axis=0), self.critical_difference)
        return tuple(tuple(self.learners[i] for i in group) for group in found)

    @cached_property
    def nemenyi(self) -> dict[tuple[str, str], float]:
        """p of every pair, in the table's order."""
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
        """Every pair by the signed-rank test, corrected by Holm: sharper than Nemenyi's."""
        if np.isnan(self.table.scores).any():
            raise UsageError(
                "Wilcoxon's test needs every score, missing='worst' gives ranks only; use "
                "missing='drop'"
            )
        return wilcoxon_pairs(self.learners, self.table.scores)

    def to_svg(self) -> str:
        """The critical-difference diagram."""
        return self._diagram().to_svg()

    _repr_svg_ = to_svg  # notebooks show it

    def save_diagram(self, path: str | Path) -> Path:
        """The critical-difference diagram as .svg or .png (which needs matplotlib)."""
        place = Path(path)
        match place.suffix.lower():
            case ".svg":
                place.write_text(self.to_svg(), encoding="utf-8")
            case ".png":
                self._diagram().save_png(place)
            case other:
                raise UsageError(f"{place}: {other or 'no ending'}; expected .svg or .png")
        return place

    def _diagram(self) -> Diagram:
        return draw(self.average_ranks, self.critical_difference, self.groups)

    def frames(self) -> dict[str, pa.Table]:
        """Arrow tables: learners, ranks (a line per stream and learner), pairs."""
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
        """One of `frames` as "pandas", "polars" or "arrow"; by default the first there is."""
        frames = self.frames()
        if what not in frames:
            raise UsageError(f"to_frame({what!r}): this ranking has {', '.join(frames)}")
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
        from streamgauge.comparison._rank_text import show_ranking

        return show_ranking(self)

    __repr__ = __str__
