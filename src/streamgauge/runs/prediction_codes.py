"""A column of a run's predictions as class codes or target values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.types import Label


def prediction_codes(table: pa.Table, name: str, classes: tuple[Label, ...]) -> Any:
    """Class codes, -1 for an abstention; in regression the values, NaN for an abstention."""
    column = table[name].combine_chunks()
    if not classes:
        return column.to_numpy(zero_copy_only=False)
    values = pa.array(classes)
    codes = pc.fill_null(pc.index_in(column.cast(values.type), values), -1)
    return codes.to_numpy(zero_copy_only=False).astype(np.int32)
