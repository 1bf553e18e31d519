"""Scores of learners (columns) on streams (rows): from runs, a frame, a dict or an array."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import Floats
from streamgauge.runs.run import Run
from streamgauge.streams.formats.arrow_cells import as_text, to_floats
from streamgauge.streams.formats.open import open_table

LOWER_IS_BETTER = frozenset({"error", "log_loss", "brier", "cost_loss", "mae", "rmse"})


class ScoreTable(NamedTuple):
    """A score per stream and learner; NaN if missing."""

    streams: tuple[str, ...]
    learners: tuple[str, ...]
    scores: Floats


def read_scores(path: str | Path) -> ScoreTable:
    """Read a table from a file: one line per stream; a first text column names the streams."""
    file = open_table(path)
    columns = file.load_columns(file.names)
    values: list[Any] = []
    for i, (name, column) in enumerate(columns.items()):
        try:
            values.append(to_floats(column))
        except pa.ArrowInvalid:
            if i:
                raise InputError(
                    f"{path}: column {name!r}: expected one number per stream"
                ) from None
            values.append(np.asarray(as_text(column).to_numpy(zero_copy_only=False), object))
    return _named(list(columns), values, None)


def score_table(given: Any, metric: str, names: Sequence[str] | None) -> ScoreTable:
    """The score table from runs, a frame, a dict or an array, checked."""
    if isinstance(given, ScoreTable):
        table = given
    elif isinstance(given, Sequence) and given and all(isinstance(each, Run) for each in given):
        table = _of_runs(given, metric)
    elif isinstance(given, Mapping):
        table = _of_columns(list(given), list(given.values()), None)
    elif hasattr(given, "columns"):
        table = _of_frame(given)
    else:
        table = _of_array(given, names)
    _check(table)
    return table


def _of_runs(runs: Sequence[Run], metric: str) -> ScoreTable:
    """A failed run counts as missing."""
    found: dict[tuple[str, str], float] = {}
    for run in runs:
        place = (run.stream.name, run.name)
        if place in found:
            raise UsageError(
                f"two runs of {place[1]} on {place[0]}; expected one per stream and learner"
            )
        if metric not in run.overall:
            raise UsageError(f"metric={metric!r}: expected one of {', '.join(run.overall)}")
        found[place] = np.nan if run.failure else run.overall[metric]
    streams = tuple(dict.fromkeys(stream for stream, _ in found))
    learners = tuple(dict.fromkeys(learner for _, learner in found))
    scores = [[found.get((s, learner), np.nan) for learner in learners] for s in streams]
    return ScoreTable(streams, learners, np.array(scores, np.float64))


def _of_frame(frame: Any) -> ScoreTable:
    """A pandas index names the streams; else a first text column does."""
    columns = [str(name) for name in frame.columns]
    values = [np.asarray(frame[name]) for name in frame.columns]
    index = getattr(frame, "index", None)
    return _named(columns, values, None if index is None else [str(name) for name in index])


def _named(names: list[str], values: list[Any], streams: Sequence[str] | None) -> ScoreTable:
    """A first text column names the streams."""
    if values and values[0].dtype.kind not in "iufb":
        streams, names, values = [str(name) for name in values[0]], names[1:], values[1:]
    return _of_columns(names, values, streams)


def _of_columns(
    names: Sequence[Any], values: Sequence[Any], streams: Sequence[str] | None
) -> ScoreTable:
    learners = tuple(map(str, names))
    columns = []
    for name, column in zip(learners, values, strict=True):
        if isinstance(column, Mapping):  # {"NaiveBayes": {"elec2": 0.7, ...}, ...}
            streams = list(column) if streams is None else streams
            column = [column.get(stream) for stream in streams]  # noqa: PLW2901 - in the order of streams
        columns.append(_numbers(column, name))
        if len(columns[-1]) != len(columns[0]):
            raise InputError(
                f"{learners[0]} has {len(columns[0])} scores and {name} {len(columns[-1])}; "
                "expected one per stream"
            )
    scores = np.column_stack(columns) if columns else np.empty((0, 0))
    return ScoreTable(_stream_names(streams, len(scores)), learners, scores)


def _of_array(given: Any, names: Sequence[str] | None) -> ScoreTable:
    try:
        scores = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        scores = np.empty(0)
    if scores.ndim != 2:
        raise UsageError(
            "expected runs, or a table of scores (streams × learners): a frame, a dict of columns, "
            "or a two-dimensional array"
        )
    if names is None:
        names = [f"learner {i + 1}" for i in range(scores.shape[1])]
    if len(names) != scores.shape[1]:
        raise UsageError(f"{len(names)} names for {scores.shape[1]} columns; expected one each")
    return ScoreTable(_stream_names(None, len(scores)), tuple(map(str, names)), scores)


def _stream_names(names: Sequence[str] | None, count: int) -> tuple[str, ...]:
    return tuple(f"stream {i + 1}" for i in range(count)) if names is None else tuple(names)


def _numbers(column: Any, name: str) -> Floats:
    try:
        return np.array([np.nan if v is None else v for v in column], np.float64)
    except (TypeError, ValueError):
        raise InputError(f"column {name!r}: expected numbers, one score per stream") from None


def _check(table: ScoreTable) -> None:
    streams, learners, scores = table
    if not scores.size:
        raise InputError("the table is empty; expected scores (streams × learners)")
    if len(learners) < 2 or len(streams) < 2:
        raise InputError(
            f"{len(learners)} learner(s) on {len(streams)} stream(s): expected two or more of each"
        )
    twice = [name for name in learners if learners.count(name) > 1]
    if twice:
        raise InputError(f"two columns have the name {twice[0]!r}; expected distinct names")
    if np.isinf(scores).any():
        row, column = np.argwhere(np.isinf(scores))[0].tolist()
        raise InputError(f"{learners[column]} on {streams[row]} is infinite; expected a number")
