"""The result of a comparison: names, frames, plain values, answers."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

import streamgauge as sg

STREAM = sg.SEA(3000, seed=1, noise=0.1)


@pytest.fixture(scope="module")
def runs() -> list[sg.Run]:
    return sg.evaluate(STREAM, [sg.NaiveBayes(), sg.Majority(), sg.HoeffdingTree()])


def test_one_participant_against_several(runs: list[sg.Run]) -> None:
    pairs = sg.compare(runs[0], runs[1], runs[2], "Persistent")
    assert isinstance(pairs, sg.Comparisons)
    assert [pair.names[1] for pair in pairs] == ["Majority", "HoeffdingTree", "Persistent"]
    assert pairs["Persistent"].answer == "A"
    assert pairs[0].curve.last() == sg.compare(runs[0], runs[1]).curve.last()
    assert "3 comparisons, each at 99 %: the chance of at least one error is up to 3 %" in (
        str(pairs)
    )
    frame = pairs.to_frame("curve", "arrow")
    assert frame.column_names[:3] == ["against", "forgetting", "rows"]
    assert len(frame) == 3 * len(pairs[0].to_frame("curve", "arrow"))
    with pytest.raises(
        sg.UsageError, match="was not compared with 'Nobody'; expected one of Majority"
    ):
        pairs["Nobody"]


def test_comparison_as_frames_and_json(runs: list[sg.Run]) -> None:
    pair = sg.compare(runs[0], runs[2], stretch=500)
    values = json.loads(json.dumps(pair.to_dict()))
    assert values["format"] == "streamgauge.comparison/1"
    assert (values["a"], values["b"]) == ("NaiveBayes", "HoeffdingTree")
    assert values["summary"]["Cumulative()"]["q"] == pair.summary["q"]
    assert values["anytime"]["low"] == pair.anytime.low[-1]
    assert values["text"] == str(pair) == repr(pair)
    assert sum(values["shares"].values()) == pytest.approx(1)
    assert isinstance(pair.to_frame(), pd.DataFrame)
    assert isinstance(pair.to_frame("anytime", "polars"), pl.DataFrame)
    frame = pair.to_frame("stretches", "arrow")
    assert frame["start"][0].as_py() == 0
    assert frame["stop"][-1].as_py() == len(pair) == 3000
    with pytest.raises(sg.UsageError, match=r"to_frame\('x'\): expected one of curve, stretches"):
        pair.to_frame("x")


def test_answer_needs_batch_means_too() -> None:
    """In runs of 20 the anytime bounds are right about these rows, but the result is chance."""
    random = np.random.default_rng(0)
    clear = 0
    for _ in range(40):
        d = np.repeat(random.choice([-1.0, 1.0], 500), 20)
        pair = sg.compare(np.maximum(d, 0), np.maximum(-d, 0), loss="given", bound=1)
        if pair.anytime.sign and pair.answer == "neither":
            clear += 1
            assert "but the differences come in runs (autocorrelation 0.9" in str(pair)
            assert str(pair).splitlines()[2].startswith("No clear difference between A and B")
        assert pair.answer == "neither" or abs(pair.batch_means.z) > 2.58
    assert clear > 10
