"""From Arrow columns, or pieces of a CSV file, to blocks of one schema."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import NEVER, UNKNOWN, Block, Codes, Floats, Longs, Schema, Targets
from streamgauge.streams.formats.arrow_cells import as_text, to_floats, to_times
from streamgauge.streams.formats.csv.chunk import Piece
from streamgauge.streams.formats.csv.kernels import spread
from streamgauge.streams.formats.schema_inference import FOREIGN, Roles, key_of

_MOST_MEANINGS = 8  # of a column are remembered: each of the threads that parse has its own words

Columns = Mapping[str, pa.Array] | Piece


class Encoder:
    """Turns batches of columns into blocks of one schema."""

    def __init__(self, roles: Roles, schema: Schema, where: Callable[[int], str]) -> None:
        self.roles, self.schema, self.where = roles, schema, where
        classes = schema.classes
        self._codes = {key_of(label): i for i, label in enumerate(classes)}
        self._numbers = {c: i for i, c in enumerate(classes) if not isinstance(c, str | bool)}
        self._value_keys = tuple(pa.array(values, pa.string()) for values in schema.values)
        self._time_kinds: dict[str, pa.DataType] = {}
        self._meanings: dict[str, dict[int, tuple[pa.Array, Any]]] = {}

    def block(self, columns: Columns, start: int) -> Block:
        """Rows from `start` on."""
        y = self._labels(columns, start)
        X = self.features(columns, len(y))
        arrives, revealed = self._times(columns, start)
        return Block(start, X, y, arrives, revealed)

    def features(self, columns: Columns, rows: int) -> Floats:
        """Rows × features."""
        names = self.schema.features
        if isinstance(columns, Piece):
            X, texts = columns.matrix(names)
            for j in texts:
                codes, words = columns.coded(names[j])
                spread(self._meaning(names[j], words, partial(self._feature, j)), codes, X, j)
            return X
        X = np.empty((rows, len(names)))
        for j, name in enumerate(names):
            X[:, j] = self._feature(j, columns[name])
        return X

    def _meaning(self, name: str, words: pa.Array, make: Callable[[pa.Array], Any]) -> Any:
        """What a piece's words are as cells of this column: pieces share words, which are looked
        up once."""
        known = self._meanings.setdefault(name, {})
        key = id(words)
        if key not in known:
            if len(known) == _MOST_MEANINGS:
                del known[next(iter(known))]  # the oldest
            known[key] = words, make(words)  # held: another object has another id
        return known[key][1]

    def _feature(self, j: int, column: pa.Array) -> Floats:
        if not self.schema.values[j]:
            return to_floats(column)
        if pa.types.is_dictionary(column.type):  # look each value up once
            places = pc.index_in(as_text(column.dictionary), value_set=self._value_keys[j])
            return to_floats(pc.take(places, column.indices))
        return to_floats(pc.index_in(as_text(column), value_set=self._value_keys[j]))

    def _labels(self, columns: Columns, start: int) -> Targets:
        name = self.roles.target
        if isinstance(columns, Piece) and columns.is_text(name) and not self.schema.regression:
            codes, words = columns.coded(name)
            y: Targets = self._meaning(name, words, lambda words: self._classes(words.to_pylist()))[
                codes
            ]
            self._check(y, lambda i: words[codes[i]].as_py(), lambda i: start + i)
            return y
        column = columns[name]
        return self.target(column, np.arange(start, start + len(column)))

    def target(self, column: pa.Array, rows: Longs) -> Targets:
        """Labels as codes or numbers; `rows`: where each stands."""
        if self.schema.regression:
            return to_floats(column)
        if pa.types.is_dictionary(column.type):
            cells = pa.DictionaryArray.from_arrays(column.indices, as_text(column.dictionary))
        else:
            cells = pc.dictionary_encode(as_text(column))
        codes = self._classes(
            [*cells.dictionary.to_pylist(), None]
        )  # the last: cells without a place
        places = np.asarray(pc.fill_null(cells.indices, len(codes) - 1).to_numpy())
        y: Targets = codes[places]
        self._check(y, lambda i: cells[i].as_py(), lambda i: int(rows[i]))
        return y

    def _classes(self, words: Iterable[str | None]) -> Codes:
        codes = [UNKNOWN if word is None else self._code(word) for word in words]
        return np.array(codes, np.int32)

    def _check(
        self, y: Targets, text_of: Callable[[int], str], row_of: Callable[[int], int]
    ) -> None:
        if len(y) == 0 or y.min() > FOREIGN:
            return
        i = int(np.argmax(y == FOREIGN))
        shown = ", ".join(map(str, self.schema.classes))
        raise InputError(
            f"{self.where(row_of(i))}: label {text_of(i)!r} is not one of the declared classes "
            f"({shown}); declare it too, or leave the cell empty if it is unknown",
            row=row_of(i),
        )

    def _code(self, text: str) -> int:
        """The class a cell names; declared numbers go by value (1.0 is 1), True is true."""
        if text in self._codes:
            return self._codes[text]
        if self._numbers:
            try:
                return self._numbers.get(float(text), FOREIGN)
            except ValueError:
                return FOREIGN
        boolean = all(isinstance(label, bool) for label in self.schema.classes)
        return self._codes.get(text.lower(), FOREIGN) if boolean else FOREIGN

    def _times(self, columns: Columns, start: int) -> Iterable[Longs | None]:
        for name in (self.roles.arrives, self.roles.revealed):
            if name is None:
                yield None
                continue
            times = to_times(columns[name], name, self.where, start, self._time_kinds)
            if self.roles.arrives is None and pa.types.is_timestamp(self._time_kinds.get(name)):
                raise UsageError(
                    f"column {name!r} holds points in time, but without an arrival column rows "
                    "arrive at their row number; name it too: arrives=... (--arrives)"
                )
            if name == self.roles.arrives and (times == NEVER).any():
                i = int(np.argmax(times == NEVER))
                raise InputError(
                    f"{self.where(start + i)}: no arrival time in column {name!r}; every row "
                    "arrives: fill it in or remove the row",
                    row=start + i,
                )
            self._check_clock()
            yield times

    def _check_clock(self) -> None:
        """Arrivals and reveals are points on one axis."""
        kinds = [
            "whole numbers"
            if not pa.types.is_timestamp(kind)
            else f"times {'without' if kind.tz is None else 'with'} a time zone"
            for kind in self._time_kinds.values()
        ]
        if len(set(kinds)) > 1:
            raise InputError(
                f"columns {self.roles.arrives!r} and {self.roles.revealed!r}: the one holds "
                f"{kinds[0]}, the other {kinds[1]}; expected one kind in both"
            )
