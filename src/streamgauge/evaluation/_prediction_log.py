"""Predictions in a log: a file or a data frame, with the labels in it or in another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.durations import Duration, duration
from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import NEVER, Longs
from streamgauge.evaluation._join import Ids, join
from streamgauge.evaluation._recorded_stream import Corrected, Model
from streamgauge.evaluation._score_models import score_models
from streamgauge.rendering.words import unique_names
from streamgauge.runs.runs import Runs
from streamgauge.streams.blocks import at_row
from streamgauge.streams.columns import check_columns
from streamgauge.streams.formats.arrow_cells import (
    as_text,
    check_same_clock,
    first_inexact,
    is_text,
    to_floats,
    to_times,
)
from streamgauge.streams.formats.file_format import format_of
from streamgauge.streams.formats.open_table import open_table
from streamgauge.streams.formats.schema_inference import (
    check_declared,
    is_canonical_number,
    key_of,
    numeric_label,
)
from streamgauge.streams.frame_columns import arrow_columns
from streamgauge.streams.label_codes import as_labels

_JSON_LINES = (".jsonl", ".ndjson")
_UNUSUAL = "^[+]|^-?0.|^-0|[.eE]"  # of integers, how only some are spelled
Proba = str | Mapping[str, str | None]  # a column; or columns with the class of each


def score_log(
    log: Any,
    true: str,
    *,
    pred: str | list[str] | None,
    proba: Proba | list[Proba] | None,
    label_log: Any,
    id: str | None,
    arrives: str | None,
    revealed: str | None,
    timeout: Duration | None,
    name: str | list[str] | None,
    stream: str | None,
    **options: Any,
) -> Runs:
    """Score the models of a log; the arguments are those of `score`."""
    if (label_log is None) != (id is None):
        raise UsageError(
            "a log of labels and the column of the id belong together: pass both label_log=... and "
            "id=... (--labels and --id)"
        )
    models = _models(pred, proba, name)
    classes = options.get("classes")
    texts = () if classes is None else tuple(map(key_of, check_declared(classes)))
    words = classes is not None and all(isinstance(label, str) for label in classes)
    asked = _open(log, "log", [*(c for model in models for c in model.columns), id, arrives])
    answered = _open(log if label_log is None else label_log, "labels", [true, id, revealed])
    times: dict[str, pa.Array] = {}
    if arrives is not None:
        times["arrives"] = asked.times(arrives)
    if revealed is not None:
        times["revealed"] = answered.times(revealed)
    places = {"arrives": f"column {arrives!r} of {asked.shown}"}
    places["revealed"] = f"column {revealed!r} of {answered.shown}"
    check_same_clock({places[option]: each.type for option, each in times.items()}, asked.name)
    truth, skipped = answered[true], {}
    if classes is None and options.get("task") != "regression" and _are_codes(truth):
        columns = [asked[model.pred] for model in models if model.pred is not None]
        words = not any(map(_has_fractions, columns))
    lines: pa.Array = None
    last_event = _latest(times.values())
    if id is not None:
        both = len(times) == 2
        when = (_moments(times["arrives"]), _moments(times["revealed"])) if both else None
        longest = None if timeout is None else duration("timeout", timeout)
        joined = join(asked.ids(id), answered.ids(id), truth, when, longest, texts, words)
        lines, skipped = pa.array(joined.predictions), joined.skipped
        last_event = joined.last_event if both else last_event
        labels = np.concatenate([joined.labels, joined.corrections])
        truth = truth.take(pa.array(labels, mask=labels < 0))
        if both:
            revealed_at = pa.array(joined.revealed, mask=joined.revealed == NEVER)
            times["revealed"] = revealed_at.cast(times["revealed"].type)
        if arrives is not None:
            times["arrives"] = times["arrives"].take(lines)
    values = _values(truth, true, words)
    corrected = None
    if id is not None:
        rows, moments = joined.rows, joined.times if both else None
        corrected = Corrected(rows, moments, as_labels(values[len(lines) :], true))
        values = values[: len(lines)]
    return score_models(
        values,
        [model.load(asked, lines, words) for model in models],
        stream=stream or asked.name,
        skipped=skipped,
        corrected=corrected,
        last_event=last_event,
        timeout=timeout,
        **times,
        **options,
    )


@dataclass(frozen=True)
class _Columns:
    """The columns of one model."""

    name: str
    pred: str | None
    proba: Mapping[str | None, str] | None  # by class; None: the positive one

    @property
    def columns(self) -> list[str]:
        """All of them."""
        return [*([self.pred] if self.pred else []), *(self.proba or {}).values()]

    def load(self, source: _Source, lines: pa.Array | None, words: bool) -> Model:
        """The cells in these lines; predictions as text if the classes are words."""

        def cells(column: str, words: bool = False) -> npt.NDArray[Any]:
            chosen = source[column] if lines is None else source[column].take(lines)
            return _values(chosen, column, words)

        predictions = None
        if self.pred is not None:
            predictions = as_labels(cells(self.pred, words), self.pred)
        if self.proba is None:
            return Model(self.name, predictions, None)
        by_class = {label: cells(column) for label, column in self.proba.items()}
        return Model(self.name, predictions, by_class)


def _models(pred: Any, proba: Any, name: Any) -> list[_Columns]:
    predictions, probabilities, names = (
        None if given is None else given if isinstance(given, list) else [given]
        for given in (pred, proba, name)
    )
    given = [each for each in (predictions, probabilities) if each is not None]
    if not given or not given[0]:
        raise UsageError("no predictions given; expected pred=... or proba=... (--pred, --proba)")
    count = len(given[0])
    if len(given[-1]) != count or (names is not None and len(names) != count):
        raise UsageError(
            f"pred={pred!r}, proba={proba!r}, name={name!r}: expected the same number of each, one "
            "per model, in the same order"
        )
    models = []
    for i in range(count):
        one = None if predictions is None else predictions[i]
        by_class = None if probabilities is None else _by_class(probabilities[i])
        own = one if by_class is None or one is not None else next(iter(by_class.values()))
        models.append(_Columns(str(own if names is None else names[i]), one, by_class))
    unique = unique_names(model.name for model in models)
    return [replace(model, name=each) for model, each in zip(models, unique, strict=True)]


def _by_class(given: Proba) -> dict[str | None, str]:
    """Columns by the class that they are the probability of."""
    if isinstance(given, str):
        return {None: given}
    if not isinstance(given, Mapping) or not given:
        raise UsageError(
            f"proba: got {given!r}; expected a column, or a dict of columns with their classes"
        )
    by_class = {None if c is None else key_of(c): column for column, c in given.items()}
    if len(by_class) < len(given):
        raise UsageError(f"proba={dict(given)}: two columns of the same class; expected one each")
    return by_class


@dataclass(frozen=True)
class _Source:
    """Some columns of a file or frame."""

    name: str
    shown: str  # in error messages
    cells: Mapping[str, pa.Array]
    where: Callable[[int], str]

    def __getitem__(self, column: str) -> pa.Array:
        return self.cells[column]

    def ids(self, column: str) -> Ids:
        return Ids(self.cells[column], column, self.shown, self.where)

    def times(self, column: str) -> pa.Array:
        """The times of a column as integers or timestamps; those with a zone in UTC."""
        kinds: dict[str, pa.DataType] = {}
        times = to_times(self.cells[column], column, self.where, 0, kinds)
        return pa.array(times, mask=times == NEVER).cast(kinds.get(column, pa.int64()))


def _open(given: Any, default: str, columns: Sequence[str | None]) -> _Source:
    """Load columns of a file or frame."""
    asked = [column for column in columns if column is not None]
    if isinstance(given, str | Path):
        path = Path(given)
        if path.is_dir():
            return _open_folder(path, asked)
        if path.suffix.lower() in _JSON_LINES:
            return _open_json_lines(path, asked)
        table = open_table(given)
        check_columns(asked, table.names, str(given))
        name = Path(given).name.removesuffix(".gz").rpartition(".")[0]
        return _Source(name, str(given), table.load_columns(asked), table.where)
    cells = arrow_columns(given)
    check_columns(asked, list(cells), default)
    return _Source(default, default, cells, at_row)


def _open_json_lines(path: Path, columns: Sequence[str]) -> _Source:
    """A file with an object per line."""
    from pyarrow import json

    try:
        table = json.read_json(path)
    except (OSError, pa.ArrowInvalid) as error:
        raise InputError(f"{path}: {error}") from None
    check_columns(columns, table.column_names, str(path))
    cells = {name: table[name].combine_chunks() for name in columns}
    return _Source(path.stem, str(path), cells, lambda line: f"{path}:{line + 1}")


def _open_folder(folder: Path, columns: Sequence[str]) -> _Source:
    """All files of a folder whose format is known, in the order of their names, as one log."""
    files = [
        path for path in sorted(folder.iterdir())
        if path.is_file() and (path.suffix.lower() in _JSON_LINES or format_of(path.name))
    ]  # fmt: skip
    if not files:
        raise InputError(f"{folder}: no file of a format that is known; expected some")
    parts = [_open(path, path.name, columns) for path in files]
    starts = np.cumsum([0, *(len(part.cells[columns[0]]) for part in parts)])

    def where(line: int) -> str:
        place = int(np.searchsorted(starts, line, side="right")) - 1
        return parts[place].where(line - int(starts[place]))

    cells = {name: _one_column([part[name] for part in parts]) for name in columns}
    return _Source(folder.name, str(folder), cells, where)


def _one_column(parts: Sequence[pa.Array]) -> pa.Array:
    """A column of several files; as text if their types differ."""
    plain = [
        each.dictionary_decode() if pa.types.is_dictionary(each.type) else each for each in parts
    ]
    if len({each.type for each in plain}) > 1:
        plain = [as_text(each) for each in plain]
    return pa.concat_arrays(plain)


def _are_codes(column: pa.Array) -> bool:
    """Whether cells of text spell integers, but some not in the usual way: 007 is no number."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary
    if not is_text(column.type):
        return False
    bare = as_text(column)
    unusual = pc.filter(bare, pc.match_substring_regex(bare, _UNUSUAL))
    if not len(unusual) or _has_fractions(column):
        return False
    return not all(is_canonical_number(text) for text in pc.unique(unusual).to_pylist())


