"""From Arrow columns to blocks: find out what each column is, encode it, name what does not fit."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge.errors import InputError, UsageError
from streamgauge.streams.cells import as_text, to_floats, to_times
from streamgauge.streams.quick_csv import Piece
from streamgauge.types import NEVER, UNKNOWN, Block, Floats, Label, Longs, Schema, Targets

Task = Literal["classification", "regression"]

MOST_CLASSES_OF_NUMBERS = 100  # whole numbers with more different values are a quantity
_MOST_VALUES = 50_000
FOREIGN = -2  # a label that is no class


@dataclass(frozen=True)
class Roles:
    """What the caller says of the columns; the rest is found out."""

    target: str
    features: Sequence[str] | None = None
    drop: Sequence[str] = ()
    nominal: Sequence[str] = ()
    classes: Sequence[Label] | None = None
    arrives: str | None = None
    revealed: str | None = None
    task: Task | None = None

    def feature_names(self, columns: Sequence[str], source: str) -> tuple[str, ...]:
        """The feature columns, in order; every name the caller gave must exist."""
        for option in ("features", "drop", "nominal"):
            if isinstance(getattr(self, option), str):
                name = getattr(self, option)
                raise UsageError(f"{option}={name!r}: expected a list: {option}=[{name!r}]")
        asked = [self.target, self.arrives, self.revealed, *(self.features or ())]
        given = [name for name in [*asked, *self.drop, *self.nominal] if name is not None]
        check_columns(given, columns, source)
        check_task(self.task)
        for name in self.features or ():
            if list(self.features or ()).count(name) > 1:
                raise UsageError(f"features: {name!r} stands more than once; name each once")
        taken = {self.target, self.arrives, self.revealed, *self.drop}
        return tuple(c for c in self.features or columns if c not in taken)


def check_task(task: str | None) -> None:
    """What a target can be, if the caller says so."""
    if task not in (None, "classification", "regression"):
        raise UsageError(f"task={task!r}: it is 'classification' or 'regression'")


def check_declared(classes: Sequence[Label]) -> tuple[Label, ...]:
    """The classes the caller names: two or more, each once."""
    named = tuple(classes)
    if len(named) < 2 or len(set(named)) < len(named):
        raise UsageError(f"classes={list(named)}: expected two classes or more, each once")
    return named


def check_columns(names: Sequence[str], columns: Sequence[str], source: str) -> None:
    """Every name given is a column, and no column's name stands twice."""
    repeated = sorted({c for c in columns if list(columns).count(c) > 1})
    if repeated:
        raise InputError(
            f"{source}: column name {repeated[0]!r} stands more than once; expected different "
            "names: rename one"
        )
    for name in names:
        if name not in columns:
            close = difflib.get_close_matches(str(name), columns, 1)
            hint = f" (did you mean {close[0]!r}?)" if close else ""
            shown = ", ".join(map(str, columns))
            raise UsageError(f"{source}: no column {name!r}{hint}; it has {shown}")


def new_scan(
    name: str,
    kind: pa.DataType | None,
    roles: Roles,
    where: Callable[[int], str],
    declared: Mapping[str, tuple[str, ...]] | None = None,
    said: Mapping[str, str] | None = None,
) -> ColumnScan:
    """For a column of this type (None: text that may be numbers), or one whose values are known, or
    which is said to be "numbers" or "text"."""
    text = (said or {}).get(name) == "text" or (kind is not None and _is_text(kind))
    numbers = kind is None or pa.types.is_integer(kind) or pa.types.is_floating(kind)
    if kind is not None and not (text or numbers or _is_empty(kind)):
        raise InputError(
            f"column {name!r} is of type {kind}; expected numbers, text, booleans or categories: "
            f"convert it, or drop=[{name!r}]"
        )
    is_target = name == roles.target
    named = is_target and roles.classes is not None
    scan = ColumnScan(name, where, text or named or name in roles.nominal, is_target)
    scan.declared = (declared or {}).get(name)
    scan.nominal = scan.nominal or scan.declared is not None
    scan.must_be_numbers = (said or {}).get(name) == "numbers" and not scan.nominal
    return scan


def _is_text(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_string_view(kind)
        or pa.types.is_dictionary(kind)
        or pa.types.is_boolean(kind)
    )


def _is_empty(kind: pa.DataType) -> bool:
    return bool(pa.types.is_null(kind) or pa.types.is_decimal(kind))


