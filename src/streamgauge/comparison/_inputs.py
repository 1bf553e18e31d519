"""The participants of a comparison: runs, saved runs, references or columns, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import Floats, Label, Longs, Targets
from streamgauge.learners.references import defaults
from streamgauge.measures.reference import column_of
from streamgauge.rendering.words import unique_names
from streamgauge.runs.conditions import Conditions, assumed_conditions, conditions_of
from streamgauge.runs.open_run import open_run
from streamgauge.runs.prediction_codes import prediction_codes
from streamgauge.runs.run import Run
from streamgauge.runs.runs import Runs
from streamgauge.streams.label_codes import are_classes, as_labels, as_targets, encode_labels

_CLASSIFICATION = tuple(reference.name for reference in defaults.CLASSIFICATION)
_REGRESSION = tuple(reference.name for reference in defaults.REGRESSION)
_COMPARED = {
    "stream": "streams",
    "labels": "label policies",
    "protocol": "protocols",
    "model": "models of the cross-validation",
    "classes": "classes",
}


@dataclass(frozen=True)
class Participants:
    """The predictions of all participants for the same rows, in reveal order."""

    conditions: Conditions
    names: tuple[str, ...]
    ids: Longs  # row numbers
    revealed_at: Longs  # the newest row when each label was revealed
    y: Targets
    predictions: tuple[Targets, ...]  # codes, -1 = no prediction; regression: NaN = no prediction


def gather(
    given: Sequence[Any], y: npt.ArrayLike | None, names: Sequence[str] | None
) -> Participants:
    """The participants, checked to share one stream and its conditions."""
    if y is not None:
        return _from_columns(given, y, names)
    runs: list[Run] = []
    columns: list[str] = []
    for each in given:
        reference = isinstance(each, str) and (
            each in _CLASSIFICATION + _REGRESSION or any(each in run.references for run in runs[:1])
        )
        if reference and not runs:
            raise UsageError(
                f"{each}: a reference is compared with a run; give the run first, e.g. "
                f"compare(run, {each!r})"
            )
        runs.append(runs[0] if reference else _as_run(each))
        columns.append(column_of(each) if reference else "prediction")
    own = [
        run.title if column == "prediction" else str(each)
        for run, column, each in zip(runs, columns, given, strict=True)
    ]
    return _align(runs, columns, own if names is None else _check_names(names, given))


def _as_run(given: Any) -> Run:
    match given:
        case Run():
            return given
        case str() | Path():
            return open_run(given)
        case Runs():
            raise UsageError(
                f"got {len(given)} runs instead of one; compare them one by one, e.g. "
                "compare(a[0], b[0])"
            )
    raise UsageError(
        f"cannot compare {type(given).__name__}; expected runs, directories of saved runs, columns "
        "of predictions with y=..., or columns of losses with loss='given'"
    )


def _conditions(run: Run) -> Conditions:
    if run.failure is not None:
        raise InputError(
            f"{run.title} failed at row {run.failure.row:,} ({run.failure.message}); expected a "
            "complete run: evaluate it again"
        )
    return conditions_of(run)


def _align(runs: Sequence[Run], columns: Sequence[str], names: Sequence[str]) -> Participants:
    conditions = [_conditions(run) for run in runs]
    first = conditions[0]
    for name, other in zip(names, conditions, strict=True):
        for field, what in _COMPARED.items():
            one, two = getattr(first, field), getattr(other, field)
            if one != two:
                raise InputError(
                    f"{names[0]} and {name} cannot be compared, their {what} differ: {one!r} and "
                    f"{two!r}; evaluate both over one stream with the same settings"
                )
    tables = [run.predictions for run in runs]
    ids, revealed_at = (tables[0][name].to_numpy() for name in ("row", "revealed_at"))
    y = prediction_codes(tables[0], "y", first.classes)
    for name, table in zip(names, tables, strict=True):
        _check_rows(names[0], name, ids, y, table, first.classes)
    for table, column in zip(tables, columns, strict=True):
        if column not in table.column_names:
            known = ", ".join(runs[0].references)
            raise UsageError(f"these runs have no reference {column!r}; expected one of {known}")
    predictions = [
        prediction_codes(table, column, first.classes)
        for table, column in zip(tables, columns, strict=True)
    ]
    called = tuple(unique_names(names))
    return Participants(first, called, ids, revealed_at, y, tuple(predictions))


def _check_rows(
    first: str, other: str, ids: Longs, y: Targets, table: pa.Table, classes: tuple[Any, ...]
) -> None:
    if not len(ids):
        raise InputError(f"{first}: no row was scored; expected at least one")
    if len(table) != len(ids):
        raise InputError(
            f"{first} was scored on {len(ids):,} rows and {other} on {len(table):,}; expected the "
            "same rows: evaluate both over one stream with the same settings"
        )
    for what, mine, theirs in (
        ("scored rows", ids, table["row"].to_numpy()),
        ("labels", y, prediction_codes(table, "y", classes)),
    ):
        same = (mine == theirs) | ((mine != mine) & (theirs != theirs))
        if not same.all():
            i = int(np.argmin(same))
            raise InputError(
                f"{first} and {other} come from different streams: their {what} differ, first at "
                f"position {i:,} (row {int(ids[i]):,})"
            )


def _from_columns(
    given: Sequence[Any], y: npt.ArrayLike, names: Sequence[str] | None
) -> Participants:
    """Predictions in arrays."""
    called = column_names(given, names)
    true = as_labels(y, "y")
    columns = [as_labels(each, name) for each, name in zip(given, called, strict=True)]
    check_lengths([true, *columns], ["y", *called])
    predicted = [c for c in columns if c.dtype.kind != "f" or not np.isnan(c).all()]
    if all(map(are_classes, [true, *predicted])):
        classes = _union([true, *columns])
        labels: Targets = encode_labels(true, classes)[0]
        predictions: list[Targets] = [encode_labels(c, classes)[0] for c in columns]
        known = labels >= 0
    else:
        classes = ()
        labels, *predictions = map(_numbers, [true, *columns], ["y", *called])
        known = ~np.isnan(labels)
    if not known.any():
        raise InputError("y: every label is missing; expected at least one label")
    ids = np.flatnonzero(known)
    return Participants(
        assumed_conditions(classes),
        called,
        ids,
        ids,
        labels[known],
        tuple(each[known] for each in predictions),
    )


def _numbers(column: npt.NDArray[Any], name: str) -> Floats:
    try:
        return as_targets(column, name)
    except UsageError:
        raise InputError(
            f"{name} is text, other columns are numbers; expected all text or all numbers"
        ) from None


def _union(columns: Sequence[npt.NDArray[Any]]) -> tuple[Label, ...]:
    every = {label for each in columns for label in encode_labels(each)[1]}
    try:
        return tuple(sorted(every))
    except TypeError:
        raise InputError(
            "labels and predictions are text in one column and numbers in another; expected all "
            "text or all numbers"
        ) from None


def check_lengths(columns: Sequence[npt.NDArray[Any]], names: Sequence[str]) -> None:
    """Check that columns are one-dimensional, of equal length, and not empty."""
    for each, name in zip(columns, names, strict=True):
        if each.ndim != 1:
            raise InputError(f"{name} has shape {each.shape}; expected one value per row")
        if len(each) != len(columns[0]):
            raise InputError(
                f"{names[0]} has {len(columns[0]):,} rows and {name} {len(each):,}; expected the "
                "same rows"
            )
    if not len(columns[0]):
        raise InputError("no rows to compare; expected at least one")


def column_names(given: Sequence[Any], names: Sequence[str] | None) -> tuple[str, ...]:
    """The names given, else the names of the columns themselves, else A, B, C."""
    if names is not None:
        return tuple(unique_names(_check_names(names, given)))
    letters = [chr(ord("A") + i) if i < 26 else f"#{i + 1}" for i in range(len(given))]
    own = [getattr(each, "name", None) for each in given]
    called = (
        name if isinstance(name, str) else letter for name, letter in zip(own, letters, strict=True)
    )
    return tuple(unique_names(called))


def _check_names(names: Sequence[str], given: Sequence[Any]) -> list[str]:
    if isinstance(names, str) or len(names) != len(given):
        raise UsageError(f"names={names!r}: expected {len(given)} names, one per participant")
    return list(map(str, names))
