"""The adapter for River: names, ties, binary labels and seeds."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.testing import check_learner


def test_pipelines_break_ties_as_their_last_step_does() -> None:
    from river import naive_bayes, preprocessing

    pipeline = preprocessing.StandardScaler() | naive_bayes.GaussianNB()
    assert check_learner(pipeline, sg.SEA(60, seed=1)) == []
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


def forest() -> Any:
    from river import forest

    return forest.ARFClassifier(n_models=2, grace_period=20)


def bagging() -> Any:
    from river import ensemble, tree

    return ensemble.BaggingClassifier(tree.HoeffdingTreeClassifier(20), n_models=2)


def pipeline() -> Any:
    from river import preprocessing

    return preprocessing.StandardScaler() | bagging()


def patches() -> Any:
    from river import ensemble, tree

    return ensemble.SRPClassifier(tree.HoeffdingTreeClassifier(20), n_models=2)


@pytest.mark.parametrize("make", [forest, bagging, pipeline, patches])
def test_run_depends_on_its_seed_alone(make: Callable[[], Any]) -> None:
    stream = sg.Sine1(200, seed=4)
    runs = [sg.evaluate(stream, make(), seed=seed, metrics="all") for seed in (2, 2, 2, 3)]
    assert all(run.warnings == () for run in runs)
    losses = [run.summary["log_loss"] for run in runs]
    assert losses[0] == losses[1] == losses[2] != losses[3]


def test_wrapped_model_gets_the_seed() -> None:
    stream = sg.Sine1(200, seed=4)
    wrapped = [sg.evaluate(stream, sg.SWT(bagging()), seed=2).predictions for _ in range(2)]
    assert wrapped[0] == wrapped[1]


def test_a_seed_of_the_user_stays() -> None:
    from river import forest

    runs = [
        sg.evaluate(sg.Sine1(200, seed=4), forest.ARFClassifier(2, grace_period=20, seed=9), seed=s)
        for s in (1, 2)
    ]
    assert runs[0].predictions == runs[1].predictions


class Guess:
    """Guesses with a random generator of its own."""

    def __init__(self) -> None:
        self.dice = random.Random()

    def predict_one(self, x: dict[str, float]) -> int:
        return int(self.dice.random() > 0.5)

    def learn_one(self, x: dict[str, float], y: int) -> None: ...


def test_learner_that_cannot_be_seeded_is_called_not_reproducible(tmp_path: Path) -> None:
    run = sg.evaluate(sg.SEA(50), Guess())
    assert "Warning: this run is not reproducible; its seed does not determine all" in run.details
    assert "because Guess.dice is a random generator without a `seed`" in run.warnings[0]
    assert json.loads(json.dumps(run.to_dict()))["warnings"] == list(run.warnings)
    assert sg.open_run(run.save(tmp_path)).warnings == run.warnings
    folds = sg.evaluate(sg.SEA(50), Guess(), protocol=sg.PrequentialCV(2))
    assert str(folds).count("this run is not reproducible") == 1
    for wrapped in (sg.SWT(Guess()), sg.Resetting(Guess(), sg.DDM())):
        assert "not reproducible" in sg.evaluate(sg.SEA(50), wrapped).warnings[0]


def test_part_that_drew_random_numbers_when_it_was_made_is_called_not_reproducible() -> None:
    from river import preprocessing, tree

    def model(**options: int) -> Any:
        return preprocessing.FeatureHasher(4, **options) | tree.HoeffdingTreeClassifier()

    assert "draws random numbers when it is made" in sg.evaluate(sg.SEA(50), model()).warnings[0]
    assert sg.evaluate(sg.SEA(50), model(seed=1)).warnings == ()


def test_global_random_numbers_are_seeded_too() -> None:
    class Flip(Guess):
        def __init__(self) -> None: ...

        def predict_one(self, x: dict[str, float]) -> int:
            return int(random.random() > np.random.rand())  # noqa: NPY002

    runs = [
        sg.evaluate(sg.SEA(100), [Flip(), "NaiveBayes", Flip()], seed=seed) for seed in (2, 2, 3)
    ]
    said = [[run.predictions["prediction"].to_pylist() for run in each] for each in runs]
    assert said[0] == said[1]
    assert said[0][0] == said[0][2]  # one learner does not use up another's
    assert said[0][0] != said[2][0]
    assert runs[0][0].warnings == ()


@pytest.mark.parametrize("classes", [(0, 1), (0, 1, 2)])
@pytest.mark.parametrize("metrics", ["labels", "all"])  # without and with probabilities
def test_undefined_probabilities_are_replaced_by_the_answer_of_predict_one(
    classes: tuple[int, ...], metrics: str
) -> None:
    from river.base import Classifier

    class Unsure(Classifier):  # type: ignore[misc]
        """River's own predict_one names the class with the highest of these."""

        _multiclass = True
        seen = 0

        def learn_one(self, x: dict[str, float], y: int) -> None:
            self.seen += 1

        def predict_proba_one(self, x: dict[str, float]) -> dict[int, float]:
            p = [np.nan, 1.0, 0.0] if self.seen % 3 else [0.25, 0.75, 0.0]
            p = [np.nan] * 3 if self.seen % 5 == 1 else p
            return dict(zip(classes, p, strict=False))

    class Overridden(Unsure):
        def predict_one(self, x: dict[str, float]) -> Any:
            return super().predict_one(x)

    y = np.random.default_rng(1).integers(0, len(classes), 60)
    stream = sg.from_arrays(np.zeros((60, 1)), y, classes=classes)
    model, said = Unsure(), []
    for label in y.tolist():
        said.append(model.predict_one({}))
        model.learn_one({}, label)
    for made in (Unsure, Overridden):
        run = sg.evaluate(stream, sg.from_river(made()), metrics=metrics)
        assert run.predictions.column("prediction").to_pylist() == said
        if made is Unsure or metrics == "all":
            assert "the probabilities of 44 predictions were undefined" in run.warnings[0]
