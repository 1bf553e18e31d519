"""scikit-learn models through the adapter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import Floats
from streamgauge.testing import check_learner, example_stream


@pytest.mark.parametrize("batch_size", [pytest.param(1, marks=pytest.mark.long), 7])
def test_battery_with_any_batch_size(batch_size: int) -> None:
    from sklearn.linear_model import SGDClassifier

    model = SGDClassifier(loss="log_loss", random_state=3, eta0=1e-9, learning_rate="constant")
    assert check_learner(sg.from_sklearn(model, batch_size=batch_size), example_stream(30)) == []


def test_scikit_learns_regressors() -> None:
    """As a literal loop; how many rows are asked at a time moves the last digit."""
    from sklearn.linear_model import SGDRegressor

    random = np.random.default_rng(1)
    X = random.normal(size=(400, 2))
    stream = sg.from_arrays(X, X @ [3.0, -2.0], task="regression")
    run = sg.evaluate(stream, sg.from_sklearn(SGDRegressor(random_state=1), batch_size=20))
    model, said = SGDRegressor(random_state=1), [np.full(20, np.nan)]
    for start in range(0, 400, 20):
        part = slice(start, start + 20)
        model.partial_fit(X[part], X[part] @ [3.0, -2.0])
        said.append(model.predict(X[start + 20 : start + 40]) if start < 380 else np.empty(0))
    ours = run.predictions.column("prediction").to_numpy()
    np.testing.assert_allclose(ours, np.concatenate(said), rtol=1e-12)


def test_a_scikit_learn_model_needs_no_wrapping() -> None:
    from sklearn.naive_bayes import GaussianNB

    stream = sg.SEA(800, seed=1)
    model = GaussianNB()
    run = sg.evaluate(stream, model)
    assert run.name == "GaussianNB"
    assert not hasattr(model, "theta_")  # the original is unchanged
    assert run.learner.model.class_count_.sum() == 800
    ours = sg.evaluate(stream, sg.NaiveBayes())
    assert abs(run.overall["accuracy"] - ours.overall["accuracy"]) < 0.01
    assert run.overall["coverage"] == 799 / 800  # it abstains before the first label


def _with_a_constant(n: int) -> tuple[Floats, Any]:
    X = np.random.default_rng(1).normal(size=(n, 2))
    X[:, 1] = 1.0
    return X, (X[:, 0] > 0).astype(int)


def test_undefined_probabilities_are_replaced_by_the_answer_of_predict() -> None:
    """scikit-learn's naive Bayes divides by the variance of a constant feature, row by row."""
    from sklearn.naive_bayes import GaussianNB

    X, y = _with_a_constant(200)
    run = sg.evaluate(sg.from_arrays(X, y), sg.from_sklearn(GaussianNB()), metrics="all")
    model = GaussianNB()
    said: list[int | None] = [None]
    with np.errstate(all="ignore"):
        for i in range(199):
            model.partial_fit(X[i : i + 1], y[i : i + 1], classes=[0, 1])
            said.append(int(model.predict(X[i + 1 : i + 2])[0]))
    assert run.predictions.column("prediction").to_pylist() == said
    (warning,) = run.warnings
    assert "GaussianNB: the probabilities of 199 predictions were undefined (NaN)" in warning
    assert "larger mini-batches (batch_size)" in warning
    in_batches = sg.evaluate(sg.from_arrays(X, y), sg.from_sklearn(GaussianNB(), batch_size=20))
    assert in_batches.warnings == ()
    assert in_batches.overall["accuracy"] > 0.8


def test_warning_outlives_a_reset_and_is_not_carried_to_another_run() -> None:
    from sklearn.naive_bayes import GaussianNB

    X, y = _with_a_constant(200)
    stream = sg.from_arrays(X, y)
    learner = sg.Resetting(sg.from_sklearn(GaussianNB()), sg.PeriodicAlarm(50))
    first, second = (sg.evaluate(stream, learner).warnings for _ in range(2))
    assert first == second
    assert "the probabilities of 1" in first[0]  # more than 100 predictions


def test_regressor_without_an_answer_is_named_in_the_verdict() -> None:
    class Diverged:
        def partial_fit(self, X: Floats, y: Floats) -> None: ...

        def predict(self, X: Floats) -> Floats:
            return np.full(len(X), np.nan)

    X = np.zeros((100, 1))
    run = sg.evaluate(sg.from_arrays(X, X[:, 0], task="regression"), sg.from_sklearn(Diverged()))
    assert "Diverged made no prediction for 100 of 100 rows" in str(run.verdict)


