"""`rank`: rank learners over many streams."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from streamgauge._support import registry
from streamgauge._support.errors import InputError, UsageError, did_you_mean
from streamgauge._support.selection import Where, select
from streamgauge.measures.metric import Metric
from streamgauge.measures.scale import Scale, common_scale
from streamgauge.ranking.ranking import Ranking
from streamgauge.ranking.rankings import Rankings
from streamgauge.ranking.score_columns import (
    scores_of_array,
    scores_of_columns,
    scores_of_frame,
)
from streamgauge.ranking.score_table import KEYS, LearnerScore, ScoreSource, ScoreTable
from streamgauge.ranking.variants import tables_of
from streamgauge.rendering.words import plural
from streamgauge.runs.facts import COSTS
from streamgauge.runs.run import Run

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
    tables = _score_tables(scores, metric, names, forget, where)
    large = {variant: table for variant, table in tables.items() if min(table.scores.shape) > 1}
    if not large:
        raise InputError(_too_small(tables))
    declared = _declared_scale(scores, metric, where)
    if lower_is_better is None:
        lower_is_better = _lower_is_better(metric, declared or _known_scale(metric))
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


def _score_tables(
    given: Any, metric: str, names: Sequence[str] | None, forget: str | None, where: Where | None
) -> dict[str, ScoreTable]:
    """Tables of scores by label policy and change of the streams; only one has the name ""."""
    if isinstance(given, ScoreSource):
        tables = tables_of(given.score_list(metric, forget, where))
    else:
        if forget is not None:
            raise UsageError("forget: only the results of an experiment have several forgettings")
        tables = tables_of(select(_score_list(given, metric, names), where, KEYS, getattr))
    if not any(table.scores.size for table in tables.values()):
        raise InputError("the table is empty; expected scores (streams × learners)")
    for table in tables.values():
        _check(table)
    return tables


def _declared_scale(given: Any, metric: str, where: Where | None) -> Scale | None:
    """What runs or results declare of the metric to rank by; None for a table of scores."""
    if isinstance(given, ScoreSource):
        return given.scale_of(metric, where)
    if isinstance(given, Sequence) and all(isinstance(each, Run) for each in given):
        return common_scale(metric, (run.scales for run in given))
    return None


def _known_scale(metric: str) -> Scale:
    """What a metric or cost declares that is known by its name; nothing if it is not."""
    if metric in registry.names("metric"):
        found = registry.find(metric, "metric")
        return found.scale if isinstance(found, Metric) else Scale()
    return COSTS.get(metric, Scale())


def _score_list(given: Any, metric: str, names: Sequence[str] | None) -> list[LearnerScore]:
    if isinstance(given, Sequence) and given:
        if all(isinstance(each, Run) for each in given):
            return [_score_of(run, metric) for run in given]
        if all(isinstance(each, LearnerScore) for each in given):
            return list(given)
    if isinstance(given, Mapping):
        return scores_of_columns(given)
    if hasattr(given, "columns"):
        return scores_of_frame(given)
    return scores_of_array(given, names)


def _score_of(run: Run, metric: str) -> LearnerScore:
    """A failed run counts as missing."""
    if metric not in run.overall:
        raise UsageError(f"metric={metric!r}: expected one of {', '.join(run.overall)}")
    value = np.nan if run.failure else run.overall[metric]
    settings = run.settings
    seed, model = str(settings.seed), settings.model
    return LearnerScore(
        run.stream.name, run.name, value, settings.labels, seed, model=model,
        origin=run.stream.origin,
    )  # fmt: skip


def _check(table: ScoreTable) -> None:
    if np.isinf(table.scores).any():
        row, column = np.argwhere(np.isinf(table.scores))[0].tolist()
        raise InputError(
            f"{table.learners[column]} on {table.streams[row]} is infinite; expected a number"
        )
