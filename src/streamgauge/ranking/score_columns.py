"""Scores from columns: a file, a frame, a dict or an array with one column per learner.

Columns named stream, labels and seed say what a line is about; any other first column of text names
the streams. `NAME sd` and `NAME runs` beside a column NAME are those of its mean over seeds, as
`streamgauge table --csv` writes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import Floats
from streamgauge.ranking.score_table import LearnerScore
from streamgauge.streams.formats.arrow_cells import as_text, to_floats
from streamgauge.streams.formats.open_table import open_table

_KEYS = ("stream", "labels", "seed")


def read_scores(path: str | Path) -> list[LearnerScore]:
    """Read a table from a file: one line per stream, one column per learner."""
    file = open_table(path)
    columns: dict[str, Any] = {}
    for i, (name, column) in enumerate(file.load_columns(file.names).items()):
        try:
            columns[name] = as_text(column).to_pylist() if name in _KEYS else to_floats(column)
        except pa.ArrowInvalid:
            if i:
                raise InputError(
                    f"{path}: column {name!r}: expected one number per stream"
                ) from None
            columns[name] = as_text(column).to_pylist()
    return scores_of_columns(columns)


def scores_of_frame(frame: Any) -> list[LearnerScore]:
    """From a pandas or polars frame; a pandas index names the streams if no column does."""
    columns = {str(name): np.asarray(frame[name]) for name in frame.columns}
    if len(columns) < len(frame.columns):
        raise InputError("two columns have the same name; expected distinct names")
    index = getattr(frame, "index", None)
    return scores_of_columns(columns, None if index is None else [str(name) for name in index])


def scores_of_array(given: Any, names: Sequence[str] | None) -> list[LearnerScore]:
    """From an array, streams × learners."""
    try:
        scores = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        scores = np.empty(0)
    if scores.ndim != 2:
        raise UsageError(
            "expected runs, results, or a table of scores (streams × learners): a frame, a dict of "
            "columns, or a two-dimensional array"
        )
    if names is None:
        names = [f"learner {i + 1}" for i in range(scores.shape[1])]
    if len(names) != scores.shape[1]:
        raise UsageError(f"{len(names)} names for {scores.shape[1]} columns; expected one each")
    if len(set(names)) < len(names):
        twice = next(name for name in names if list(names).count(name) > 1)
        raise InputError(f"two columns have the name {twice!r}; expected distinct names")
    return scores_of_columns(dict(zip(map(str, names), scores.T, strict=True)))


def scores_of_columns(
    columns: Mapping[Any, Any], streams: Sequence[str] | None = None
) -> list[LearnerScore]:
    """From columns by name; `streams` names the lines if no column does."""
    named: dict[str, Any] = {str(name): values for name, values in columns.items()}
    if "learner" in named:
        raise InputError(
            "column 'learner': expected one line per stream and one column per learner, as "
            "`streamgauge table --rows stream --cols learner --csv` writes them"
        )
    keys = {key: _texts(named.pop(key)) for key in _KEYS if key in named}
    first = next(iter(named), None)
    if "stream" not in keys and first is not None and _is_text(named[first]):
        keys["stream"] = _texts(named.pop(first))
    streams = keys.get("stream", streams)
    for values in named.values():
        if streams is None and isinstance(values, Mapping):  # {"NB": {"elec2": 0.7, ...}, ...}
            streams = list(values)
    numbers = {name: _numbers(values, name, streams) for name, values in named.items()}
    lengths = {name: len(values) for name, values in keys.items()}
    lengths |= {name: len(values) for name, values in numbers.items()}
    count = max(lengths.values(), default=0)
    for name, length in lengths.items():
        if length != count:
            raise InputError(
                f"column {name!r} has {length} values, another one {count}; expected one per stream"
            )
    names = [f"stream {i + 1}" for i in range(count)] if streams is None else list(streams)
    labels, seeds = (keys.get(key, [""] * count) for key in ("labels", "seed"))
    found: list[LearnerScore] = []
    expected: list[float] = []
    for learner in [name for name in numbers if not _describes_another(name, numbers)]:
        sd = numbers.get(f"{learner} sd", np.full(count, np.nan))
        runs = np.nan_to_num(numbers.get(f"{learner} runs", np.ones(count))).astype(int)
        wanted = numbers.get(f"{learner} expected", np.full(count, np.nan))
        for i, value in enumerate(numbers[learner].tolist()):
            place = (names[i], learner, value, labels[i], seeds[i])
            found.append(LearnerScore(*place, float(sd[i]), int(runs[i])))
            expected.append(wanted[i])
    most = max((score.runs for score in found), default=1)
    return [
        each if each.runs == (most if np.isnan(runs) else runs) else each._replace(value=np.nan)
        for each, runs in zip(found, expected, strict=True)  # fewer: a seed has no run
    ]


def _describes_another(name: str, columns: Mapping[str, Any]) -> bool:
    """Whether this is the `NAME sd`, `NAME runs` or `NAME expected` of a column NAME."""
    of, space, what = name.rpartition(" ")
    return bool(space) and what in ("sd", "runs", "expected") and of in columns


def _is_text(values: Any) -> bool:
    return not isinstance(values, Mapping) and np.asarray(values).dtype.kind not in "iufb"


def _texts(values: Any) -> list[str]:
    return ["" if value is None else str(value) for value in values]


def _numbers(values: Any, name: str, streams: Sequence[str] | None) -> Floats:
    if isinstance(values, Mapping):
        values = [values.get(stream) for stream in streams or ()]
    try:
        return np.array([np.nan if v is None else v for v in values], np.float64)
    except (TypeError, ValueError):
        raise InputError(f"column {name!r}: expected numbers, one score per stream") from None