def test_labels_only_and_mini_batches() -> None:
    """A literal loop of predict and partial_fit every 50 rows gives the same answers."""
    from sklearn.linear_model import SGDClassifier

    stream = sg.SEA(1000, seed=4)
    block = next(stream.blocks(1000))
    run = sg.evaluate(stream, sg.from_sklearn(SGDClassifier(random_state=1), batch_size=50))
    model = SGDClassifier(random_state=1)
    said: list[int | None] = []
    for start in range(0, 1000, 50):
        part = slice(start, start + 50)
        said += [None] * 50 if start == 0 else model.predict(block.X[part]).tolist()
        model.partial_fit(block.X[part], block.y[part], classes=[0, 1])
    assert run.predictions.column("prediction").to_pylist() == said


def test_models_without_partial_fit_are_refused() -> None:
    from sklearn.cluster import MiniBatchKMeans
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    with pytest.raises(sg.UsageError, match="has no partial_fit; expected a scikit-learn model"):
        sg.from_sklearn(RandomForestClassifier())
    from sklearn.linear_model import SGDClassifier, SGDRegressor

    with pytest.raises(sg.UsageError, match="batch_size=0"):
        sg.from_sklearn(SGDClassifier(), batch_size=0)
    for batch_only in (RandomForestClassifier(), make_pipeline(StandardScaler(), SGDClassifier())):
        with pytest.raises(sg.UsageError, match=r"has no partial_fit; .* pass the last step"):
            sg.evaluate(sg.SEA(10), batch_only)
    for stream in (sg.SEA(10), sg.from_arrays(np.ones((9, 1)), np.arange(9) / 2)):
        with pytest.raises(sg.UsageError, match="KMeans is neither a classifier nor a regressor"):
            sg.evaluate(stream, MiniBatchKMeans(2))
    with pytest.raises(sg.UsageError, match="SGDRegressor is for regression"):
        sg.evaluate(sg.SEA(10), SGDRegressor())


def test_weights_require_sample_weight() -> None:
    class Simple:
        def partial_fit(self, X: Floats, y: Floats, classes: Any = None) -> None: ...
        def predict(self, X: Floats) -> Floats:
            return np.zeros(len(X))

    assert sg.evaluate(sg.SEA(50), Simple()).overall["coverage"] > 0.9
    with pytest.raises(sg.LearnerError, match="Simple does not support sample_weight"):
        sg.evaluate(sg.SEA(50), Simple(), protocol=sg.PrequentialCV(2, "bootstrap"))


def test_the_batch_size_is_part_of_a_runs_identity() -> None:
    from sklearn.linear_model import SGDClassifier

    ids = {
        sg.evaluate(sg.SEA(200), sg.from_sklearn(SGDClassifier(), batch_size=size)).id
        for size in (1, 20, 20)
    }
    assert len(ids) == 2


class Scaled:
    """A pipeline that learns incrementally, as users write it."""

    def __init__(self, **options: Any) -> None:
        from sklearn.linear_model import SGDClassifier
        from sklearn.preprocessing import StandardScaler

        model = SGDClassifier(loss="log_loss", **options)
        self.steps = [("scale", StandardScaler()), ("model", model)]

    def partial_fit(self, X: Floats, y: Floats, classes: Any = None) -> None:
        scale, model = (step for _, step in self.steps)
        order = np.random.permutation(len(X))  # noqa: NPY002 - a global generator
        model.partial_fit(scale.partial_fit(X).transform(X)[order], y[order], classes=classes)

    def predict(self, X: Floats) -> Floats:
        scale, model = (step for _, step in self.steps)
        return np.asarray(model.predict(scale.transform(X)), np.float64)


def test_run_depends_on_its_seed_alone() -> None:
    """Seeds of nested parts, of scikit-learn's own wrappers and of global random numbers."""
    from sklearn.linear_model import SGDClassifier
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.neural_network import MLPClassifier

    stream = sg.Sine1(100, seed=4)
    for make in (
        Scaled,
        lambda: OneVsRestClassifier(SGDClassifier()),
        lambda: MLPClassifier(hidden_layer_sizes=(3,)),
    ):
        runs = [
            sg.evaluate(stream, sg.from_sklearn(make(), batch_size=10), seed=seed)
            for seed in (2, 2, 2, 3)
        ]
        said = [run.predictions["prediction"] for run in runs]
        assert said[0] == said[1] == said[2] != said[3]
        assert runs[0].warnings == ()
    explicit = [
        sg.evaluate(stream, MLPClassifier((3,), random_state=5), seed=seed).predictions
        for seed in (1, 2)
    ]
    assert explicit[0] == explicit[1]
