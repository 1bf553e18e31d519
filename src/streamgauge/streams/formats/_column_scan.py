"""Scan a column of a table: is it numeric or nominal, what are its values, which cell is wrong?"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.errors import InputError, shown
from streamgauge._support.types import Floats
from streamgauge.streams.formats.arrow_cells import (
    EXACT,
    MISSING,
    all_integers,
    as_text,
    first_inexact,
    is_text,
    to_floats,
)

MAX_NUMERIC_CLASSES = 100  # a target with more different integers is a regression target
_MAX_NOMINAL_VALUES = 50_000
_SAMPLE_ROWS = 100  # values looked at, to tell times from other text
_TIME = re.compile(  # 2013-12-31, 31.12.2013, 12/31/13; then perhaps a time of day and a zone
    r"(\d{4}([-/.])\d\d?\2\d\d?|\d\d?([-/.])\d\d?\3\d{4}|\d\d?/\d\d?/\d\d)"
    r"([T ] ?\d\d?(:?\d\d){0,2}([.,]\d+)? ?([AaPp][Mm])? ?([A-Z]{1,4}|[+-]\d\d:?\d\d)?)?"
)


def not_a_feature(name: str) -> str:
    """Return what to do with a column of times."""
    return (
        "expected a numeric or nominal feature, not a time: name it as the arrival or reveal time "
        f"(arrives={name!r} or revealed={name!r}; --arrives, --revealed), or leave it out: "
        f"drop=[{name!r}] (--drop)"
    )


def _is_numeric(column: pa.Array) -> bool:
    try:
        to_floats(column)
    except pa.ArrowInvalid:
        return False
    return True


def inexact_integer(where: str, name: str, cell: object) -> InputError:
    """Return the error for an integer that a feature or a regression target cannot hold."""
    return InputError(
        f"{where}: column {name!r} is {cell}, an integer beyond 2^53, which loses digits as a "
        f"float64 number; if it is an identifier, leave it out: drop=[{name!r}] (--drop); if it is "
        f"a category, declare it: nominal=[{name!r}] (--nominal); else store it as a float"
    )


def same_but_for_blanks(what: str, one: str, other: str) -> InputError:
    """Return the error for two spellings of a value, which would silently be one."""
    return InputError(
        f"{what} holds {shown(one)} and {shown(other)}, which differ only in surrounding blanks; "
        "expected one spelling: remove the blanks, or declare the classes if these are labels: "
        "classes=[...]"
    )


def _castable(column: pa.Array) -> pa.Array:
    """Convert polars' text, of which Arrow knows too few functions."""
    return pc.cast(column, pa.string()) if pa.types.is_string_view(column.type) else column


def _starts_with_text(column: pa.Array) -> bool:
    """Return whether the first cell is text that begins with a letter, as no number or time does.

    A quick look; the numbers nan and inf begin with a letter, too.
    """
    cell = column[0].as_py() if len(column) else None
    text = cell.strip() if isinstance(cell, str) else ""
    return text[:1].isalpha() and text[0] not in "nNiI" and text not in MISSING


