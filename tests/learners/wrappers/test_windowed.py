"""Windowed: batch models retrained on the last revealed rows, or trained once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.learners.learner_text import parse_learner
from streamgauge.testing import check_learner, example_stream
from tests.streams.tables import whole

pytest.importorskip("sklearn")
wrapper: Any = sg.Windowed  # to be given what it refuses
TREE = "sklearn:tree.DecisionTreeClassifier(max_depth=3)"


def model() -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(max_depth=3)


@pytest.mark.parametrize("every", [pytest.param(7, marks=pytest.mark.long), None])
def test_the_battery(every: int | None) -> None:
    assert check_learner(sg.Windowed(TREE, 20, every), example_stream(50)) == []


@pytest.mark.parametrize("labels", [sg.Immediate(), sg.Delay(13), sg.Chunks(10)])
@pytest.mark.parametrize("every", [25, None])
def test_predictions_are_those_of_a_model_fitted_to_the_last_labels(
    labels: Any, every: int | None
) -> None:
    stream = sg.Sine1(200, seed=1)
    block = whole(stream)
    run = sg.evaluate(stream, sg.Windowed(TREE, 40, every), labels=labels, seed=3)
    known_at = {  # labels known when row t is predicted
        "Immediate()": lambda t: t,
        "Delay(13)": lambda t: max(0, t - 13 + 1),
        "Chunks(10)": lambda t: t // 10 * 10,
    }
    learned_before: Any = known_at[repr(labels)]
    expected: list[int | None] = []
    for t in range(200):
        known = learned_before(t)
        last = (40 if known >= 40 else 0) if every is None else known // every * every
        if not last:
            expected.append(None)
            continue
        part = slice(max(0, last - 40), last)
        fitted = model().set_params(random_state=3).fit(block.X[part], block.y[part])
        expected.append(int(fitted.predict(block.X[t : t + 1])[0]))
    in_order = run.predictions.sort_by("row")
    assert in_order["prediction"].to_pylist() == expected


def test_retraining_follows_a_drift_that_a_frozen_model_misses() -> None:
    stream = sg.tenet_streams(rows=3000)["Sine1"]
    retrained, frozen = sg.evaluate(stream, [sg.Windowed(TREE, 300, n) for n in (50, None)])
    assert retrained.overall["accuracy"] > frozen.overall["accuracy"] + 0.2


@pytest.mark.parametrize(("every", "expected"), [(50, 60), (None, 1)])
def test_model_is_fitted_as_often_as_asked(
    every: int | None, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sklearn.tree import DecisionTreeClassifier

    fitted, fit = [], DecisionTreeClassifier.fit

    def counting(self: Any, X: Any, *rest: Any, **more: Any) -> Any:
        fitted.append(len(X))
        return fit(self, X, *rest, **more)

    monkeypatch.setattr(DecisionTreeClassifier, "fit", counting)
    sg.evaluate(sg.Sine1(3000, seed=1), sg.Windowed(TREE, 300, every))
    assert len(fitted) == expected
    assert max(fitted) == 300


def test_classes_that_the_window_lacks_have_no_probability() -> None:
    X = np.arange(60.0)[:, None]
    y = np.repeat(["a", "b", "c"], 20)
    run = sg.evaluate(sg.from_arrays(X, y), sg.Windowed(TREE, 15, 10), metrics="all")
    said = run.predictions["prediction"].to_pylist()
    assert said[:10] == [None] * 10
    assert said[10:30] == ["a"] * 20
    assert said[30:40] == ["b"] * 10  # from a window of a and b
    assert said[50:] == ["c"] * 10
    assert np.isfinite(run.summary["log_loss"])


@pytest.mark.parametrize(
    "base", ["sklearn:svm.LinearSVC()", "sklearn:naive_bayes.GaussianNB()", "NaiveBayes"]
)
def test_other_models_learn(base: str) -> None:
    run = sg.evaluate(sg.SEA(600, seed=1), sg.Windowed(base, 200, 50))
    assert run.overall["accuracy"] > 0.75


@pytest.mark.parametrize(
    ("base", "lowest", "highest"),
    [
        ("sklearn:ensemble.HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=5)", 1, 1),
        ("sklearn:linear_model.LogisticRegression()", 0.5, 0.9),
    ],
)
def test_missing_numbers_reach_models_that_support_them(
    base: str, lowest: float, highest: float
) -> None:
    """Only which numbers are missing tells the classes apart; 0 is as likely as 1 and -1."""
    random = np.random.default_rng(1)
    y = random.integers(0, 2, 600)
    X = np.where(y == 1, np.nan, random.integers(-1, 2, 600))[:, None]
    run = sg.evaluate(sg.from_arrays(X, y), sg.Windowed(base, 200, every=100), warmup=100)
    assert lowest <= run.overall["accuracy"] <= highest


def test_failure_is_at_the_label_that_completes_a_window() -> None:
    broken = sg.Windowed("sklearn:tree.DecisionTreeClassifier(max_depth=-1)", 50, every=20)
    with pytest.raises(sg.LearnerError, match=r"failed at row 19 .* the 19 rows scored before are"):
        sg.evaluate(sg.SEA(200, seed=1), broken)


@pytest.mark.parametrize(
    "name",
    ["ensemble.HistGradientBoostingClassifier", "neural_network.MLPClassifier", "svm.SVC"],
)
def test_name_of_a_model_can_be_given_again(name: str) -> None:
    learner = sg.Windowed(f"sklearn:{name}()", 500, every=100)
    assert repr(learner) == f"Windowed(sklearn:{name}(), rows=500)"
    assert repr(parse_learner(repr(learner))) == repr(learner)


def test_window_of_our_learner_is_learned_from_nothing() -> None:
    stream = sg.SEA(300, seed=1)
    block = whole(stream)
    learner = sg.Windowed("NaiveBayes", 50, 25)
    learner.start(stream.schema, 1)
    learner.learn(block.X, block.y, np.ones(300))
    fresh = sg.NaiveBayes()
    fresh.start(stream.schema, 1)
    fresh.learn(block.X[250:], block.y[250:], np.ones(50))
    assert np.array_equal(learner.predict(block.X), fresh.predict(block.X))


def test_an_object_and_its_text_are_the_same_learner() -> None:
    learner = sg.Windowed(model(), 300, every=None)
    text = "Windowed(sklearn:tree.DecisionTreeClassifier(max_depth=3), rows=300, every=None)"
    assert repr(learner) == text
    assert repr(parse_learner(text)) == text
    grid = sg.Grid(["SEA(100)"], [learner])
    assert grid.cells[0].learner == text


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: sg.Windowed(TREE, 0), r"Windowed\(rows=0\): expected 1 or more"),
        (lambda: wrapper(TREE, every=2.5), r"Windowed\(every\)"),
        (lambda: sg.Windowed("sklearn:linear_model.LinearRegression()"), "is not a classifier"),
        (lambda: sg.Windowed("AMRules"), "expected a classifier, got a regressor"),
        (lambda: sg.Windowed("SWT(NaiveBayes())"), "put Windowed inside the wrapper"),
        (lambda: sg.Windowed("sklearn:tree.DecisionTree()"), "has no class 'DecisionTree'"),
        (lambda: sg.Windowed("sklearn:trees.X()"), "scikit-learn has no module 'trees'"),
        (lambda: sg.Windowed("sklearn:datasets.load_iris()"), "has no models"),
        (lambda: sg.evaluate(sg.SEA(9), model()), r"or Windowed\(model, rows, every\)"),
    ],
)
def test_invalid_arguments_are_errors(make: Any, complaint: str) -> None:
    with pytest.raises(sg.UsageError, match=complaint):
        make()


def test_undefined_probabilities_are_replaced_by_the_answer_of_predict() -> None:
    from sklearn.tree import DecisionTreeClassifier

    class Unsure(DecisionTreeClassifier):  # type: ignore[misc]
        def predict_proba(self, X: Any) -> Any:
            return np.where([True, False], np.nan, super().predict_proba(X))

        def predict(self, X: Any) -> Any:
            return self.classes_[super().predict_proba(X).argmax(axis=1)]

    stream = sg.SEA(300, seed=1)
    trees = (Unsure(random_state=1), DecisionTreeClassifier(random_state=1))
    unsure, sure = (sg.evaluate(stream, sg.Windowed(tree, 100, every=20)) for tree in trees)
    assert unsure.predictions.equals(sure.predictions)
    assert "Unsure: the probabilities of 280 predictions were undefined" in unsure.warnings[0]
    assert sure.warnings == ()
