"""Arrow columns of numbers from and to NumPy."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

from streamgauge._support.arrow_numbers import (
    arrow_floats,
    arrow_integers,
    arrow_names,
    arrow_numbers,
    arrow_texts,
    numbers,
)


@pytest.mark.parametrize(
    "column",
    [
        pa.array([1.5, 2.5, 3.5]),
        pa.array([1.5, None, 3.5] * 7),
        pa.array([1.5, None, 3.5] * 7)[5:19],
        pa.array([7, 8, 9])[1:],
        pa.array([7, None, 9]),
        pa.array([7, 8], pa.int32()),
        pa.array([7, 8], pa.uint8()),
        pa.array([], pa.float64()),
        pa.chunked_array([[1.0], [], [2.0, None]], pa.float64()),
        pa.chunked_array([], pa.int64()),
        pa.array([True, False]),
    ],
)
def test_values_are_those_of_arrow(column: pa.Array | pa.ChunkedArray) -> None:
    expected = np.asarray(column)
    found = numbers(column)
    assert found.dtype == expected.dtype or column.null_count
    np.testing.assert_array_equal(found, expected)


def test_columns_of_numpy_arrays() -> None:
    values = np.array([1.0, np.nan, -np.inf, 4.0])
    assert arrow_floats(values).to_pylist() == [1, None, None, 4]
    assert arrow_floats(values[::3]).to_pylist() == [1, 4]
    assert arrow_floats(np.empty(0)).to_pylist() == []
    assert arrow_integers([3, 1]).to_pylist() == [3, 1]
    assert arrow_integers([]).to_pylist() == []
    assert arrow_names({"a": 0, "bé": 2, "": 1}).to_pylist() == ["bé", "bé", ""]
    assert arrow_names({}).to_pylist() == []


def test_columns_are_those_of_arrow() -> None:
    missing = np.array([False, True] * 10)
    for kind in (np.int8, np.int32, np.int64, np.float64):
        values = np.arange(20).astype(kind)
        assert arrow_numbers(values).equals(pa.array(values))
        assert arrow_numbers(values[::3]).equals(pa.array(values[::3]))
        assert arrow_numbers(values, missing).equals(pa.array(values, mask=missing))
    assert np.isnan(arrow_numbers(np.array([np.nan])).to_pylist()).all()
    texts = ["up", None, "", "é"]
    assert arrow_texts(texts).equals(pa.array(texts, pa.string()))
    assert arrow_texts(()).equals(pa.array([], pa.string()))


def test_drawing_a_saved_run_imports_no_pandas(tmp_path: object) -> None:
    code = f"""
import sys
import streamgauge as sg
run = sg.evaluate(sg.SEA(500, seed=1), sg.NaiveBayes(), labels=sg.Sampled(0.5), every=10)
print(run.save({str(tmp_path)!r}))
"""
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    path = made.stdout.strip()
    code = f"""
import sys
import streamgauge as sg
chart = sg.open_run({path!r}).plot(forget=["Cumulative()", "Window(1000)"])
assert "area" in str(chart.to_dict())
print("pandas" in sys.modules)
"""
    drawn = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert drawn.stdout.strip() == "False", drawn.stderr
