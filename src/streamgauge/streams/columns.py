"""Check the column names that a caller gives against the columns of a source."""

from __future__ import annotations

from collections.abc import Sequence

from streamgauge._support.errors import InputError, UsageError, did_you_mean


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
