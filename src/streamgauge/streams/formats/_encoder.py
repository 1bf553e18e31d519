"""Encode Arrow columns, or chunks of a CSV file, as blocks of one schema."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.errors import InputError, UsageError, shown
from streamgauge._support.types import NEVER, UNKNOWN, Block, Codes, Floats, Longs, Schema, Targets
from streamgauge.streams.formats.arrow_cells import as_text, check_same_clock, to_floats, to_times
from streamgauge.streams.formats.csv.chunk import Chunk
from streamgauge.streams.formats.schema_inference import UNDECLARED, Roles, key_of, numeric_label

_MAX_CACHED = 8  # encoded dictionaries of a column: each parser has its own dictionary

Columns = Mapping[str, pa.Array] | Chunk


class Encoder:
    """Turns batches of columns into blocks.

    Parameters
    ----------
    roles
        What the columns are for.
    schema
        The schema of the blocks.
    source, where
        Name the source, and a row of it, in error messages.
    """

    def __init__(
        self, roles: Roles, schema: Schema, source: str, where: Callable[[int], str]
    ) -> None:
        self.roles, self.schema = roles, schema
        self._source, self._where = source, where
        classes = schema.classes
        self._codes = {key_of(label): i for i, label in enumerate(classes)}
        self._keep = tuple(self._codes)  # a declared class "None" is not a missing label
        self._numeric_codes = {c: i for i, c in enumerate(classes) if not isinstance(c, str | bool)}
        self._values = {
            j: pa.array(values, pa.string()) for j, values in enumerate(schema.values) if values
        }
        self._time_kinds: dict[str, pa.DataType] = {}
        self._cache: dict[str, dict[int, tuple[pa.Array, Any]]] = {}

    def block(self, columns: Columns, start: int) -> Block:
        """Encode rows from `start` on."""
        y = self._labels(columns, start)
        X = self.features(columns, len(y))
        arrives, revealed = self._times(columns, start)
        return Block(start, X, y, arrives, revealed)

    def features(self, columns: Columns, rows: int) -> Floats:
        """Return rows × features; nominal values as codes."""
        names = self.schema.features
        if isinstance(columns, Chunk):
            return columns.matrix(names, self._values_of)
        X = np.empty((rows, len(names)))
        for j, name in enumerate(names):
            X[:, j] = self._feature(j, columns[name])
        return X

    def _values_of(self, j: int, texts: pa.Array) -> Floats:
        """The values of the distinct texts of a feature."""
        values: Floats = self._encoded(self.schema.features[j], texts, partial(self._feature, j))
        return values

    def _encoded(self, name: str, texts: pa.Array, encode: Callable[[pa.Array], Any]) -> Any:
        """Encode the distinct texts of a column; cached, because chunks share them."""
        cache = self._cache.setdefault(name, {})
        key = id(texts)
        if key not in cache:
            if len(cache) == _MAX_CACHED:
                del cache[next(iter(cache))]  # the oldest
            cache[key] = texts, encode(texts)  # keeps `texts` alive, so that its id stays unique
        return cache[key][1]

    def _feature(self, j: int, column: pa.Array) -> Floats:
        if not self.schema.values[j]:
            return to_floats(column)
        keep = self.schema.values[j]
        if pa.types.is_dictionary(column.type):  # look up each distinct value once
            codes = pc.index_in(as_text(column.dictionary, keep), value_set=self._values[j])
            return to_floats(pc.take(codes, column.indices))
        return to_floats(pc.index_in(as_text(column, keep), value_set=self._values[j]))

    def _labels(self, columns: Columns, start: int) -> Targets:
        name = self.roles.target
        if isinstance(columns, Chunk) and columns.is_text(name) and not self.schema.regression:
            codes, texts = columns.encoded(name)
            classes = self._encoded(name, texts, self._classes)
            y: Targets = classes.take(codes)  # faster than classes[codes]
            self._check(y, lambda i: texts[codes[i]].as_py(), lambda i: start + i)
            return y
        column = columns[name]
        return self.target(column, np.arange(start, start + len(column)))

    def target(self, column: pa.Array, rows: Longs) -> Targets:
        """Encode labels; `rows` are their row numbers, for error messages."""
        if self.schema.regression:
            return to_floats(column)
        if pa.types.is_dictionary(column.type):
            cells = column
        else:
            cells = pc.dictionary_encode(as_text(column, self._keep))
        classes = np.append(self._classes(cells.dictionary), np.int32(UNKNOWN))  # of a null
        codes = pc.fill_null(cells.indices.cast(pa.int64()), len(classes) - 1).to_numpy()
        y: Targets = classes[codes]
        self._check(y, lambda i: cells[i].as_py(), lambda i: int(rows[i]))
        return y

    def _classes(self, cells: pa.Array) -> Codes:
        texts = as_text(cells, self._keep).to_pylist()
        codes = [UNKNOWN if text is None else self._code(text) for text in texts]
        return np.array(codes, np.int32)

    def _check(
        self, y: Targets, cell_of: Callable[[int], Any], row_of: Callable[[int], int]
    ) -> None:
        if len(y) == 0 or y.min() > UNDECLARED:
            return
        i = int(np.argmax(y == UNDECLARED))
        classes = ", ".join(map(str, self.schema.classes))
        raise InputError(
            f"{self._where(row_of(i))}: label {shown(cell_of(i))} is not one of the declared "
            f"classes ({classes}); add it to them, or leave the cell empty if the label is unknown",
            row=row_of(i),
        )

    def _code(self, text: str) -> int:
        """Return the class code of a cell; numbers match by value (1.0 is 1), True is true."""
        if text in self._codes:
            return self._codes[text]
        if self._numeric_codes:
            try:
                return self._numeric_codes.get(numeric_label(text), UNDECLARED)
            except ValueError:
                return UNDECLARED
        boolean = all(isinstance(label, bool) for label in self.schema.classes)
        return self._codes.get(text.lower(), UNDECLARED) if boolean else UNDECLARED

    def _times(self, columns: Columns, start: int) -> Iterable[Longs | None]:
        for name in (self.roles.arrives, self.roles.revealed):
            if name is None:
                yield None
                continue
            times = to_times(columns[name], name, self._where, start, self._time_kinds)
            if self.roles.arrives is None and pa.types.is_timestamp(self._time_kinds.get(name)):
                raise UsageError(
                    f"{self._source}: column {name!r} holds timestamps, but without an arrival "
                    "column a row arrives at its row number; name the arrival column: "
                    "arrives=... (--arrives)"
                )
            if name == self.roles.arrives and (times == NEVER).any():
                i = int(np.argmax(times == NEVER))
                raise InputError(
                    f"{self._where(start + i)}: no arrival time in column {name!r}; expected one "
                    "in every row: fill it in or remove the row",
                    row=start + i,
                )
            kinds = {f"column {column!r}": kind for column, kind in self._time_kinds.items()}
            check_same_clock(kinds, self._source)
            yield times