class ColumnScan:
    """Looks at a column piece by piece: numbers or nominal values, and which."""

    def __init__(
        self, name: str, where: Callable[[int], str], nominal: bool, is_target: bool = False
    ) -> None:
        self._name, self._where, self._is_target = name, where, is_target
        self._any = False
        self.nominal = nominal
        self.must_be_numbers = False  # the file says so
        self.whole = True  # numbers without fractions
        self.values: set[str] = set()
        self.distinct = True  # are `values` all values? a quantity has too many to keep
        self.declared: tuple[str, ...] | None = None  # the values the file itself lists

    def feed(self, column: pa.Array, start: int) -> None:
        """The column's cells from row `start` on."""
        if not self.nominal:
            try:
                return self._feed_numbers(column, start)
            except pa.ArrowInvalid:
                self._must_be_first(column, start)
                self.nominal = True
        self._any = True
        self._remember(column)
        if self.declared is not None:
            self._must_be_declared(column, start)
        if len(self.values) > _MOST_VALUES:
            raise InputError(
                f"column {self._name!r} has more than {_MOST_VALUES:,} different values; expected "
                f"numbers or a nominal feature: an identifier or a date? drop=[{self._name!r}]"
            )

    def _feed_numbers(self, column: pa.Array, start: int) -> None:
        numbers = to_floats(column)
        with np.errstate(invalid="ignore", over="ignore"):
            complete = np.isfinite(numbers.sum())  # none missing, none infinite
        if complete and not self._is_target:
            self._any = self._any or len(numbers) > 0
            return
        infinite = np.flatnonzero(np.isinf(numbers))
        if len(infinite):
            raise InputError(
                f"{self._where(start + int(infinite[0]))}: column {self._name!r} is infinite; "
                "expected a finite number or an empty cell: repair it or leave the cell empty"
            )
        self._any = self._any or bool((~np.isnan(numbers)).any())
        if self._is_target:
            known = numbers[~np.isnan(numbers)]
            self.whole = self.whole and bool((known == np.floor(known)).all())
            if self.distinct:
                self._remember(column)
                self.distinct = len(self.values) <= MOST_CLASSES_OF_NUMBERS

    def _must_be_first(self, column: pa.Array, start: int) -> None:
        """Text after numbers is no type: say where it begins."""
        low, high = 0, len(column)  # the first `low` cells are numbers, the first `high` are not
        while high - low > 1:
            middle = (low + high) // 2
            try:
                to_floats(column[:middle])
                low = middle
            except pa.ArrowInvalid:
                high = middle
        if self.must_be_numbers or self._any or column[:low].null_count < low:
            raise InputError(
                f"{self._where(start + low)}: column {self._name!r} is {str(column[low])!r} after "
                f"numbers only; expected a number: repair the cell, leave it empty if it is "
                f"missing, or declare the column: nominal=[{self._name!r}]"
            )

    def _must_be_declared(self, column: pa.Array, start: int) -> None:
        foreign = self.values.difference(self.declared or ())
        if foreign:
            row = pc.index_in(pa.array(sorted(foreign)), value_set=as_text(column))
            first = min(place for place in row.to_pylist() if place is not None)
            raise InputError(
                f"{self._where(start + first)}: column {self._name!r} is {str(column[first])!r}, "
                "which the header does not list; expected one of "
                f"{', '.join((self.declared or ())[:20])}: add it there"
            )

    def _remember(self, column: pa.Array) -> None:
        if pa.types.is_dictionary(column.type):
            column = pc.take(as_text(column.dictionary), pc.unique(column.indices))
        self.values.update(v for v in pc.unique(as_text(column)).to_pylist() if v is not None)

    @property
    def classification(self) -> bool:
        """As a target: are these classes rather than a quantity?"""
        return self.nominal or (self.whole and self.distinct)

    def ordered(self) -> tuple[str, ...]:
        """The values in the order declared, or else in their natural one: numbers by size, text by
        the alphabet."""
        if self.declared is not None:
            return self.declared
        try:
            return tuple(sorted(self.values, key=lambda text: (float(text), text)))
        except ValueError:
            return tuple(sorted(self.values))


