"""Infer what each column of a table is from all its rows, and locate cells that do not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal

import pyarrow as pa

from streamgauge._support.errors import InputError, UsageError, shown
from streamgauge._support.types import Clock, Label, Schema
from streamgauge.streams.columns import check_columns, first_repeated
from streamgauge.streams.formats._column_scan import (
    MAX_NUMERIC_CLASSES,
    ColumnScan,
    not_a_feature,
)
from streamgauge.streams.formats.arrow_cells import EXACT, INTEGER, is_text

Task = Literal["classification", "regression"]

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

    @property
    def given(self) -> dict[str, Any]:
        """What the caller said, by the names of `read`'s arguments."""
        said = {name: each for name, each in vars(self).items() if each is not None and len(each)}
        return {name: each if isinstance(each, str) else [*each] for name, each in said.items()}

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
        repeated = first_repeated(self.features or ())
        if repeated is not None:
            raise UsageError(
                f"features: {repeated!r} appears more than once; list each feature once"
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

    @property
    def class_texts(self) -> tuple[str, ...]:
        """The declared classes as the text of a cell."""
        return tuple(key_of(label) for label in check_declared(self.classes or ()))


def check_task(task: str | None) -> None:
    """Raise an error for an unknown task."""
    if task not in (None, "classification", "regression"):
        raise UsageError(f"task={task!r}; expected 'classification' or 'regression'")


def check_declared(classes: Sequence[Label]) -> tuple[Label, ...]:
    """Return the classes that the caller declares, without surrounding blanks.

    They must be two or more and distinct.
    """
    if isinstance(classes, str) or not isinstance(classes, Iterable):
        raise UsageError(f"classes={classes!r}: expected a list of classes")
    declared = tuple(c.strip() if isinstance(c, str) else c for c in classes)
    for label in declared:
        if not isinstance(label, str | bool | Real) or label != label:
            raise UsageError(f"classes: {label!r} is not a class; expected text or a number")
    distinct = min(len(set(declared)), len({key_of(label) for label in declared}))  # 1 is True
    if len(declared) < 2 or distinct < len(declared):
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
        Columns that the file declares "numeric".
    """
    declared_type = (declared_types or {}).get(name)
    categorical = kind is not None and pa.types.is_dictionary(kind)
    if kind is not None and categorical:
        kind = kind.value_type
    text = kind is not None and _is_text_or_boolean(kind)
    if kind is not None and not (text or _is_numeric(kind)):
        if pa.types.is_temporal(kind) and name != roles.target:
            raise InputError(f"{source}: column {name!r} has type {kind}; {not_a_feature(name)}")
        raise InputError(
            f"{source}: column {name!r} has type {kind}; expected numeric, text, boolean or "
            f"categorical: convert it, or leave it out: drop=[{name!r}] (--drop)"
        )
    is_target = name == roles.target
    classes = None if roles.classes is None or not is_target else roles.class_texts
    nominal = text or categorical or classes is not None or name in roles.nominal
    scan = ColumnScan(name, source, where, nominal, is_target, classes)
    scan.declared = (declared_values or {}).get(name)
    scan.nominal = scan.nominal or scan.declared is not None
    scan.must_be_numeric = declared_type == "numeric" and not scan.nominal
    scan.may_be_time = is_target or name in roles.nominal or scan.declared is not None
    return scan


def _is_text_or_boolean(kind: pa.DataType) -> bool:
    return is_text(kind) or bool(pa.types.is_boolean(kind))


def _is_numeric(kind: pa.DataType) -> bool:
    checks = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal, pa.types.is_null)
    return any(check(kind) for check in checks)


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
        if target.nominal and target.ambiguous:
            raise ambiguous_labels(target.ambiguous, classes, f"{source}: target {roles.target!r}")
        check_classes(classes, source, roles.target)
    elif target.inexact is not None:
        raise target.inexact
    values = tuple(scans[name].ordered() if scans[name].nominal else () for name in features)
    timed = roles.arrives is not None or roles.revealed is not None
    return Schema(features, values, classes, timed, clock)


def check_classes(classes: Sequence[Any], source: str, target: str) -> None:
    """Raise an error unless at least two classes were found."""
    if not classes:
        raise InputError(f"{source}: target {target!r} is empty in every row; expected labels")
    if len(classes) == 1:
        raise InputError(
            f"{source}: target {target!r} is {shown(classes[0])} in every row; expected two or "
            "more classes: if the data are correct, declare all classes: classes=[...]"
        )


def ambiguous_labels(words: Iterable[str], classes: Sequence[Label], what: str) -> InputError:
    """Return the error for labels such as "None", of which only the user knows what they mean."""
    shown = sorted(words)
    known = [label for label in classes if label not in shown]
    return InputError(
        f"{what} holds {shown[0]!r}: is it a class, or a missing label? Declare the classes: "
        f"classes={[*shown, *known]} if it is one of them, classes={known} if the label is missing "
        "there (--classes, once for each); or leave the cells of missing labels empty"
    )


def label_of_type(kind: pa.DataType) -> Callable[[str], Label]:
    """Return the function that turns a cell's text into a label of its column's type."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if pa.types.is_boolean(kind):
        return lambda text: text == "true"
    return _number_or_text if _is_numeric(kind) else str


def label_of_text(target: ColumnScan) -> Callable[[str], Label]:
    """Return the function that turns a text cell into a label: a number if all classes are."""
    values = target.declared or target.values
    return numeric_label if all(map(is_canonical_number, values)) else str


def _number_or_text(text: str) -> Label:
    """Return a number; as text if it has more than 64 bits."""
    try:
        return numeric_label(text)
    except ValueError:
        return text


def is_canonical_number(text: str) -> bool:
    """Return whether the text is the usual spelling of a number; 007 is not."""
    try:
        number = numeric_label(text)
        return text in (str(number), repr(float(number)))
    except ValueError:
        return False


def numeric_label(text: str) -> int | float:
    """Return the number that a class's text spells, an int if possible.

    Integers are exact: those that would be equal as floats are different classes. ValueError if it
    is no number, or an integer of more than 64 bits.
    """
    if INTEGER.fullmatch(text):
        integer = int(text)
        if not -(1 << 63) <= integer < 1 << 64:
            raise ValueError(text)
        return integer
    if "_" in text or not text.isascii():  # Python would accept 1_000
        raise ValueError(text)
    number = float(text)
    return int(number) if number == number // 1 and abs(number) < EXACT else number
