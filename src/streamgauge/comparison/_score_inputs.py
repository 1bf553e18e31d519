"""What `rank` accepts, as tables of scores: runs, results, a frame, a dict or an array."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from streamgauge._support import registry
from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.selection import Where, select
from streamgauge.comparison.score_columns import (
    scores_of_array,
    scores_of_columns,
    scores_of_frame,
)
from streamgauge.comparison.score_table import KEYS, Score, ScoreSource, ScoreTable
from streamgauge.comparison.variants import tables_of
from streamgauge.measures.metric import Metric
from streamgauge.measures.scale import Scale, common_scale
from streamgauge.runs.facts import COSTS
from streamgauge.runs.run import Run


def score_tables(
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


def declared_scale(given: Any, metric: str, where: Where | None) -> Scale | None:
    """What runs or results declare of the metric to rank by; None for a table of scores."""
    if isinstance(given, ScoreSource):
        return given.scale_of(metric, where)
    if isinstance(given, Sequence) and all(isinstance(each, Run) for each in given):
        return common_scale(metric, (run.scales for run in given))
    return None


def known_scale(metric: str) -> Scale:
    """What a metric or cost declares that is known by its name; nothing if it is not."""
    if metric in registry.names("metric"):
        found = registry.find(metric, "metric")
        return found.scale if isinstance(found, Metric) else Scale()
    return COSTS.get(metric, Scale())


def _score_list(given: Any, metric: str, names: Sequence[str] | None) -> list[Score]:
    if isinstance(given, Sequence) and given:
        if all(isinstance(each, Run) for each in given):
            return [_score_of(run, metric) for run in given]
        if all(isinstance(each, Score) for each in given):
            return list(given)
    if isinstance(given, Mapping):
        return scores_of_columns(given)
    if hasattr(given, "columns"):
        return scores_of_frame(given)
    return scores_of_array(given, names)


def _score_of(run: Run, metric: str) -> Score:
    """A failed run counts as missing."""
    if metric not in run.overall:
        raise UsageError(f"metric={metric!r}: expected one of {', '.join(run.overall)}")
    value = np.nan if run.failure else run.overall[metric]
    settings = run.settings
    seed, model = str(settings.seed), settings.model
    return Score(
        run.stream.name, run.name, value, settings.labels, seed, model=model,
        origin=run.stream.origin,
    )  # fmt: skip


def _check(table: ScoreTable) -> None:
    if np.isinf(table.scores).any():
        row, column = np.argwhere(np.isinf(table.scores))[0].tolist()
        raise InputError(
            f"{table.learners[column]} on {table.streams[row]} is infinite; expected a number"
        )
