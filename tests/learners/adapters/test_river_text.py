"""The texts of River models: rebuilt from them, the models have the same parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from streamgauge.learners.adapters.river_text import river_text
from streamgauge.learners.learner_text import parse_learner

river = pytest.importorskip("river")
from river import (  # noqa: E402
    compose,
    drift,
    ensemble,
    forest,
    linear_model,
    naive_bayes,
    optim,
    preprocessing,
    tree,
)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (naive_bayes.GaussianNB, "river:naive_bayes.GaussianNB()"),
        (
            lambda: tree.HoeffdingTreeClassifier(grace_period=50, split_criterion="gini"),
            "river:tree.HoeffdingTreeClassifier(grace_period=50, split_criterion='gini')",
        ),
        (
            lambda: forest.ARFClassifier(n_models=3, seed=1, drift_detector=drift.ADWIN(0.1)),
            "river:forest.ARFClassifier(n_models=3, drift_detector=drift.ADWIN(delta=0.1), seed=1)",
        ),
        (
            lambda: ensemble.BaggingClassifier(tree.HoeffdingTreeClassifier(tau=0.1), n_models=2),
            "river:ensemble.BaggingClassifier(model=tree.HoeffdingTreeClassifier(tau=0.1), "
            "n_models=2)",
        ),
        (
            lambda: (
                preprocessing.StandardScaler()
                | linear_model.LogisticRegression(optimizer=optim.SGD(0.1))
            ),
            "river:compose.Pipeline(preprocessing.StandardScaler(), "
            "linear_model.LogisticRegression(optimizer=optim.SGD(lr=optim.schedulers.Constant("
            "learning_rate=0.1))))",
        ),
    ],
)
def test_text_rebuilds_the_model(make: Callable[[], Any], text: str) -> None:
    model = make()
    assert river_text(model) == text
    rebuilt = parse_learner(text)
    assert repr(rebuilt.model) == repr(model)


def test_function_has_no_text() -> None:
    with pytest.raises((ValueError, SyntaxError)):
        river_text(compose.FuncTransformer(lambda x: x))
