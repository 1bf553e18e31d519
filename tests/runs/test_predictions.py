"""The log of predictions: in memory, on disk, or not kept."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

import streamgauge as sg


def test_predictions_on_disk_equal_those_in_memory(tmp_path: Path) -> None:
    stream = sg.SEA(300_000, seed=1)
    kept = sg.evaluate(stream, sg.NaiveBayes())
    written = sg.evaluate(stream, sg.NaiveBayes(), save=tmp_path)
    none = sg.evaluate(stream, sg.NaiveBayes(), predictions=False)
    assert written.predictions.equals(kept.predictions)
    assert none.summary == kept.summary == written.summary
    with pytest.raises(sg.UsageError, match="did not keep its predictions"):
        _ = none.predictions
    (place,) = tmp_path.iterdir()
    assert pq.read_table(place / "predictions.parquet").equals(kept.predictions)
