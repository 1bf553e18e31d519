"""The adapter for River: names, ties and binary labels."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.testing import check_learner


def test_pipelines_break_ties_as_their_last_step_does() -> None:
    from river import naive_bayes, preprocessing

    pipeline = preprocessing.StandardScaler() | naive_bayes.GaussianNB()
    assert check_learner(pipeline, sg.SEA(200, seed=1)) == []
    assert sg.evaluate(sg.SEA(200, seed=1), pipeline).name == "GaussianNB"


def test_binary_models_get_true_and_false_as_labels() -> None:
    from river import linear_model

    names = np.where(np.arange(300) % 3 == 0, "no", "yes")
    X = (names == "yes").astype(float)[:, np.newaxis] * 20 - 10
    run = sg.evaluate(sg.from_arrays(X, names), linear_model.LogisticRegression(), warmup=20)
    assert run.summary["accuracy"] == 1
    assert set(run.predictions["prediction"].to_pylist()) == {"no", "yes"}
    three = sg.from_arrays(X, np.arange(300) % 3)
    with pytest.raises(sg.UsageError, match="OneVsRestClassifier"):
        sg.evaluate(three, linear_model.LogisticRegression())