def _has_fractions(column: pa.Array) -> bool:
    """Whether a column has numbers that are no integers."""
    try:
        numbers = to_floats(column)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError):
        return False
    known = numbers[~np.isnan(numbers)]
    return bool((known != np.floor(known)).any())


def _latest(times: Iterable[pa.Array]) -> int | None:
    """The latest of all times, in the unit of the stream's clock; None if there is no time."""
    found = [pc.max(each.cast(pa.int64())).as_py() for each in times]
    return max((each for each in found if each is not None), default=None)


def _moments(times: pa.Array) -> Longs:
    return np.asarray(pc.fill_null(times.cast(pa.int64()), NEVER).to_numpy(), np.int64)


def _values(column: pa.Array, name: str, words: bool = False) -> npt.NDArray[Any]:
    """A column as booleans or numbers if all its cells are, else as text; integers are exact.

    `words`: a column of text stays text, even if it spells numbers.
    """
    if pa.types.is_dictionary(column.type):
        values = column.dictionary
        values = pc.cast(values, pa.string()) if is_text(values.type) else values
        column = pc.take(values, column.indices)
    if pa.types.is_boolean(column.type):
        return np.asarray(column.to_numpy(zero_copy_only=False))
    if not (words and is_text(column.type)):
        try:
            numbers = to_floats(column)
            if first_inexact(column, numbers) is None:
                return numbers
            cells = as_text(column).to_pylist()
            return np.array([None if c is None else numeric_label(c) for c in cells], object)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError):
            if not is_text(column.type):
                raise InputError(
                    f"column {name!r} has type {column.type}; expected text, numbers or booleans"
                ) from None
    return np.array([*column.to_pylist(), None], object)[:-1]  # `score` tells which are missing
