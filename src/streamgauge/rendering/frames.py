"""Arrow tables as frames of pandas or polars, if these are installed."""

from __future__ import annotations

import importlib.util
from typing import Any

import pyarrow as pa

from streamgauge._support.errors import UsageError


def frame_of(table: pa.Table, kind: str | None = None) -> Any:
    """An Arrow table as a frame of the requested kind."""
    if kind is None:
        there = [name for name in ("pandas", "polars") if importlib.util.find_spec(name)]
        kind = there[0] if there else "arrow"
    match kind:
        case "pandas":
            return table.to_pandas()
        case "polars":
            import polars

            return polars.from_arrow(table)
        case "arrow":
            return table
    raise UsageError(f"to_frame({kind!r}): expected 'pandas', 'polars' or 'arrow'")
