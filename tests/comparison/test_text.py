"""The report of a comparison."""

from __future__ import annotations

import json
import math

import pytest

import streamgauge as sg
from tests.oracles import verdict as oracle

STREAM = sg.SEA(3000, seed=1, noise=0.1)


@pytest.fixture(scope="module")
def runs() -> list[sg.Run]:
    return sg.evaluate(STREAM, [sg.NaiveBayes(), sg.Majority(), sg.HoeffdingTree()])


def test_report_states_answer_and_tests(runs: list[sg.Run]) -> None:
    pair = sg.compare(runs[0], runs[1], forget=[sg.Cumulative(), sg.Fading(0.99)])
    assert pair.better == "NaiveBayes"
    a, b = pair.pair.losses.mean(axis=1)
    answer, anytime, second, third, *_ = str(pair).split("\n\n")[1].splitlines()
    assert answer == (
        f"NaiveBayes is better than Majority: error rate {100 * a:.2f} % against {100 * b:.2f} %."
    )
    assert anytime == (
        "Anytime bounds (99 %, valid at every row): the loss of NaiveBayes is lower by "
        f"{-100 * pair.anytime.high[-1]:.2f} to {-100 * pair.anytime.low[-1]:.2f} percentage "
        "points."
    )
    z, batches = oracle.batch_means_z(pair.pair.difference.tolist())
    assert pair.batch_means.z == pytest.approx(z)
    assert pair.batch_means.batches == batches
    assert f"{batches} batches" in second
    assert "NaiveBayes is better" in second
    assert third.startswith(
        "McNemar's test, which assumes independent rows, under Cumulative(): M = −"
    )
    assert "significant beyond ± 6.635" in third
    assert "positive values favour B" in str(pair)
    assert sg.compare(runs[1], runs[0]).answer == "B"


def test_report_of_identical_participants(runs: list[sg.Run]) -> None:
    pair = sg.compare(runs[0], runs[0])
    assert pair.names == ("NaiveBayes", "NaiveBayes #2")
    assert pair.answer == "neither"
    assert pair.better is None
    assert pair.summary["q"] == 0
    assert (pair.summary["mcnemar"], pair.summary["p"]) == (0, 1)
    assert math.isnan(pair.batch_means.z)
    assert math.isnan(pair.autocorrelation)
    assert pair.anytime.low[-1] < 0 < pair.anytime.high[-1]
    assert [s.better for s in pair.stretches] == [None]
    assert "NaiveBayes and NaiveBayes #2 never differ" in str(pair)
    json.dumps(pair.to_dict(), allow_nan=False)


def test_report_of_one_row() -> None:
    pair = sg.compare(["x"], ["y"], y=["x"])
    assert pair.answer == "neither"
    assert pair.batch_means.word == "too few rows to say"
    assert "too few rows to say" in str(pair)
