"""Dense rows and mini-batches."""

from __future__ import annotations

import numpy as np

from streamgauge._support.types import Schema
from streamgauge.learners.adapters._dense import Dense, DenseBatch


def test_rows_as_plain_numbers() -> None:
    schema = Schema(("a", "b", "c"), ((), ("x", "y", "z"), ()), ("n", "m"))
    dense = Dense(schema)
    X = np.array([[1.5, 2, 7], [np.nan, 0, np.nan], [3, np.nan, 4]])
    assert dense.width == 5
    assert dense(X).tolist() == [[1.5, 0, 0, 1, 7], [0, 1, 0, 0, 0], [3, 0, 0, 0, 4]]
    numbers = Dense(Schema(("a",), ((),), ()))
    assert numbers(np.array([[np.nan], [2.0]])).tolist() == [[0], [2]]


def test_rows_wait_until_their_batch_is_full() -> None:
    batch = DenseBatch(3)
    rows = np.arange(10.0)[:, np.newaxis]
    y, w = np.arange(10), np.ones(10)
    sizes = []
    for start, stop in ((0, 2), (2, 3), (3, 10)):
        full = batch.add(rows[start:stop], y[start:stop], w[start:stop])
        sizes.append([labels.tolist() for _, labels, _ in full])
    assert sizes == [[], [[0, 1, 2]], [[3, 4, 5], [6, 7, 8]]]
    assert len(batch) == 1
