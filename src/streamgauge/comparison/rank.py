"""`rank`: rank learners over many streams."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from streamgauge._support.errors import InputError, UsageError, did_you_mean
from streamgauge._support.selection import Where
from streamgauge.comparison._score_inputs import declared_scale, known_scale, score_tables
from streamgauge.comparison.ranking import Ranking
from streamgauge.comparison.rankings import Rankings
from streamgauge.comparison.score_table import ScoreTable
from streamgauge.measures.scale import Scale
from streamgauge.rendering.words import plural

Missing = Literal["error", "drop", "worst"]


def rank(
    scores: Any,
    *,
    metric: str = "kappa",
    forget: str | None = None,
    where: Where | None = None,
    names: Sequence[str] | None = None,
    lower_is_better: bool | None = None,
    missing: Missing = "error",
    alpha: float = 0.05,
    control: str | None = None,
    equal_within: float | None = None,
) -> Any:
    """Rank learners over many streams and test which of them differ.

    Rows of a ranking are streams. Several seeds of a stream are averaged first. Streams under
    several label policies, or injected (or shuffled) and not, are ranked within each.

    Parameters
    ----------
    scores
        The results of an experiment, one run per learner and stream, or a table of streams ×
        learners: a pandas or polars frame, a dict of columns, or an array with `names` for its
        columns. Columns `stream`, `labels` and `seed` say what a line is about.
    metric
        The metric to rank runs and results by. For runs it is over all scored rows.
    forget
        The forgetting of the metric to read from results; by default the first.
    where
        Use only these scores, e.g. {"labels": "Delay(100)"}; keys: stream, learner, labels, seed.
    names
        Names of the learners, for an array.
    lower_is_better
        Whether lower scores are better. Default: as the metric or cost declares.
    missing
        What to do with NaN scores and with failed or absent runs: "error" raises, "drop" leaves
        their streams out, "worst" ranks them last.
    alpha
        Significance level of all tests.
    control
        Compare the other learners with this one, instead of all pairs.
    equal_within
        Also test which pairs are equal: their scores differ by no more than this.

    Returns
    -------
    Ranking or Rankings
        Average ranks, tests and groups; print it for a report. Rankings, by label policy or change,
        if the scores have several of one stream.

    Raises
    ------
    UsageError
        If the metric does not declare its direction and `lower_is_better` is not given.
    InputError
        If a score is missing and `missing` is "error", or with fewer than two streams or learners.

    References
    ----------
    demsar2006, friedman1937, iman1980, holm1979, benavoli2017 (docs/bibliography.md)

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
    _check_options(missing, alpha, equal_within)
    tables = score_tables(scores, metric, names, forget, where)
    large = {variant: table for variant, table in tables.items() if min(table.scores.shape) > 1}
    if not large:
        raise InputError(_too_small(tables))
    declared = declared_scale(scores, metric, where)
    if lower_is_better is None:
        lower_is_better = _lower_is_better(metric, declared or known_scale(metric))
    named = "" if declared is None else metric
    rankings = {}
    for variant, table in large.items():
        if control is not None and control not in table.learners:
            raise UsageError(
                f"control: no learner {control!r}{did_you_mean(control, table.learners)}; expected "
                f"one of {', '.join(table.learners)}"
            )
        complete, dropped = _without_holes(table, missing, variant)
        rankings[variant] = Ranking(
            complete, lower_is_better, alpha, dropped, control, equal_within, variant, named
        )
        if np.isnan(complete.scores).any() and (control, equal_within) != (None, None):
            raise UsageError(
                "control and equal_within need every score, but missing='worst' gives ranks only; "
                "use missing='drop' (--missing drop)"
            )
    if len(tables) == 1:
        return rankings[variant]
    return Rankings(rankings, tuple(variant for variant in tables if variant not in large))


def _lower_is_better(metric: str, scale: Scale) -> bool:
    if scale.direction is None:
        raise UsageError(
            f"metric={metric!r} does not declare whether higher or lower is better; say it: "
            "lower_is_better=True or False (--lower, --higher), or Metric(..., direction='lower')"
        )
    return scale.lower_is_better


def _check_options(missing: str, alpha: float, equal_within: float | None) -> None:
    if missing not in ("error", "drop", "worst"):
        raise UsageError(f"missing={missing!r}: expected 'error', 'drop' or 'worst'")
    if not 0 < alpha < 0.5:
        raise UsageError(f"alpha={alpha}: expected a value between 0 and 0.5, e.g. 0.05")
    if equal_within is not None and not 0 < equal_within < math.inf:
        raise UsageError(
            f"equal_within={equal_within}: expected the largest difference that does not matter, "
            "above 0, e.g. 0.01"
        )


def _too_small(tables: dict[str, ScoreTable]) -> str:
    table = next(iter(tables.values()))
    streams, learners = len(table.streams), len(table.learners)
    within = "" if len(tables) == 1 else f" within each of {', '.join(tables)}"
    seeds = 1 if table.runs is None else int(table.runs.max())
    averaged = f"; its {seeds} runs are one row" if seeds > 1 and streams == 1 else ""
    return (
        f"{plural(learners, 'learner')} on {plural(streams, 'stream')}{within}: expected two or "
        f"more of each{averaged}"
    )


def _without_holes(
    table: ScoreTable, missing: Missing, variant: str
) -> tuple[ScoreTable, dict[str, tuple[str, ...]]]:
    """The table and the streams left out, with the learners that lack a score there."""
    holes = np.isnan(table.scores)
    if not holes.any() or missing == "worst":
        return table, {}
    within = f" within {variant}" if variant else ""
    if missing == "error":
        row, column = np.argwhere(holes)[0].tolist()
        raise InputError(
            f"no score of {table.learners[column]} on {table.streams[row]}{within} "
            f"({int(holes.sum())} of {holes.size} are missing); leave such streams out with "
            "missing='drop' (--missing drop), or rank missing scores last with missing='worst' "
            "(--missing worst)"
        )
    whole = np.asarray(~holes.any(axis=1))
    if whole.sum() < 2:
        raise InputError(
            f"streams without a missing score{within}: {int(whole.sum())}; expected two or more"
        )
    kept = ScoreTable(
        tuple(stream for stream, keep in zip(table.streams, whole, strict=True) if keep),
        table.learners,
        table.scores[whole],
        None if table.sd is None else table.sd[whole],
        None if table.runs is None else table.runs[whole],
    )
    dropped = {
        table.streams[i]: tuple(table.learners[j] for j in np.flatnonzero(holes[i]))
        for i in np.flatnonzero(~whole)
    }
    return kept, dropped