class ColumnScan:
    """Scans a column chunk by chunk: is it numeric or nominal, and what are its values?

    Parameters
    ----------
    name
        The column.
    source, where
        Name the source, and a row of it, in error messages.
    nominal
        Whether the column is declared nominal, or its type is.
    is_target
        Whether the column is the target.
    classes
        The classes that the caller declares, as text; None if they are to be found.

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
    has_values
        Whether a cell was not missing.
    values
        The distinct values seen, of nominal columns and targets.
    all_values
        Whether `values` is complete; a regression target has too many values to keep.
    integral
        Whether all numbers are integers.
    inexact
        The error for the first integer that float64 cannot hold, in a target.
    ambiguous
        The undeclared labels that may be classes or may mean missing, such as "None".
    """

    def __init__(
        self,
        name: str,
        source: str,
        where: Callable[[int], str],
        nominal: bool,
        is_target: bool = False,
        classes: Collection[str] | None = None,
    ) -> None:
        self._name, self._source, self._where = name, source, where
        self._is_target, self._classes = is_target, classes
        self.has_values = False
        self._spelling: dict[str, str] = {}  # value → how it is spelt, with surrounding blanks
        self.nominal = nominal
        self.must_be_numeric = False
        self.may_be_time = True
        self.declared: tuple[str, ...] | None = None
        self.values: set[str] = set()
        self.all_values = True
        self.integral = True
        self.inexact: InputError | None = None
        self.ambiguous: set[str] = set()

    def feed(self, column: pa.Array, start: int, rounded: bool = False) -> None:
        """Scan the cells from row `start` on.

        `rounded` says that the column was text and is now float64, so that integers beyond 2^53 may
        have lost digits.
        """
        if not (self.nominal or self.has_values or self.must_be_numeric):
            self.nominal = _starts_with_text(column)
        if not self.nominal:
            try:
                return self._feed_numeric(column, start, rounded)
            except pa.ArrowInvalid:
                self._check_no_numbers_before_text(column, start)
                self.nominal = True
        if not self.may_be_time:
            self._check_no_times(column)
        self.has_values = True
        self._collect(column)
        if self.declared is not None:
            self._check_declared(column, start)
        if len(self.values) > _MAX_NOMINAL_VALUES:
            raise InputError(
                f"{self._source}: column {self._name!r} has more than {_MAX_NOMINAL_VALUES:,} "
                "different values; expected a numeric or nominal feature: if it is an identifier "
                f"or a date, leave it out: drop=[{self._name!r}]"
            )

    def _feed_numeric(self, column: pa.Array, start: int, rounded: bool) -> None:
        numbers = to_floats(column)
        with np.errstate(invalid="ignore", over="ignore"):
            complete = np.isfinite(numbers.sum())  # no missing and no infinite cells
            large = bool((np.abs(numbers) >= EXACT).any())
        if complete and not large and not self._is_target:
            self.has_values = self.has_values or len(numbers) > 0
            return
        infinite = np.flatnonzero(np.isinf(numbers))
        if len(infinite):
            raise InputError(
                f"{self._where(start + int(infinite[0]))}: column {self._name!r} is infinite; "
                "expected a finite number: correct the cell, or leave it empty if the value is "
                "missing"
            )
        self.has_values = self.has_values or bool((~np.isnan(numbers)).any())
        if large:
            self._check_exact(column, numbers, start, rounded)
        if self._is_target:
            self.integral = self.integral and all_integers(column, numbers)
            if self.all_values:
                self._collect(column)
                self.all_values = len(self.values) <= MAX_NUMERIC_CLASSES

    def _check_exact(self, column: pa.Array, numbers: Floats, start: int, rounded: bool) -> None:
        """Find an integer that float64 cannot hold: an error in a feature, not in a class."""
        i = int(np.argmax(np.abs(numbers) >= EXACT)) if rounded else first_inexact(column, numbers)
        if i is None or self.inexact is not None:
            return
        error = inexact_integer(self._where(start + i), self._name, column[i])
        if not self._is_target or rounded:
            raise error
        self.inexact = error

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
        if self.must_be_numeric or self.has_values or as_text(column[:low]).null_count < low:
            if self.must_be_numeric:
                why, how = "the header declares it numeric", "or declare it nominal in the header"
            else:
                why = "the values before it are numeric"
                how = f"or declare the column nominal: nominal=[{self._name!r}] (--nominal)"
            raise InputError(
                f"{self._where(start + low)}: column {self._name!r} is {shown(str(column[low]))}, "
                f"but {why}; expected a number: correct the cell, leave it empty if the value is "
                f"missing, {how}"
            )

    def _check_no_times(self, column: pa.Array) -> None:
        """Raise an error if the first values of a feature are dates or times."""
        if _starts_with_text(column):
            self.may_be_time = True  # later values are not looked at
            return
        texts = as_text(column)
        valid = np.flatnonzero(texts.is_valid())[:_SAMPLE_ROWS]
        first = [str(texts[int(row)]) for row in valid]
        self.may_be_time = bool(first)  # later values are not looked at
        if first and all(map(_TIME.fullmatch, first)):
            raise InputError(
                f"{self._source}: column {self._name!r} holds times such as {shown(first[0])}; "
                f"{not_a_feature(self._name)}, or declare it nominal: nominal=[{self._name!r}] "
                "(--nominal)"
            )

    def _check_declared(self, column: pa.Array, start: int) -> None:
        undeclared = self.values.difference(self.declared or ())
        if undeclared:
            texts = as_text(column, self._keep)
            places = pc.index_in(pa.array(sorted(undeclared)), value_set=texts)
            first = min(place for place in places.to_pylist() if place is not None)
            cell = shown(str(column[first]))
            raise InputError(
                f"{self._where(start + first)}: column {self._name!r} is {cell}, which the "
                "header does not list; expected one of "
                f"{', '.join((self.declared or ())[:20])}: correct the cell, or add the value to "
                "the header"
            )

    @property
    def _keep(self) -> Collection[str]:
        """The declared values, which are not missing even if they are spelt "None"."""
        return (*(self._classes or ()), *(self.declared or ()))

    def _collect(self, column: pa.Array) -> None:
        if pa.types.is_dictionary(column.type):
            column = pc.take(_castable(column.dictionary), pc.unique(column.indices))
        column = pc.unique(_castable(column))
        texts = as_text(column, self._keep)
        if is_text(column.type):
            self._check_spelling(column, texts)
            if self._is_target:
                self._note_ambiguous(column, texts)
        self.values.update(v for v in texts.to_pylist() if v is not None)

    def note_ambiguous(self, column: pa.Array) -> None:
        """Note labels such as "None" in cells that are not scanned, because they may be missing."""
        if is_text(column.type):
            column = pc.unique(_castable(column))
            self._note_ambiguous(column, as_text(column, self._keep))

    def _note_ambiguous(self, column: pa.Array, texts: pa.Array) -> None:
        words = column.filter(pc.and_(pc.is_null(texts), pc.is_valid(column))).to_pylist()
        if words and self._is_target and self._classes is None:
            self.ambiguous.update({word.strip() for word in words} - {"", "?"})

    def _check_spelling(self, column: pa.Array, texts: pa.Array) -> None:
        """Raise an error for values that differ only in surrounding blanks.

        Declared classes leave no doubt.
        """
        if self._classes is not None or not self.nominal:
            return
        for spelt, value in zip(column.to_pylist(), texts.to_pylist(), strict=True):
            if value is not None and self._spelling.setdefault(value, spelt) != spelt:
                raise same_but_for_blanks(
                    f"{self._source}: column {self._name!r}", self._spelling[value], spelt
                )

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
