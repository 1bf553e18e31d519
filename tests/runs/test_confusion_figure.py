"""`run.plot_confusion`: the parts add up to the confusion table of the run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from tests.figures.specs import caption, heading, marks

pytest.importorskip("altair")


def total(cells: list[dict[str, Any]], true: str, predicted: str) -> int:
    return sum(c["rows"] for c in cells if (c["true"], c["predicted"]) == (true, predicted))


def test_parts_add_up_to_the_confusion_of_the_run() -> None:
    run = sg.evaluate(sg.SEA(1000, seed=1, noise=0.1), sg.NaiveBayes(), labels=sg.Delay(30))
    assert run.confusion is not None
    for parts in (1, 3):
        chart = run.plot_confusion(parts)
        cells = marks(chart)["rect"]
        for i in (0, 1):
            row = [total(cells, str(i), each) for each in ("0", "1", "none")]
            assert row == run.confusion[i].tolist()
    assert heading(chart).endswith("what each class was predicted as")
    assert "none: no prediction." in caption(chart)
    table = run.predictions.slice(0, 333).to_pydict()
    pairs = [(y, p) == (0, 1) for y, p in zip(table["y"], table["prediction"], strict=True)]
    first = [cell for cell in cells if cell["part"] == "rows 1 to 333"]
    assert total(first, "0", "1") == sum(pairs)
    own = sum(cell["rows"] for cell in first if cell["true"] == "0")
    share = next(c["share"] for c in first if (c["true"], c["predicted"]) == ("0", "1"))
    assert share == pytest.approx(sum(pairs) / own)


def test_rare_classes_are_folded_and_it_says_so() -> None:
    y = np.array([f"c{i}" for i in range(14) for _ in range(10 + i)], object)
    y = y[np.random.default_rng(1).permutation(len(y))]
    run = sg.evaluate(sg.from_arrays(np.zeros((len(y), 1)), y), sg.Persistent())
    assert run.confusion is not None
    for parts in (1, 2):
        chart = run.plot_confusion(parts)
        assert "The 10 most frequent of 14 classes." in caption(chart)
        cells = marks(chart)["rect"]
        place = run.classes.index("c13")
        rare = [run.classes.index(f"c{i}") for i in range(4)]
        assert total(cells, "c13", "other") == run.confusion[place][rare].sum()
        assert "c0" not in {cell["true"] for cell in cells}


def test_a_class_named_none_is_not_an_abstention() -> None:
    y = ["none", "some"] * 50
    run = sg.evaluate(sg.from_arrays([[0.0]] * 100, y), sg.NaiveBayes(), labels=sg.Delay(5))
    answers = {cell["predicted"] for cell in marks(run.plot_confusion(1))["rect"]}
    assert answers == {"none", "some", "none #2"}


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (0, "parts=0: expected 1 to 40 parts"),
        (41, "parts=41: expected 1 to 40 parts"),
        (None, "parts: expected an integer, got None"),
    ],
)
def test_bad_number_of_parts_is_named(parts: Any, message: str) -> None:
    run = sg.evaluate(sg.SEA(100, seed=1), sg.NaiveBayes())
    with pytest.raises(sg.UsageError, match=message):
        run.plot_confusion(parts)


def test_regression_is_refused_in_words() -> None:
    stream = sg.from_arrays([[0.0]] * 50, [i + 0.5 for i in range(50)], task="regression")
    with pytest.raises(sg.UsageError, match="a regression run has no classes"):
        sg.evaluate(stream, sg.Mean()).plot_confusion()


def test_run_without_a_scored_row_says_so() -> None:
    stream = sg.from_arrays([[0.0]] * 5, [None] * 5, classes=["a", "b"])
    run = sg.evaluate(stream, sg.Persistent())
    for parts in (1, 4):
        (text,) = marks(run.plot_confusion(parts))["text"]
        assert text["why"] == "no row was scored"
