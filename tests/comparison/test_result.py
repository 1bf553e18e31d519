"""The result of a comparison: names, frames, plain values, answers."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import streamgauge as sg
from tests.figures.specs import caption, rows_with

STREAM = sg.SEA(3000, seed=1, noise=0.1)


@pytest.fixture(scope="module")
def runs() -> sg.Runs:
    return sg.evaluate(STREAM, [sg.NaiveBayes(), sg.Majority(), sg.HoeffdingTree()])


def test_one_participant_against_several(runs: sg.Runs) -> None:
    pairs = sg.compare(runs[0], runs[1], runs[2], "Persistent")
    assert isinstance(pairs, sg.Comparisons)
    assert [pair.names[1] for pair in pairs] == ["Majority", "HoeffdingTree", "Persistent"]
    assert pairs["Persistent"].answer == "A"
    assert pairs[0].curve.last() == sg.compare(runs[0], runs[1]).curve.last()
    assert "3 comparisons, each at 99 %: the chance of at least one error is up to 3 %" in (
        pairs.details
    )
    frame = pairs.to_frame("curve", "arrow")
    assert frame.column_names[:3] == ["against", "forgetting", "rows"]
    assert len(frame) == 3 * len(pairs[0].to_frame("curve", "arrow"))
    with pytest.raises(
        sg.UsageError, match="was not compared with 'Nobody'; expected one of Majority"
    ):
        pairs["Nobody"]


def test_comparison_as_frames_and_json(runs: sg.Runs) -> None:
    pair = sg.compare(runs[0], runs[2], stretch=500)
    values = json.loads(json.dumps(pair.to_dict()))
    assert values["format"] == "streamgauge.comparison/2"
    assert (values["a"], values["b"]) == ("NaiveBayes", "HoeffdingTree")
    assert values["summary"]["Cumulative()"]["q"] == pair.summary["q"]
    assert values["anytime"]["low"] == pair.anytime.low[-1]
    assert values["text"] == pair.details
    assert str(pair) == repr(pair)
    assert sum(values["shares"].values()) == pytest.approx(1)
    assert isinstance(pair.to_frame(), pd.DataFrame)
    assert isinstance(pair.to_frame("anytime", "polars"), pl.DataFrame)
    frame = pair.to_frame("stretches", "arrow")
    assert frame["start"][0].as_py() == 0
    assert frame["stop"][-1].as_py() == len(pair) == 3000
    with pytest.raises(sg.UsageError, match=r"to_frame\('x'\): expected one of curve, stretches"):
        pair.to_frame("x")


def test_answer_is_that_of_the_batch_means() -> None:
    """In runs of 20 the anytime bounds are right about these rows, but the result is chance."""
    random = np.random.default_rng(0)
    undecided = 0
    for _ in range(40):
        d = np.repeat(random.choice([-1.0, 1.0], 500), 20)
        pair = sg.compare(np.maximum(d, 0), np.maximum(-d, 0), loss="given", bound=1)
        if pair.anytime.sign and pair.answer == "neither":
            undecided += 1
            assert "on these rows, however often you look): the loss of" in pair.details
        decided = pair.batch_means.word in ("better", "worse")
        assert (pair.answer != "neither") == decided
    assert undecided > 10


def test_who_is_better_now() -> None:
    """A is better first, then B: over all rows neither is."""
    random = np.random.default_rng(1)
    early, late = (random.random((2, 5000)) < [[0.1], [0.2]]).astype(float)
    pair = sg.compare(np.r_[early, late], np.r_[late, early], loss="given", bound=1)
    assert (pair.answer, pair.now().sign, pair.now(2000).sign) == ("neither", 1, 1)
    now = pair.now(2000)
    assert (now.rows[-1], now.since[-1]) == (10_000, 8000)
    assert now.sign == int(np.sign(now.mean[-1]))
    assert "Now, on the last 1,000 rows" in pair.details
    frame = pair.to_frame("now", "arrow")
    assert frame.column_names == ["rows", "since", "mean", "low", "high"]
    assert pair.to_dict()["now"]["low"] == pair.now().low[-1]
    wider = sg.compare(
        np.r_[early, late], np.r_[late, early], loss="given", bound=1,
        forget=[sg.Fading(0.99), sg.Window(5), sg.Window(3000)],
    )  # fmt: skip
    assert wider.window == 3000
    short = sg.compare(early[:1500], late[:1500], loss="given", bound=1)
    assert not short.has_now
    assert "Now," not in short.details
    assert "now" not in short.frames()


@pytest.mark.parametrize(
    ("window", "complaint"),
    [
        (10, r"now\(window=10\): expected 50 rows or more$"),
        (0.5, "window: .*0.5"),
        (True, "window: .*True"),
    ],
)
def test_invalid_windows_are_refused(window: Any, complaint: str, runs: sg.Runs) -> None:
    with pytest.raises(sg.UsageError, match=complaint):
        sg.compare(runs[0], runs[1]).now(window)


def test_windows_are_longer_than_late_labels() -> None:
    late = sg.evaluate(STREAM, [sg.NaiveBayes(), sg.Majority()], labels=sg.Delay(30))
    pair = sg.compare(late[0], late[1])
    complaint = r"now\(window=1000\): expected 1,500 rows or more, since labels come up to 30 rows"
    with pytest.raises(sg.UsageError, match=complaint):
        pair.now()
    assert not pair.has_now
    assert len(pair.now(1500).rows)
    with pytest.raises(sg.UsageError, match="no anytime bounds: the loss 'given' is unbounded"):
        sg.compare([0.0, 1.0] * 500, [1.0, 1.0] * 500, loss="given").now()


def test_equal_within_is_part_of_the_plain_values(runs: sg.Runs) -> None:
    values = sg.compare(runs[0], runs[0], equal_within=0.5).to_dict()
    assert (values["equal_within"], values["equivalent"]) == (0.5, True)
    assert values["batch_means"]["interval"] == [0, 0]
    assert values["batch_means"]["interval_level"] == pytest.approx(0.99)
    assert values["batch_means"]["word"] == "equal"
    without = sg.compare(runs[0], runs[1]).to_dict()
    assert (without["equal_within"], without["equivalent"]) == (None, None)


def test_figure_has_the_numbers_of_the_comparison() -> None:
    runs = sg.evaluate(sg.SEA(3000, seed=1), [sg.NaiveBayes(), sg.HoeffdingTree()], every=100)
    pair = sg.compare(runs[0], runs[1])
    assert isinstance(pair, sg.Comparison)
    chart = pair.plot()
    mean, q, mcnemar = (" ".join(each["title"]["text"]) for each in chart.to_dict()["vconcat"])
    assert "Mean difference" in mean
    assert q == "Q = ln(loss of NaiveBayes / loss of HoeffdingTree), Window(1000)"
    assert "99 % critical value" in mcnemar
    drawn = [row["value"] for row in rows_with(chart, "rows", "value", "low", "high")]
    points = len(pair.curve)
    assert drawn[:points] == pytest.approx(pair.anytime.mean)
    assert drawn[-points:] == pytest.approx(pair.curve["mcnemar", "Window(1000)"])
    assert caption(chart).startswith(pair.details.split("\n\n")[1].split("\n")[0])
    other = pair.plot(sg.Cumulative())
    assert other.to_dict()["vconcat"][1]["title"]["text"][-1].endswith("Cumulative()")
    with pytest.raises(sg.UsageError, match=r"did not keep Window\(3\)"):
        pair.plot(sg.Window(3))


@pytest.mark.long
def test_figures_of_several_pairs_and_of_an_unbounded_loss() -> None:
    run = sg.evaluate(sg.SEA(1000, seed=1), sg.NaiveBayes())
    both = sg.compare(run, "Majority", "Persistent").plot().to_dict()
    assert len(both["vconcat"]) == 2
    x = np.random.default_rng(1).random((500, 2))
    regression = sg.evaluate(sg.from_arrays(x, x.sum(axis=1)), sg.AMRules())
    chart = sg.compare(regression, "LastValue").plot()
    assert "No band around the mean difference" in caption(chart)
    assert len(chart.to_dict()["vconcat"]) == 2  # no McNemar
