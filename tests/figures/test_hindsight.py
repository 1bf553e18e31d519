"""What was known then, and what is known in hindsight."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from streamgauge.figures.hindsight import NOW, THEN, hindsight
from tests.figures.specs import mark_kinds, marks

NAMES = ("rows", "then", "low", "high", "now", "known")


def draw(*rows: tuple[float | None, ...]) -> Any:
    kinds = [(name, pa.float64()) for name in NAMES]
    lines = [dict(zip(NAMES, row, strict=True)) for row in rows]
    return hindsight(pa.Table.from_pylist(lines, pa.schema(kinds)), "accuracy", title="t")


def test_both_scores_a_band_and_the_labels_that_are_in() -> None:
    chart = draw((500, 0.8, 0.7, 0.9, 0.75, 0.6), (900, 0.7, 0.6, 0.8, 0.75, 1.0))
    assert mark_kinds(chart)[:3] == ["area", "line", "line"]
    assert mark_kinds(chart)[-1] == "area"
    assert {each["series"] for each in marks(chart)["text"]} == {THEN, NOW}


def test_moments_without_a_label_are_gaps() -> None:
    chart = draw((500, None, None, None, 0.75, 0.0), (900, 0.7, 0.6, 0.8, 0.75, 1.0))
    assert [each["then"] for each in marks(chart)["line"][:2]] == [None, 0.7]


def test_nothing_known_says_so() -> None:
    assert marks(draw())["text"][0]["why"] == "No label was known at any moment."
