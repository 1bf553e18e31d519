"""Infer what each column of a table is from all its rows, and locate cells that do not fit."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import Clock, Label, Schema
from streamgauge.streams.columns import check_columns
from streamgauge.streams.formats.arrow_cells import as_text, to_floats

Task = Literal["classification", "regression"]

MAX_NUMERIC_CLASSES = 100  # a target with more different integers is a regression target
_MAX_NOMINAL_VALUES = 50_000
_SAMPLE_ROWS = 100  # values looked at, to tell times from other text
_TIME = re.compile(  # 2013-12-31, 31.12.2013, 12/31/13; then perhaps a time of day and a zone
    r"(\d{4}([-/.])\d\d?\2\d\d?|\d\d?([-/.])\d\d?\3\d{4}|\d\d?/\d\d?/\d\d)"
    r"([T ] ?\d\d?(:?\d\d){0,2}([.,]\d+)? ?([AaPp][Mm])? ?([A-Z]{1,4}|[+-]\d\d:?\d\d)?)?"
)
UNDECLARED = -2  # the code of a label that is not a declared class


@dataclass(frozen=True)
class Roles:
    """What the caller says about the columns; the rest is inferred."""

    target: str
    features: Sequence[str] | None = None
    drop: Sequence[str] = ()
    nominal: Sequence[str] = ()
    classes: Sequence[Label] | None = None
    arrives: str | None = None
    revealed: str | None = None
    task: Task | None = None

    def feature_names(self, columns: Sequence[str], source: str) -> tuple[str, ...]:
        """Return the feature columns in order; raise an error for a column that does not exist."""
        for option in ("features", "drop", "nominal"):
            if isinstance(getattr(self, option), str):
                name = getattr(self, option)
                raise UsageError(
                    f"{option}={name!r}: expected a list of columns: {option}=[{name!r}]"
                )
        used = [self.target, self.arrives, self.revealed, *(self.features or ())]
        given = [name for name in [*used, *self.drop, *self.nominal] if name is not None]
        check_columns(given, columns, source)
        check_task(self.task)
        for name in self.features or ():
            if list(self.features or ()).count(name) > 1:
                raise UsageError(
                    f"features: {name!r} appears more than once; list each feature once"
                )
        taken = {self.target, self.arrives, self.revealed, *self.drop}
        found = tuple(c for c in self.features or columns if c not in taken)
        if "" in found and "" not in (self.features or ()):
            raise InputError(
                f"{source}: column {list(columns).index('') + 1} has no name; expected a name for "
                "every column: if it is a row index that pandas wrote, pass drop=[''], else add a "
                "name"
            )
        return found


def check_task(task: str | None) -> None:
    """Raise an error for an unknown task."""
    if task not in (None, "classification", "regression"):
        raise UsageError(f"task={task!r}; expected 'classification' or 'regression'")


def check_declared(classes: Sequence[Label]) -> tuple[Label, ...]:
    """Return the classes that the caller declares; they must be two or more and distinct."""
    declared = tuple(classes)
    if len(declared) < 2 or len(set(declared)) < len(declared):
        raise UsageError(f"classes={list(declared)}: expected two or more different classes")
    return declared


def new_scan(
    name: str,
    kind: pa.DataType | None,
    roles: Roles,
    source: str,
    where: Callable[[int], str],
    declared_values: Mapping[str, tuple[str, ...]] | None = None,
    declared_types: Mapping[str, str] | None = None,
) -> ColumnScan:
    """Start the scan of a column.

    Parameters
    ----------
    name
        The column.
    kind
        Its Arrow type; None for text that may spell numbers.
    roles
        What the caller says about the columns.
    source, where
        Name the source, and a row of it, in error messages.
    declared_values
        The values of nominal columns, if the file lists them.
    declared_types
        Columns that the file declares "numeric" or "text".
    """
    declared_type = (declared_types or {}).get(name)
    text = declared_type == "text" or (kind is not None and _is_text(kind))
    numeric = kind is None or pa.types.is_integer(kind) or pa.types.is_floating(kind)
    if kind is not None and not (text or numeric or _is_null_or_decimal(kind)):
        if pa.types.is_temporal(kind) and name != roles.target:
            raise InputError(f"{source}: column {name!r} has type {kind}; {_not_a_feature(name)}")
        raise InputError(
            f"{source}: column {name!r} has type {kind}; expected numeric, text, boolean or "
            f"categorical: convert it, or leave it out: drop=[{name!r}]"
        )
    is_target = name == roles.target
    has_classes = is_target and roles.classes is not None
    scan = ColumnScan(name, source, where, text or has_classes or name in roles.nominal, is_target)
    scan.declared = (declared_values or {}).get(name)
    scan.nominal = scan.nominal or scan.declared is not None
    scan.must_be_numeric = declared_type == "numeric" and not scan.nominal
    scan.may_be_time = is_target or name in roles.nominal or scan.declared is not None
    return scan


def _not_a_feature(name: str) -> str:
    return (
        "expected a numeric or nominal feature, not a time: name it as the arrival or reveal time "
        f"(arrives={name!r} or revealed={name!r}; --arrives, --revealed), or leave it out: "
        f"drop=[{name!r}] (--drop)"
    )


def _is_text(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_string_view(kind)
        or pa.types.is_dictionary(kind)
        or pa.types.is_boolean(kind)
    )


def _is_null_or_decimal(kind: pa.DataType) -> bool:
    return bool(pa.types.is_null(kind) or pa.types.is_decimal(kind))


def _is_numeric(column: pa.Array) -> bool:
    try:
        to_floats(column)
    except pa.ArrowInvalid:
        return False
    return True


class ColumnScan:
    """Scans a column chunk by chunk: is it numeric or nominal, and what are its values?

    Attributes
    ----------
    nominal
        Whether the column is nominal; it may turn nominal at its first value.
    must_be_numeric
        Whether the file declares the column numeric.
    may_be_time
        Whether dates and times are welcome: as a target, or as declared nominal values.
    declared
        The values that the file itself lists.
    values
        The distinct values seen, of nominal columns and targets.
    all_values
        Whether `values` is complete; a regression target has too many values to keep.
    integral
        Whether all numbers are integers.
    """

    def __init__(
        self,
        name: str,
        source: str,
        where: Callable[[int], str],
        nominal: bool,
        is_target: bool = False,
    ) -> None:
        self._name, self._source, self._where = name, source, where
        self._is_target = is_target
        self._has_values = False
        self.nominal = nominal
        self.must_be_numeric = False
        self.may_be_time = True
        self.declared: tuple[str, ...] | None = None
        self.values: set[str] = set()
        self.all_values = True
        self.integral = True

    def feed(self, column: pa.Array, start: int) -> None:
        """Scan the cells from row `start` on."""
        if not self.nominal:
            try:
                return self._feed_numeric(column, start)
            except pa.ArrowInvalid:
                self._check_no_numbers_before_text(column, start)
                self.nominal = True
        if not self.may_be_time:
            self._check_no_times(column)
        self._has_values = True
        self._collect(column)
        if self.declared is not None:
            self._check_declared(column, start)
        if len(self.values) > _MAX_NOMINAL_VALUES:
            raise InputError(
                f"{self._source}: column {self._name!r} has more than {_MAX_NOMINAL_VALUES:,} "
                "different values; expected a numeric or nominal feature: if it is an identifier "
                f"or a date, leave it out: drop=[{self._name!r}]"
            )

    def _feed_numeric(self, column: pa.Array, start: int) -> None:
        numbers = to_floats(column)
        with np.errstate(invalid="ignore", over="ignore"):
            complete = np.isfinite(numbers.sum())  # no missing and no infinite cells
        if complete and not self._is_target:
            self._has_values = self._has_values or len(numbers) > 0
            return
        infinite = np.flatnonzero(np.isinf(numbers))
        if len(infinite):
            raise InputError(
                f"{self._where(start + int(infinite[0]))}: column {self._name!r} is infinite; "
                "expected a finite number: correct the cell, or leave it empty if the value is "
                "missing"
            )
        self._has_values = self._has_values or bool((~np.isnan(numbers)).any())
        if self._is_target:
            known = numbers[~np.isnan(numbers)]
            self.integral = self.integral and bool((known == np.floor(known)).all())
            if self.all_values:
                self._collect(column)
                self.all_values = len(self.values) <= MAX_NUMERIC_CLASSES

    def _check_no_numbers_before_text(self, column: pa.Array, start: int) -> None:
        """Raise an error, with the row of the first text, if numbers come before it."""
        low, high = 0, len(column)  # column[:low] is numeric, column[:high] is not
        if not _is_numeric(column[:1]):
            high = 1
        while high - low > 1:
            middle = (low + high) // 2
            if _is_numeric(column[:middle]):
                low = middle
            else:
                high = middle
        if self.must_be_numeric or self._has_values or column[:low].null_count < low:
            if self.must_be_numeric:
                why, how = "the header declares it numeric", "or declare it nominal in the header"
            else:
                why = "the values before it are numeric"
                how = f"or declare the column nominal: nominal=[{self._name!r}]"
            raise InputError(
                f"{self._where(start + low)}: column {self._name!r} is {str(column[low])!r}, but "
                f"{why}; expected a number: correct the cell, leave it empty if the value is "
                f"missing, {how}"
            )

    def _check_no_times(self, column: pa.Array) -> None:
        """Raise an error if the first values of a feature are dates or times."""
        valid = np.flatnonzero(column.is_valid())[:_SAMPLE_ROWS]
        first = [str(column[int(row)]) for row in valid]
        self.may_be_time = bool(first)  # later values are not looked at
        if first and all(map(_TIME.fullmatch, first)):
            raise InputError(
                f"{self._source}: column {self._name!r} holds times such as {first[0]!r}; "
                f"{_not_a_feature(self._name)}, or declare it nominal: nominal=[{self._name!r}] "
                "(--nominal)"
            )

    def _check_declared(self, column: pa.Array, start: int) -> None:
        undeclared = self.values.difference(self.declared or ())
        if undeclared:
            places = pc.index_in(pa.array(sorted(undeclared)), value_set=as_text(column))
            first = min(place for place in places.to_pylist() if place is not None)
            raise InputError(
                f"{self._where(start + first)}: column {self._name!r} is {str(column[first])!r}, "
                "which the header does not list; expected one of "
                f"{', '.join((self.declared or ())[:20])}: correct the cell, or add the value to "
                "the header"
            )

    def _collect(self, column: pa.Array) -> None:
        if pa.types.is_dictionary(column.type):
            column = pc.take(as_text(column.dictionary), pc.unique(column.indices))
        self.values.update(v for v in pc.unique(as_text(column)).to_pylist() if v is not None)

    @property
    def classification(self) -> bool:
        """Whether the column, as a target, holds classes."""
        return self.nominal or (self.integral and self.all_values)

    def ordered(self) -> tuple[str, ...]:
        """Return the values as declared, else numbers by size and text alphabetically."""
        if self.declared is not None:
            return self.declared
        try:
            return tuple(sorted(self.values, key=lambda text: (float(text), text)))
        except ValueError:
            return tuple(sorted(self.values))


def key_of(label: Label) -> str:
    """Return a class as the text of a cell: true or false for a boolean, else its `str`."""
    return ("true" if label else "false") if isinstance(label, bool) else str(label)


def make_schema(
    roles: Roles,
    features: tuple[str, ...],
    scans: dict[str, ColumnScan],
    source: str,
    label_of: Callable[[str], Label] = str,
    clock: Clock = "integers",
) -> Schema:
    """Make the schema from the finished scans; `label_of` turns a cell's text into a label."""
    classes: tuple[Label, ...] = ()
    target = scans[roles.target]
    if roles.classes is not None:
        classes = check_declared(roles.classes)
        if roles.task == "regression":
            raise UsageError(
                "classes=... and task='regression' contradict each other; pass only one of them"
            )
    elif roles.task == "regression" and target.nominal:
        raise UsageError(
            f"{source}: target {roles.target!r} is text; task='regression' expects a numeric target"
        )
    elif roles.task == "classification" or (roles.task is None and target.classification):
        if not target.all_values:
            raise UsageError(
                f"{source}: target {roles.target!r} has more than {MAX_NUMERIC_CLASSES} different "
                "numeric values; if they are classes, declare them: classes=[...]"
            )
        classes = tuple(dict.fromkeys(map(label_of, target.ordered())))
        check_classes(classes, source, roles.target)
    values = tuple(scans[name].ordered() if scans[name].nominal else () for name in features)
    timed = roles.arrives is not None or roles.revealed is not None
    return Schema(features, values, classes, timed, clock)


