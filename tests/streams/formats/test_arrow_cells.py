"""Arrow columns converted to text, floats and times."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import NEVER
from streamgauge.streams.formats.arrow_cells import as_text, to_floats, to_times
from tests.streams.tables import numbers

DAY = 86_400 * 10**9


def where(row: int) -> str:
    return f"row {row}"


@pytest.mark.parametrize(
    ("cells", "kind", "expected"),
    [
        ([1.0, -0.0, 2.5, None], pa.float64(), ["1", "0", "2.5", None]),
        ([1.0, float("nan")], pa.float32(), ["1", None]),
        ([float("inf"), 1e300, 1e15], pa.float64(), ["inf", "1e+300", "1000000000000000"]),
        ([1e17, -1e19, None, 1e20], pa.float64(), [f"{10**17}", f"-{10**19}", None, "1e+20"]),
        ([2**64 - 1], pa.uint64(), [f"{2**64 - 1}"]),
        ([7, None], pa.int8(), ["7", None]),
        ([True, False, None], pa.bool_(), ["true", "false", None]),
        (["a", "é", None], pa.large_string(), ["a", "é", None]),
        (["a", "é", None], pa.string_view(), ["a", "é", None]),
        ([None, None], pa.null(), [None, None]),
        ([Decimal("1.50")], pa.decimal128(5, 2), ["1.5"]),
        ([" a ", "\ta b", " ", "NA", "None"], pa.string(), ["a", "a b", None, None, None]),
    ],
)
def test_as_text(cells: list[Any], kind: pa.DataType, expected: list[str | None]) -> None:
    assert as_text(pa.array(cells, kind)).to_pylist() == expected


@pytest.mark.parametrize("values", [pa.string(), pa.large_string(), pa.string_view()])
def test_categories_as_text(values: pa.DataType) -> None:
    codes = pa.array([1, 0, None, 1], pa.uint32())
    column = pa.DictionaryArray.from_arrays(codes, pa.array(["u", "v"], values))
    assert as_text(column).to_pylist() == ["v", "u", None, "v"]


@given(st.lists(st.floats(width=64), min_size=1, max_size=9), st.integers(0, 9))
def test_text_of_a_number_does_not_depend_on_other_cells(cells: list[float], cut: int) -> None:
    column = pa.array(cells, pa.float64())
    parts = [*as_text(column[:cut]).to_pylist(), *as_text(column[cut:]).to_pylist()]
    assert as_text(column).to_pylist() == parts


def test_to_floats() -> None:
    assert numbers(to_floats(pa.array(["1", " 2.5 ", None, "-3e2"]))) == [1, 2.5, None, -300]
    assert numbers(to_floats(pa.array([None, True, False]))) == [None, 1, 0]
    for odd in ("one", "1.5.2", "1,5", "1 2"):
        with pytest.raises(pa.ArrowInvalid):
            to_floats(pa.array(["1", odd]))


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pa.array([3, None], pa.int32()), [3, NEVER]),
        (pa.array([3.0, None]), [3, NEVER]),
        (pa.array(["3", None], pa.string_view()), [3, NEVER]),
        (pa.array([date(1970, 1, 2), None]), [DAY, NEVER]),
        (pa.array([datetime(1970, 1, 2), None], pa.timestamp("s")), [DAY, NEVER]),
        (pa.array([datetime(1970, 1, 2), None], pa.timestamp("us")), [DAY, NEVER]),
        (pa.array([datetime(1970, 1, 2), None], pa.timestamp("ms", "UTC")), [DAY, NEVER]),
        (pa.array(["1970-01-02T00:00Z", None], pa.string_view()), [DAY, NEVER]),
        (pa.array(["1970-01-02T01:00+01:00", None]), [DAY, NEVER]),
        (pa.array([None, None], pa.string()), [NEVER, NEVER]),
    ],
)
def test_to_times(column: pa.Array, expected: list[int]) -> None:
    assert to_times(column, "t", where, 0).tolist() == expected


@pytest.mark.parametrize(
    ("column", "row", "cell"),
    [(pa.array([None, "1", "noon"]), 12, "noon"), (pa.array([1.0, 2.5]), 11, "2.5")],
)
def test_error_locates_a_cell_that_is_not_a_time(column: pa.Array, row: int, cell: str) -> None:
    with pytest.raises(sg.InputError, match=f"^row {row}: column 't' is '{cell}'"):
        to_times(column, "t", where, 10)


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        (pa.array(["2300-01-01"]), "'2300-01-01'"),
        (pa.array([datetime(2300, 1, 1)]), "'2300-01-01 00:00:00'"),
        (pa.array([2**52], pa.timestamp("s")), "a timestamp.s. that has no text"),
        (pa.array([2**52], pa.timestamp("s", "No/Zone")), "a timestamp.* that has no text"),
    ],
)
def test_error_names_a_time_that_nanoseconds_do_not_reach(column: pa.Array, cell: str) -> None:
    with pytest.raises(sg.InputError, match=f"column 't' is {cell}; .* between 1678 and 2261"):
        to_times(column, "t", where, 0)
