"""Warnings of a run: where numbers mislead, and where classes are spelled in two ways."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg

PRINTED = sg.Fading(0.99, estimator="zliobaite2015")


def sticky(rare: int = 0) -> sg.Stream:
    """Two classes in runs of twenty, and some rows of a third."""
    y = np.repeat([0, 1] * 50, 20)
    y[10 : 10 + rare] = 2
    return sg.from_arrays(np.random.default_rng(1).normal(size=(2000, 1)), y, classes=[0, 1, 2])


def test_algorithm_1_says_that_the_verdict_does_not_use_it() -> None:
    run = sg.evaluate(sticky(), "NaiveBayes", forget=[sg.Window(100), PRINTED])
    assert run.warnings == (
        "Fading(0.99, estimator='zliobaite2015') is Algorithm 1 of zliobaite2015 as printed; the "
        "verdict does not use it.",
    )
    assert f"\nWarning: {run.warnings[0]}" in run.details
    assert run.to_dict()["warnings"] == list(run.warnings)
    assert sg.evaluate(sticky(), "NaiveBayes", forget=[sg.Fading(0.99)]).warnings == ()


def test_algorithm_1_warns_of_classes_with_few_rows() -> None:
    (warning,) = sg.evaluate(sticky(rare=5), "NaiveBayes", forget=[PRINTED]).warnings
    assert "still close to 1/3 for 1 of the 3 classes, those with few rows" in warning
    assert "may even have the wrong sign" in warning
    assert "late" not in warning


@pytest.mark.parametrize(
    ("labels", "late"),
    [
        (sg.Immediate(), False), (sg.Delay(1), False), (sg.Sampled(0.9), False),
        (sg.Delay(2), True), (sg.Chunks(5), True),
    ],
)  # fmt: skip
def test_algorithm_1_warns_of_late_labels(labels: sg.LabelPolicy, late: bool) -> None:
    (warning,) = sg.evaluate(sticky(), "NaiveBayes", labels=labels, forget=[PRINTED]).warnings
    assert ("Labels come late here" in warning) == late


def test_algorithm_1_flips_the_sign_of_which_it_warns() -> None:
    """Each class comes in one run: repeating the last label is hardly ever wrong, but as printed
    P(i|i) has not yet left 1/k when its class is gone."""
    y = np.repeat(np.arange(50), 30)
    X = y[:, np.newaxis] + np.random.default_rng(1).normal(size=(1500, 1)) / 100
    run = sg.evaluate(sg.from_arrays(X, y), "NaiveBayes", forget=[sg.Cumulative(), PRINTED])
    assert run.summary["kappa_temporal"] < 0 < run.curve.last(PRINTED)["kappa_temporal"]
    assert run.verdict["Persistent"].word != "better"
    assert "50 of the 50 classes" in run.warnings[0]


@pytest.mark.parametrize(
    ("labels", "predictions", "said"),
    [
        (["true", "false"], ["True", "False"], "'False' is predicted and never a label, 'false' "),
        (["yes", "no"], ["Yes", "no"], "'Yes' is predicted and never a label, 'yes' is a label"),
        (["007", "008"], ["7", "8"], "'7' is predicted and never a label, '007' is a label"),
        (["a", "b"], ["x", "y"], "predictions are 'x', 'y', labels are 'a', 'b'; do both columns"),
        (["a", "b"], ["a", "a"], None),
        (["a", "A"], ["a", "A"], None),
        (["a", "A"], ["A", "A"], None),
    ],
)
def test_classes_that_are_spelled_in_two_ways_are_named(
    labels: list[str], predictions: list[str], said: str | None
) -> None:
    run = sg.score(labels * 10, predictions * 10)
    assert [said is not None and said in each for each in run.warnings] == [True] * bool(said)


def test_a_few_errors_are_no_sign_of_another_spelling() -> None:
    assert sg.score(["a", "b"], ["b", "c"]).warnings == ()
    assert sg.score(["a", "a"], ["b", "c"]).warnings == ()