def check_classes(classes: Sequence[Any], source: str, target: str) -> None:
    """Raise an error unless at least two classes were found."""
    if not classes:
        raise InputError(f"{source}: target {target!r} is empty in every row; expected labels")
    if len(classes) == 1:
        raise InputError(
            f"{source}: target {target!r} is {classes[0]!r} in every row; expected two or more "
            "classes: if the data are correct, declare all classes: classes=[...]"
        )


def label_of_type(kind: pa.DataType) -> Callable[[str], Label]:
    """Return the function that turns a cell's text into a label of its column's type."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if pa.types.is_boolean(kind):
        return lambda text: text == "true"
    return numeric_label if pa.types.is_integer(kind) or pa.types.is_floating(kind) else str


def label_of_text(target: ColumnScan) -> Callable[[str], Label]:
    """Return the function that turns a text cell into a label: a number if all classes are."""
    values = target.declared or target.values
    return numeric_label if all(map(_is_canonical_number, values)) else str


def _is_canonical_number(text: str) -> bool:
    """Return whether the text is the usual spelling of a number; 007 is not."""
    try:
        number = numeric_label(text)
    except ValueError:
        return False
    return text in (str(number), repr(float(number)))


def numeric_label(text: str) -> Label:
    """Return the number that a class's text spells, an int if possible."""
    number = float(text)
    return int(number) if math.isfinite(number) and number == int(number) else number
