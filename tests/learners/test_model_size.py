"""The size of a model: what it reports, or its pickled size."""

from __future__ import annotations

import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
from river import naive_bayes
from sklearn.linear_model import SGDClassifier
from sklearn.tree import DecisionTreeClassifier

import streamgauge as sg

STREAM = sg.SEA(800, seed=1)


class Untold:
    """Keeps every row; says nothing of its size."""

    def start(self, schema: sg.Schema, seed: int) -> None:
        self.k, self.rows = len(schema.classes), np.empty((0, len(schema.features)))

    def predict(self, X: Any) -> Any:
        return np.eye(self.k)[np.zeros(len(X), int)]

    def learn(self, X: Any, y: Any, w: Any) -> None:
        self.rows = np.concatenate([self.rows, X])


class Told(Untold):
    nbytes = 77


class Unpicklable(Untold):
    def start(self, schema: sg.Schema, seed: int) -> None:
        super().start(schema, seed)
        self.act = lambda: None


def test_learner_that_reports_its_size_is_not_pickled() -> None:
    for learner in (sg.NaiveBayes(), Told(), naive_bayes.GaussianNB()):
        cost = sg.evaluate(STREAM, learner).cost
        assert cost.measured_by == "own"
        assert cost.model_bytes > 0
    assert sg.evaluate(STREAM, Told()).cost.model_bytes == 77


def test_others_have_their_pickled_size() -> None:
    run = sg.evaluate(STREAM, Untold())
    assert run.cost.measured_by == "pickled"
    assert run.cost.model_bytes == len(pickle.dumps(run.learner, pickle.HIGHEST_PROTOCOL))
    assert run.cost.model_bytes > 800 * 3 * 8


def test_scikit_learn_model_is_measured_alone() -> None:
    run = sg.evaluate(STREAM, SGDClassifier(random_state=1))
    assert run.cost.measured_by == "pickled"
    model = pickle.dumps(run.learner.model, pickle.HIGHEST_PROTOCOL)
    assert run.cost.model_bytes == len(model)


def test_wrapper_measures_as_what_it_wraps() -> None:
    own = sg.evaluate(STREAM, sg.Resetting("NaiveBayes", sg.DDM())).cost
    pickled = sg.evaluate(STREAM, sg.Resetting(Untold(), sg.DDM())).cost
    window = sg.evaluate(STREAM, sg.Windowed(DecisionTreeClassifier(random_state=1), 200, 200)).cost
    assert [each.measured_by for each in (own, pickled, window)] == ["own", "pickled", "pickled"]
    assert all(each.model_bytes > 0 for each in (own, pickled, window))


def test_learner_that_cannot_be_pickled_has_no_size(tmp_path: Path) -> None:
    cost = sg.evaluate(STREAM, Unpicklable()).cost
    assert math.isnan(cost.model_bytes)
    assert cost.measured_by is None


def test_saved_run_says_how_it_was_measured(tmp_path: Path) -> None:
    for learner in (sg.NaiveBayes(), Untold()):
        run = sg.evaluate(STREAM, learner)
        assert sg.open_run(run.save(tmp_path)).cost.measured_by == run.cost.measured_by


def test_table_names_the_pickled_ones(tmp_path: Path) -> None:
    grid = sg.Grid([STREAM], {"bayes": "NaiveBayes", "untold": Untold()})
    results = sg.run_grid(grid, tmp_path, workers=0, progress=False)
    assert results.table(value="model_bytes").pickled == ("untold",)
    assert results.table(value="accuracy").pickled == ()
    frame = results.to_frame("pandas")
    assert dict(zip(frame["learner"], frame["measured_by"], strict=True)) == {
        "bayes": "own",
        "untold": "pickled",
    }
    notes = [note for note in results.table(value="model_bytes").sheet.notes if "untold" in note]
    assert len(notes) == 1
