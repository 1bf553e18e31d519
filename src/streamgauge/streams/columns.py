"""The columns of a source: check the names that a caller gives, guess the target, tell a frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from streamgauge._support.errors import InputError, UsageError, did_you_mean

USUAL_TARGETS = ("target", "class", "label", "y")
_SHOWN = 12  # columns in an error message


def check_columns(names: Sequence[str], columns: Sequence[str], source: str) -> None:
    """Raise an error unless column names are unique and every name given is one of them."""
    repeated = first_repeated(columns)
    if repeated is not None:
        raise InputError(
            f"{source}: column name {repeated!r} appears more than once; expected unique "
            "column names: rename one of them"
        )
    known = set(columns)
    for name in names:
        if name not in known:
            raise UsageError(
                f"{source}: no column {name!r}"
                + (did_you_mean(str(name), columns) or f"; the columns are {_listed(columns)}")
            )


def first_repeated(names: Sequence[str]) -> str | None:
    """Return the first name that appears a second time; None if all are different."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _listed(columns: Sequence[str]) -> str:
    """List the columns, the first ones of very many."""
    more = len(columns) - _SHOWN
    shown = ", ".join(map(str, columns[:_SHOWN]))
    return f"{shown} and {more:,} more" if more > 0 else shown


def target_among(columns: Sequence[str], source: str) -> str:
    """The target of a source for which none is given: the only column with a usual name."""
    usual = [name for name in columns if name.lower() in USUAL_TARGETS]
    if len(usual) != 1:
        raise UsageError(
            f"{source}: cannot tell which of its columns is the label: {_listed(columns)}; name it "
            "with target=..., or --target on the command line"
        )
    return usual[0]


def is_frame(thing: Any) -> bool:
    """Whether a thing is a pandas, polars or Arrow data frame."""
    has_columns = hasattr(thing, "__arrow_c_stream__") and hasattr(thing, "columns")
    return has_columns or hasattr(thing, "column_names")
