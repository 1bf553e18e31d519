"""Charts in compact columns: what a page keeps of them can be read back."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge.reports.page_chart import columns_of, page_chart, thinned


def rows_of(packed: dict[str, Any]) -> list[dict[str, Any]]:
    """The inverse of `columns_of`, as page.js has it."""

    def expanded(runs: list[int]) -> list[int]:
        return [value for value, n in zip(runs[::2], runs[1::2], strict=True) for _ in range(n)]

    def column(values: dict[str, Any]) -> list[Any]:
        if "names" in values:
            return [values["names"][code] for code in expanded(values["runs"])]
        if "steps" in values:
            total, found = 0, []
            for step in expanded(values["steps"]):
                total += step
                found.append(total)
            return found
        if "scaled" in values:
            unit = 10 ** values["digits"]
            return [None if each is None else each / unit for each in values["scaled"]]
        return list(values["values"])

    columns = {name: column(values) for name, values in packed["columns"].items()}
    return [{name: columns[name][i] for name in columns} for i in range(packed["n"])]


VALUES = st.one_of(
    st.none(), st.floats(allow_nan=False, allow_infinity=False, width=32), st.integers(-9, 9)
)
ROWS = st.lists(
    st.fixed_dictionaries(
        {"series": st.sampled_from(["a", "b", "</script>"]), "rows": st.integers(0, 10**9),
         "value": VALUES}
    ),
    max_size=30,
)  # fmt: skip


@given(ROWS)
def test_rows_survive_up_to_rounding(rows: list[dict[str, Any]]) -> None:
    again = rows_of(columns_of(rows))
    known = [row["value"] for row in rows if row["value"] is not None]
    spread = max(known) - min(known) if known else 0
    assert [(row["series"], row["rows"]) for row in again] == [
        (row["series"], row["rows"]) for row in rows
    ]
    for before, after in zip(rows, again, strict=True):
        if before["value"] is None:
            assert after["value"] is None
        else:
            assert after["value"] == pytest.approx(before["value"], abs=max(spread * 1e-4, 1e-6))


def test_other_values_stay_as_they_are() -> None:
    rows: list[dict[str, Any]] = [{"flag": True, "mixed": "a"}, {"flag": False, "mixed": 1}]
    assert rows_of(columns_of(rows)) == rows


def test_thinning_keeps_extremes_gaps_and_ends() -> None:
    rows = [{"series": "a", "rows": i, "value": 0.5} for i in range(1000)]
    rows[503]["value"], rows[704]["value"], rows[805]["value"] = 9.0, -9.0, None
    kept, step = thinned(rows, 100)
    places = [row["rows"] for row in kept]
    assert step == 20
    assert len(kept) <= 150
    assert {0, 999, 503, 704, 805} <= set(places)
    assert all(a < b for a, b in pairwise(places))


def test_short_series_are_kept_whole() -> None:
    rows = [{"series": "a", "rows": i, "value": 1.0} for i in range(100)]
    assert thinned(rows, 100) == (rows, 1)


def test_names_beside_lines_have_room() -> None:
    rows = [{"series": "KNN", "from": 1, "to": 2, "name": "KNN"}]
    packed = page_chart(Chart(datasets={"a": rows}), 10)
    assert packed.spec["usermeta"]["names"] > 20
    assert "usermeta" not in page_chart(Chart(datasets={"a": [{"x": 1}]}), 10).spec


def test_band_is_sparser_and_keeps_its_ends() -> None:
    rows = [
        {"series": name, "rows": i, "low": 0.1, "high": 0.2} for name in "ab" for i in range(1001)
    ]
    kept, step = thinned(rows, 100)
    assert step == 1
    for name in "ab":
        places = [row["rows"] for row in kept if row["series"] == name]
        assert len(places) <= 102
        assert (places[0], places[-1]) == (0, 1000)


class Chart:
    """A chart, as far as packing goes."""

    def __init__(self, **spec: Any) -> None:
        self._spec = spec

    def to_dict(self, validate: bool = True) -> dict[str, Any]:
        return self._spec


def test_description_holds_every_sentence_of_the_caption() -> None:
    packed = page_chart(Chart(title={"text": ["T"]}, description="First.\nNext."), 10)
    assert packed.title == "T"
    assert packed.caption == ("First.", "Next.")
    assert not {"title", "description"} & packed.spec.keys()
