"""The verdict: its words, its remedy, and learners that are no better than a reference."""

from __future__ import annotations

import numpy as np

import streamgauge as sg
from streamgauge._support.types import Block, Schema
from streamgauge.measures.curves import Curve
from streamgauge.measures.reference import Reference
from streamgauge.measures.verdict import Score, judge
from streamgauge.streams.frames import ArrayStream


def labels_only(y: list[int], k: int) -> sg.Stream:
    schema = Schema((), (), tuple(range(k)))
    return ArrayStream("labels", schema, Block(0, np.empty((len(y), 0)), np.array(y, np.int32)))


def test_cyclic_labels_are_won_by_transition() -> None:
    """P(T) = 0, yet the order determines every label: Persistent alone would not show it."""
    run = sg.evaluate(labels_only([0, 1, 2] * 400, 3), sg.Majority())
    best = run.verdict.against[0]
    assert best.reference == "Transition"
    assert best.reference_score > 0.99
    assert best.word == "worse"
    text = str(run.verdict)
    assert "worse than guessing the usual successor of the last label (Transition" in text
    assert "The order of the labels carries information" in text
    assert "try TemporallyAugmented(Majority())." in text
    assert run.verdict["Persistent"].reference_score == 0


def test_reference_as_learner_shows_no_difference() -> None:
    random = np.random.default_rng(1)
    y = np.repeat(random.integers(0, 2, 500), 4).tolist()
    run = sg.evaluate(labels_only(y, 2), sg.Persistent(), forget=[sg.Fading(0.99)])
    assert run.verdict["Persistent"].word == "no clear difference"
    assert run.verdict.plus_share == 0  # not better than itself by rounding
    assert run.summary["kappa_temporal"] == 0


def test_remedy_fits_the_learner() -> None:
    """The suggested learner can be parsed; one that uses past labels gets another suggestion."""
    from streamgauge.learners.parsing import parse_learner

    def remedy(learner: object) -> str:
        y = np.repeat(np.random.default_rng(1).integers(0, 2, 100), 10)
        run = sg.evaluate(labels_only(y.tolist(), 2), learner)
        assert run.verdict["Persistent"].word == "worse"
        return run.verdict.notes[0].partition("does not use: ")[2]

    assert remedy("KNN(n_neighbors=3)") == "try TemporallyAugmented(KNN(n_neighbors=3))."
    parse_learner("TemporallyAugmented(KNN(n_neighbors=3))")
    assert "another base learner" in remedy(sg.TemporallyAugmented("Majority"))


def test_verdict_on_few_rows_says_too_few() -> None:
    run = sg.evaluate(labels_only([0, 1] * 15, 2), sg.Majority())
    assert run.verdict["Persistent"].word == "too few rows to say"
    assert "Too few rows to compare it with guessing" in str(run.verdict)


def test_verdict_mentions_where_kappa_plus_is_undefined() -> None:
    y = [0] * 1500 + [0, 1] * 300
    run = sg.evaluate(labels_only(y, 2), sg.Majority(), forget=[sg.Window(100)])
    assert run.verdict.undefined_share > 0.5
    assert "undefined on" in str(run.verdict)
    points, why = run.undefined["kappa_temporal"]
    assert points > 0
    assert "the reference was right on every row" in why


def test_verdict_describes_each_reference_in_its_own_words() -> None:
    curve = Curve(np.empty(0, np.int64), (), (), (sg.Cumulative(),), (np.empty((0, 0)),))
    means = np.full((40, 2), -1.0) * np.linspace(0.9, 1.1, 40)[:, np.newaxis]
    weekly = Reference("Weekly", "repeating the label of a week ago", uses_label_order=True)
    coin = Reference("Coin", "tossing a coin")
    scores = [Score(coin, 0.6, 0.5), Score(weekly, 0.6, 0.9)]
    text = str(judge("Mine", means, scores, curve, False, "look at the calendar"))
    assert "Mine is worse than repeating the label of a week ago (Weekly: 60.0 %" in text
    assert "than tossing a coin (Coin: " in text
    assert "The order of the labels carries information" in text


def test_verdict_does_not_round_99_99_percent_to_100() -> None:
    y = np.repeat(np.arange(20_000) % 2, 1)
    y[9_999] = y[9_998]
    run = sg.score(y, np.arange(20_000) % 2)
    assert "99.9" in str(run.verdict)
    assert "100.0 %" not in str(run.verdict)
