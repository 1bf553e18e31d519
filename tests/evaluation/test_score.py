"""`score`: predictions made elsewhere are judged like a learner's."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.testing import example_stream
from streamgauge.testing._streams import read_all
from tests.messages import error_of, usage_error

INF, NAN = float("inf"), float("nan")


def test_probability_metrics_equal_scikit_learns() -> None:
    from sklearn import metrics as sklearns

    random = np.random.default_rng(4)
    probabilities = random.dirichlet([1, 1, 1], 4000)
    y = np.array([random.choice(3, p=row) for row in probabilities])
    run = sg.score(y, probabilities.argmax(axis=1), y_proba=probabilities)
    assert run.summary["log_loss"] == pytest.approx(sklearns.log_loss(y, probabilities))
    expected = ((probabilities - np.eye(3)[y]) ** 2).sum(axis=1).mean()
    assert run.summary["brier"] == pytest.approx(expected)
    exact = sklearns.roc_auc_score(y, probabilities, multi_class="ovr", average="macro")
    assert run.summary["auc"] == pytest.approx(exact, abs=1 / 256)  # scores are binned


def test_score_equals_evaluate_on_the_same_predictions() -> None:
    stream = example_stream()
    block = read_all(stream)
    run = sg.evaluate(stream, sg.NaiveBayes(), labels=sg.FromStream())
    table = run.predictions.to_pydict()
    by_row = dict(zip(table["row"], table["prediction"], strict=True))
    names = stream.schema.classes
    y = [None if code < 0 else names[code] for code in block.y]
    predicted = [by_row.get(i) for i in range(len(block))]
    again = sg.score(y, predicted, classes=names, arrives=block.arrives, revealed=block.revealed)
    assert again.summary == pytest.approx(run.summary, nan_ok=True)
    for name, values in run.references.items():
        assert again.references[name] == pytest.approx(values, nan_ok=True)
    assert str(again.verdict) == str(run.verdict).replace("NaiveBayes", "predictions")


def test_invalid_predictions_are_refused() -> None:
    mismatch = error_of(sg.score, [0, 1, 0], [0, 1])
    assert "y_true has shape (3,) and y_pred (2,)" in mismatch
    assert "no rows to score" in error_of(sg.score, [], [])
    assert "only one label (1)" in error_of(sg.score, [1, 1], [1, 1])
    assert "labels such as 'a' and predictions such as " in error_of(sg.score, ["a", "b"], [1, 2])
    fractions = error_of(sg.score, ["a", "b"], [0.25, 0.75])  # probabilities in the wrong place
    assert "labels such as 'a' and predictions such as 0.25: expected both to be text" in fractions
    undeclared = error_of(sg.score, [0, 1, 0], [0, 1, 0.5], classes=[0, 1])
    assert "row 2: label 0.5 is not one of the declared classes (0, 1)" in undeclared
    assert "row 1: y_true is infinite" in error_of(sg.score, [0, INF], [0, 1])
    assert "row 0: y_pred is infinite" in error_of(sg.score, [0.5, 1.5], [-INF, 1])
    assert "classes=[1]" in usage_error(sg.score, [0, 1], [1, 1], classes=[1])
    shape = error_of(sg.score, [0, 1], [0, 1], y_proba=[[1.0, 0.0]])
    assert "y_proba has shape (1, 2); expected 2 rows × 2 classes" in shape
    outside = error_of(sg.score, [0, 1], [0, 1], y_proba=[[1.0, 0.0], [1.5, -0.5]])
    assert "row 1: y_proba is outside 0..1" in outside
    assert "revealed: got int64 of shape (3,); expected 2 integers" in error_of(
        sg.score, [0, 1], [0, 1], revealed=[1, 2, 3]
    )


def test_abstaining_on_every_row_is_classification() -> None:
    run = sg.score([0, 1, 0, 1], [NAN] * 4)
    assert run.summary["coverage"] == 0
    assert run.summary["accuracy"] == 0
