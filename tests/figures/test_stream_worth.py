"""What a stream is worth: bars, the tick of the best reference, colours by the verdict."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from streamgauge.figures.stream_worth import BETTER, FRAME, WORSE, stream_worth
from tests.figures.specs import caption, heading, marks

pytest.importorskip("altair")

ROWS = [
    ("lost", "KNN", "Transition", 0.2, 0.9, "worse", "▼", "−70.0 ± 1.0"),
    ("won", "NaiveBayes", "Majority", 0.8, 0.5, "better", "▲", "+30.0 ± 1.0"),
    ("unclear", "NaiveBayes", "Persistent", 0.86, 0.85, "open", "○", "+1.0 ± 3.0"),
]


def frame(*rows: tuple[Any, ...]) -> pa.Table:
    named = [dict(zip(FRAME.names, row, strict=True)) for row in rows]
    return pa.Table.from_pylist(named, FRAME)


def test_largest_gain_is_first_and_only_verdicts_have_colours() -> None:
    chart = stream_worth(frame(*ROWS), title="worth")
    assert heading(chart) == "worth"
    (rows,) = chart.to_dict()["datasets"].values()
    assert [row["stream"] for row in rows] == ["won", "unclear", "lost"]
    assert [row["top"] for row in rows] == sorted(row["top"] for row in rows)
    assert [row["colour"] for row in rows] == [BETTER, None, WORSE]


def test_bar_goes_from_the_smaller_score_to_the_larger_and_the_tick_is_the_reference() -> None:
    drawn = marks(stream_worth(frame(*ROWS), title="worth"))
    assert [(row["sure"], row["most"]) for row in drawn["rect"][:3]] == [
        (0.5, 0.8), (0.85, 0.86), (0.2, 0.9),
    ]  # fmt: skip
    assert [row["reference_score"] for row in drawn["rule"]] == [0.5, 0.85, 0.9]
    assert [row["sides"] for row in drawn["text"][:3]] == [
        "NaiveBayes vs Majority", "NaiveBayes vs Persistent", "KNN vs Transition",
    ]  # fmt: skip
    assert [row["margin"] for row in drawn["text"][:3]] == [
        "+30.0 ± 1.0", "+1.0 ± 3.0", "−70.0 ± 1.0",
    ]  # fmt: skip


def test_caption_fits_the_width_and_has_the_notes() -> None:
    chart = stream_worth(frame(*ROWS), title="worth", caption=["Left out: 1 cell."])
    assert caption(chart).endswith("Left out: 1 cell.")
    assert max(map(len, chart.title.subtitle)) < 80


def test_names_that_are_too_long_are_cut_apart_from_each_other() -> None:
    long = ("s" * 90, "l" * 90, "Majority", 0.8, 0.5, "better", "▲", "+30.0")
    (row,) = marks(stream_worth(frame(long), title="worth"))["rule"]
    assert row["name"].endswith("…")
    assert row["sides"].endswith("…")
    assert len(row["name"]) + len(row["sides"]) < 54


def test_no_stream_says_why() -> None:
    (text,) = marks(stream_worth(frame(), title="worth"))["text"]
    assert "no stream" in text["why"]
