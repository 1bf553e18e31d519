"""`Run.plot_hindsight`: scores by the labels known at each moment."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from tests.figures.specs import caption, marks


@pytest.fixture(scope="module")
def late() -> sg.Run:
    labels = sg.RandomDelay("geometric(0.02)", seed=1)
    return sg.evaluate(sg.SEA(1500, seed=1), sg.NaiveBayes(), labels=labels)


def test_scores_are_those_of_the_labels_known_by_then(late: sg.Run) -> None:
    drawn = marks(late.plot_hindsight(window=100))["line"]
    table = late.predictions
    row, revealed = table["row"].to_numpy(), table["revealed_at"].to_numpy()
    right = table["y"].to_numpy() == table["prediction"].to_numpy()
    for each in drawn[:: len(drawn) // 7]:
        arrived = np.sort(row[row <= each["rows"]])[-100:]
        newest = np.isin(row, arrived)
        known = newest & (revealed <= each["rows"])
        assert each["then"] == pytest.approx(right[known].mean())
        assert each["now"] == pytest.approx(right[newest].mean())
        assert each["known"] == pytest.approx(known.sum() / newest.sum())
        assert each["low"] <= each["then"] <= each["high"]


def test_caption_says_how_far_the_score_was_off(late: sg.Run) -> None:
    assert "off by more than 5 points" in caption(late.plot_hindsight(window=100))


def test_labels_at_once_hide_nothing() -> None:
    run = sg.evaluate(sg.SEA(600, seed=1), sg.NaiveBayes())
    chart = run.plot_hindsight(window=100)
    assert all(each["then"] == each["now"] for each in marks(chart)["line"])
    assert "What was known then is what is known now" in caption(chart)


def test_regression() -> None:
    x = np.random.default_rng(1).normal(size=(800, 2))
    stream = sg.from_arrays(x, x[:, 0] * 2, task="regression")
    run = sg.evaluate(stream, sg.Mean(), labels=sg.Delay(200))
    chart = run.plot_hindsight(window=100)
    assert chart.to_dict()["vconcat"][0]["layer"][1]["encoding"]["y"]["title"].startswith("mae")


def test_wrong_window(late: sg.Run) -> None:
    with pytest.raises(sg.UsageError, match="window=1: expected 2 or more rows"):
        late.plot_hindsight(window=1)
