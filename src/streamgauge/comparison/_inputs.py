"""What is compared: runs, saved runs, references or plain columns, brought to one list of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import Label, Longs, Targets
from streamgauge.learners.references import defaults
from streamgauge.runs.folds import Folds
from streamgauge.runs.run import Run
from streamgauge.runs.stored import StoredRun, read_run
from streamgauge.streams.label_codes import are_classes, as_labels, encode_labels

_CLASSIFICATION = tuple(reference.name for reference in defaults.CLASSIFICATION)
_REGRESSION = tuple(reference.name for reference in defaults.REGRESSION)
AT_ONCE = "taken to come at once"
_SAME = {
    "stream": "streams",
    "labels": "label policies",
    "protocol": "protocols",
    "classes": "classes",
}


@dataclass(frozen=True)
class Entrants:
    """Learners' answers to the same rows, in the order their labels came."""

    stream: str
    labels: str  # the label policy, as a run keeps it
    classes: tuple[Label, ...]  # () = numbers
    names: tuple[str, ...]
    ids: Longs  # rows by number
    y: Targets
    answers: tuple[Targets, ...]  # codes, -1 = none; numbers, NaN = none


def gather(given: Sequence[Any], y: npt.ArrayLike | None, names: Sequence[str] | None) -> Entrants:
    """The entrants, checked to be of one stream."""
    if y is not None:
        return _columns(given, y, names)
    runs: list[Run | StoredRun] = []
    columns: list[str] = []
    for each in given:
        reference = isinstance(each, str) and each in _CLASSIFICATION + _REGRESSION
        if reference and not runs:
            raise UsageError(f"{each}: a reference is compared with a run: name the run first")
        runs.append(runs[0] if reference else _run(each))
        columns.append(each.lower() if reference else "prediction")
    called = [
        run.name if column == "prediction" else str(each)
        for run, column, each in zip(runs, columns, given, strict=True)
    ]
    return _align(runs, columns, called if names is None else _check_names(names, given))


def _run(given: Any) -> Run | StoredRun:
    match given:
        case Run() | StoredRun():
            return given
        case str() | Path():
            return read_run(given)
        case Folds():
            raise UsageError(
                f"{given.name} is a cross-validation: compare its models one by one, e.g. "
                "compare(a[0], b[0])"
            )
    raise UsageError(
        f"{type(given).__name__} is nothing to compare; expected runs, directories of saved runs, "
        "or columns of predictions with y=..., or of losses with loss='given'"
    )


@dataclass(frozen=True)
class _Facts:
    """What must be the same of two runs."""

    stream: str
    labels: str
    protocol: str | None
    classes: tuple[Any, ...]


def _facts(run: Run | StoredRun) -> _Facts:
    summary = run.to_dict() if isinstance(run, Run) else run.facts
    failure, settings = summary["failure"], summary["settings"]
    if failure is not None:
        raise InputError(
            f"{run.name} failed at row {failure['row']:,} ({failure['message']}): a part of a "
            "stream cannot be compared with all of it; evaluate it again"
        )
    protocol = settings["protocol"]
    if protocol is not None and settings["model"] is not None:
        protocol += f", model {settings['model']}"
    return _Facts(summary["stream"], settings["labels"], protocol, tuple(summary["classes"]))


