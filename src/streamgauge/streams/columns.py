"""The columns of a source: check the names that a caller gives, guess the target, tell a frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from streamgauge._support.errors import InputError, UsageError, did_you_mean

USUAL_TARGETS = ("target", "class", "label", "y")


def check_columns(names: Sequence[str], columns: Sequence[str], source: str) -> None:
    """Raise an error unless column names are unique and every name given is one of them."""
    repeated = sorted({c for c in columns if list(columns).count(c) > 1})
    if repeated:
        raise InputError(
            f"{source}: column name {repeated[0]!r} appears more than once; expected unique "
            "column names: rename one of them"
        )
    for name in names:
        if name not in columns:
            shown = ", ".join(map(str, columns))
            raise UsageError(
                f"{source}: no column {name!r}{did_you_mean(str(name), columns)}; "
                f"the columns are {shown}"
            )


def target_among(columns: Sequence[str], source: str) -> str:
    """The target of a source for which none is given: the only column with a usual name."""
    usual = [name for name in columns if name.lower() in USUAL_TARGETS]
    if len(usual) != 1:
        raise UsageError(
            f"{source}: cannot tell which of its columns is the label: {', '.join(columns)}; name "
            "it with target=..., or --target on the command line"
        )
    return usual[0]


def is_frame(thing: Any) -> bool:
    """Whether a thing is a pandas, polars or Arrow data frame."""
    has_columns = hasattr(thing, "__arrow_c_stream__") and hasattr(thing, "columns")
    return has_columns or hasattr(thing, "column_names")