@dataclass(frozen=True)
class Encoder:
    """Turns batches of columns into blocks of one schema."""

    roles: Roles
    schema: Schema
    where: Callable[[int], str]
    _codes: dict[str, int] = field(init=False, repr=False)
    _numbers: dict[float, int] = field(init=False, repr=False)
    _value_keys: tuple[pa.Array, ...] = field(init=False, repr=False)
    _time_kinds: dict[str, pa.DataType] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        classes = self.schema.classes
        codes = {key_of(label): i for i, label in enumerate(classes)}
        numbers = {c: i for i, c in enumerate(classes) if not isinstance(c, str | bool)}
        object.__setattr__(self, "_codes", codes)
        object.__setattr__(self, "_numbers", numbers)
        values = tuple(pa.array(v, pa.string()) for v in self.schema.values)
        object.__setattr__(self, "_value_keys", values)

    def block(self, columns: Mapping[str, pa.Array] | Piece, start: int) -> Block:
        """Rows from `start` on."""
        target = columns[self.roles.target]
        X = self.features(columns, len(target))
        y = self.target(target, np.arange(start, start + len(target)))
        arrives, revealed = self._times(columns, start)
        return Block(start, X, y, arrives, revealed)

    def features(self, columns: Mapping[str, pa.Array] | Piece, rows: int) -> Floats:
        """Rows × features."""
        names = self.schema.features
        if isinstance(columns, Piece):
            X, rest = columns.matrix(names)
        else:
            X, rest = np.empty((rows, len(names))), list(range(len(names)))
        for j in rest:
            coded = columns.coded(names[j]) if isinstance(columns, Piece) else None
            if coded is not None:  # look each value up once
                X[:, j] = self._feature(coded[1], j)[coded[0]]
            else:
                X[:, j] = self._feature(columns[names[j]], j)
        return X

    def _feature(self, column: pa.Array, j: int) -> Floats:
        if not self.schema.values[j]:
            return to_floats(column)
        if pa.types.is_dictionary(column.type):  # look each value up once
            places = pc.index_in(as_text(column.dictionary), value_set=self._value_keys[j])
            return to_floats(pc.take(places, column.indices))
        return to_floats(pc.index_in(as_text(column), value_set=self._value_keys[j]))

    def target(self, column: pa.Array, rows: Longs) -> Targets:
        """Labels as codes or numbers; `rows`: where each stands."""
        if self.schema.regression:
            return to_floats(column)
        if pa.types.is_dictionary(column.type):
            cells = pa.DictionaryArray.from_arrays(column.indices, as_text(column.dictionary))
        else:
            cells = pc.dictionary_encode(as_text(column))
        words = [*cells.dictionary.to_pylist(), None]  # the last for cells without a place
        codes = [UNKNOWN if word is None else self._code(word) for word in words]
        places = np.asarray(pc.fill_null(cells.indices, len(codes) - 1).to_numpy())
        y: Targets = np.array(codes, np.int32)[places]
        foreign = np.flatnonzero(y == FOREIGN)
        if len(foreign):
            i = int(foreign[0])
            shown = ", ".join(map(str, self.schema.classes))
            raise InputError(
                f"{self.where(int(rows[i]))}: label {cells[i].as_py()!r} is not one of the "
                f"declared classes ({shown}); declare it too, or leave the cell empty if it "
                "is unknown",
                row=int(rows[i]),
            )
        return y

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

    def _times(self, columns: Mapping[str, pa.Array] | Piece, start: int) -> Iterable[Longs | None]:
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
            yield times


def key_of(label: Label) -> str:
    """A class as the text by which cells are matched."""
    return ("true" if label else "false") if isinstance(label, bool) else str(label)


def make_schema(
    roles: Roles,
    features: tuple[str, ...],
    scans: dict[str, ColumnScan],
    source: str,
    label_of: Callable[[str], Label] = str,
) -> Schema:
    """The schema the scans add up to."""
    classes: tuple[Label, ...] = ()
    target = scans[roles.target]
    if roles.classes is not None:
        classes = check_declared(roles.classes)
        if roles.task == "regression":
            raise UsageError("classes=... and task='regression' contradict each other")
    elif roles.task == "regression" and target.nominal:
        raise UsageError(f"{source}: target {roles.target!r} is text, so not for regression")
    elif roles.task == "classification" or (roles.task is None and target.classification):
        if not target.distinct:
            raise UsageError(
                f"{source}: target {roles.target!r} has more than {MOST_CLASSES_OF_NUMBERS} "
                "different numbers; declare the classes=[...] if they are classes"
            )
        classes = tuple(dict.fromkeys(map(label_of, target.ordered())))
        check_classes(classes, source, roles.target)
    values = tuple(scans[name].ordered() if scans[name].nominal else () for name in features)
    timed = roles.arrives is not None or roles.revealed is not None
    return Schema(features, values, classes, timed)


def check_classes(classes: Sequence[Any], source: str, target: str) -> None:
    """Fewer than two classes are nothing to classify."""
    if not classes:
        raise InputError(f"{source}: target {target!r} is empty in every row; expected labels")
    if len(classes) == 1:
        raise InputError(
            f"{source}: target {target!r} is {classes[0]!r} in every row; expected two classes "
            "or more: if the data are right, declare them all: classes=[...]"
        )


def label_of_type(kind: pa.DataType) -> Callable[[str], Label]:
    """How a class, matched as text, looks in its own type."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if pa.types.is_boolean(kind):
        return lambda text: text == "true"
    return number_label if pa.types.is_integer(kind) or pa.types.is_floating(kind) else str


def number_label(text: str) -> Label:
    """A class that is a number, as that number again."""
    number = float(text)
    return int(number) if math.isfinite(number) and number == int(number) else number
