"""Finds out what each column of a table is, by all its rows, and names what does not fit."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import Label, Schema
from streamgauge.streams.formats.arrow_cells import as_text, to_floats

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
        found = tuple(c for c in self.features or columns if c not in taken)
        if "" in found and "" not in (self.features or ()):
            raise InputError(
                f"{source}: column {list(columns).index('') + 1} has no name; expected one. Row "
                "numbers that pandas wrote? drop=['']; else name it"
            )
        return found


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


def _are_numbers(column: pa.Array) -> bool:
    try:
        to_floats(column)
    except pa.ArrowInvalid:
        return False
    return True


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
        if not _are_numbers(column[:1]):
            high = 1
        while high - low > 1:
            middle = (low + high) // 2
            if _are_numbers(column[:middle]):
                low = middle
            else:
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
