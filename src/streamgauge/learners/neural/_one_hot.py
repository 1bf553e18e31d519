"""One-hot encoded rows, sparse: the column and the value of each feature of a row."""

from __future__ import annotations

import numpy as np

from streamgauge._support.types import Codes, Floats, Longs, Schema


class OneHot:
    """Encodes rows of a schema as at most one number per feature, among `width` columns.

    The columns are those of `learners.adapters._dense.Dense`.
    """

    def __init__(self, schema: Schema) -> None:
        sizes = [max(1, size) for size in schema.cardinality]
        self.width = sum(sizes)
        self._starts = np.cumsum([0, *sizes])[:-1]
        self._nominal = np.array(schema.cardinality, np.int64) > 0

    @property
    def numeric(self) -> Longs:
        """The columns of numeric features."""
        return self._starts[~self._nominal]

    def __call__(self, X: Floats) -> tuple[Codes, Floats]:
        """Columns and values, rows × features; the column of a missing nominal value is -1."""
        values = np.nan_to_num(X)
        columns = np.tile(self._starts.astype(np.int32), (len(X), 1))
        columns[:, self._nominal] += values[:, self._nominal].astype(np.int32)
        columns[self._nominal & np.isnan(X)] = -1
        values[:, self._nominal] = 1.0
        return columns, values