def _align(
    runs: Sequence[Run | StoredRun], columns: Sequence[str], names: Sequence[str]
) -> Entrants:
    facts = [_facts(run) for run in runs]
    first = facts[0]
    for name, other in zip(names, facts, strict=True):
        for field, what in _SAME.items():
            one, two = getattr(first, field), getattr(other, field)
            if one != two:
                raise InputError(
                    f"{names[0]} and {name} cannot be compared, their {what} differ: {one!r} and "
                    f"{two!r}; evaluate both over one stream with the same settings"
                )
    tables = [run.predictions for run in runs]
    ids, y = _column(tables[0], "row", ()), _column(tables[0], "y", first.classes)
    for name, table in zip(names, tables, strict=True):
        _check_rows(names[0], name, ids, y, table, first.classes)
    for table, column in zip(tables, columns, strict=True):
        if column not in table.column_names:
            known = ", ".join(_CLASSIFICATION if first.classes else _REGRESSION)
            raise UsageError(f"these runs have no reference {column!r}: they have {known}")
    answers = [
        _column(table, column, first.classes) for table, column in zip(tables, columns, strict=True)
    ]
    labels = first.labels if first.protocol is None else f"{first.labels} · {first.protocol}"
    return Entrants(
        first.stream, labels, first.classes, _distinct(names), ids, y, tuple(answers)
    )  # fmt: skip


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
        ("scored rows", ids, _column(table, "row", ())),
        ("labels", y, _column(table, "y", classes)),
    ):
        same = (mine == theirs) | ((mine != mine) & (theirs != theirs))
        if not same.all():
            i = int(np.argmin(same))
            raise InputError(
                f"{first} and {other} are of different streams: their {what} differ, first in "
                f"place {i:,} (row {int(ids[i]):,})"
            )


def _column(table: pa.Table, name: str, classes: tuple[Any, ...]) -> Any:
    column = table[name].combine_chunks()
    if name == "row" or not classes:
        return column.to_numpy(zero_copy_only=False)
    values = pa.array(classes)
    plain = column.cast(values.type)
    codes = pc.fill_null(pc.index_in(plain, values), -1)
    return codes.to_numpy(zero_copy_only=False).astype(np.int32)


def _columns(given: Sequence[Any], y: npt.ArrayLike, names: Sequence[str] | None) -> Entrants:
    """Predictions in arrays: labels are taken to come at once, row by row."""
    called = column_names(given, names)
    true = as_labels(y, "y")
    columns = [as_labels(each, name) for each, name in zip(given, called, strict=True)]
    check_lengths([true, *columns], ["y", *called])
    answered = [c for c in columns if c.dtype.kind != "f" or not np.isnan(c).all()]
    if all(map(are_classes, [true, *answered])):
        classes = _union([true, *columns])
        labels: Targets = encode_labels(true, classes)[0]
        answers: list[Targets] = [encode_labels(c, classes)[0] for c in columns]
        known = labels >= 0
    else:
        for name, each in zip(["y", *called], [true, *columns], strict=True):
            if each.dtype.kind not in "iufb":
                raise InputError(f"{name} is text among numbers; expected one kind, all of them")
        classes = ()
        labels, *answers = (each.astype(np.float64) for each in [true, *columns])
        known = ~np.isnan(labels)
    if not known.any():
        raise InputError("y: no label is known; expected at least one")
    return Entrants(
        "columns", AT_ONCE, classes, called, np.flatnonzero(known), labels[known],
        tuple(each[known] for each in answers),
    )  # fmt: skip


def _union(columns: Sequence[npt.NDArray[Any]]) -> tuple[Label, ...]:
    every = {label for each in columns for label in encode_labels(each)[1]}
    try:
        return tuple(sorted(every))
    except TypeError:
        raise InputError(
            "labels and predictions are text in one column and numbers in another; expected one "
            "kind, all text or all numbers"
        ) from None


def check_lengths(columns: Sequence[npt.NDArray[Any]], names: Sequence[str]) -> None:
    """Columns are one-dimensional, equally long, and have rows."""
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
    """As told, or the columns' own, or A, B, C."""
    if names is not None:
        return _distinct(_check_names(names, given))
    letters = [chr(ord("A") + i) if i < 26 else f"#{i + 1}" for i in range(len(given))]
    own = [getattr(each, "name", None) for each in given]
    return _distinct(
        [
            name if isinstance(name, str) else letter
            for name, letter in zip(own, letters, strict=True)
        ]
    )


def _check_names(names: Sequence[str], given: Sequence[Any]) -> list[str]:
    if isinstance(names, str) or len(names) != len(given):
        raise UsageError(f"names={names!r}: expected {len(given)} names, one for each compared")
    return list(map(str, names))


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    """The second of a name gets a number."""
    told: list[str] = []
    for name in names:
        count = sum(1 for n in told if n == name or n.startswith(f"{name} #"))
        told.append(f"{name} #{count + 1}" if count else name)
    return tuple(told)
