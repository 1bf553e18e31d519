"""What must never pass silently: shared state, invalid predictions, wrong tasks, lost runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import Floats, Schema
from streamgauge.learners.parsing import parse_learner
from streamgauge.testing import check_learner


def test_a_learner_given_twice_is_copied() -> None:
    from river import tree

    stream = sg.SEA(2000, seed=1, noise=0.2)
    for learner in (sg.NaiveBayes(), sg.from_river(tree.HoeffdingTreeClassifier(grace_period=50))):
        alone = sg.evaluate(stream, learner)
        first, second = sg.evaluate(stream, [learner, learner])
        assert first.predictions.equals(alone.predictions)
        assert second.predictions.equals(alone.predictions)
        assert first.learner is not second.learner


class Fixed:
    """Always predicts the value it was created with."""

    def __init__(self, prediction: Any) -> None:
        self.prediction = prediction

    def start(self, schema: Schema, seed: int) -> None: ...

    def predict(self, X: Floats) -> Any:
        return np.array([self.prediction] * len(X), float)

    def learn(self, X: Any, y: Any, w: Any) -> None: ...


@pytest.mark.parametrize(
    ("prediction", "complaint"),
    [
        (7, r"shape \(1,\), expected \(1, 2\)"),
        ([0.2, 0.3, 0.5], r"shape \(1, 3\), expected \(1, 2\)"),
        ([-1e9, -3e9], "expected numbers in 0..1"),
        ([1e300, 5], "expected numbers in 0..1"),
        ([1, 1], "expected numbers in 0..1 that sum to 1"),
        ([np.nan, 0.5], "NaN throughout"),
    ],
)
def test_invalid_probabilities_are_refused(prediction: Any, complaint: str) -> None:
    with pytest.raises(sg.LearnerError, match=f"Fixed failed at row 0 of .*{complaint}"):
        sg.evaluate(sg.SEA(300, seed=1), Fixed(prediction), metrics="all")


class FixedCode(Fixed):
    """A player that predicts class 0 for 40 rows, then a fixed class code."""

    def play(self, events: Any) -> None:
        events.label[:] = np.where(events.slots < 40, 0, self.prediction)


@pytest.mark.parametrize("code", [2, -2, 10**6])
def test_unknown_class_codes_are_refused(code: int) -> None:
    with pytest.raises(
        sg.LearnerError, match=f"row 40 .*class code {code}; expected 0 to 1"
    ) as caught:
        sg.evaluate(sg.SEA(300, seed=1), FixedCode(code))
    assert caught.value.runs[0].counts.scored == 40
    for learner in (sg.Persistent(start_as=2), sg.Majority(start_as=2)):
        with pytest.raises(sg.UsageError, match="start_as=2: expected a class code, 0 to 1"):
            sg.evaluate(sg.SEA(300, seed=1), learner)


def test_learners_for_the_other_task_are_refused() -> None:
    from river import linear_model, preprocessing, tree

    regression = sg.from_arrays(np.zeros((50, 1)), np.linspace(0, 1, 50))
    for learner in (sg.NaiveBayes(), sg.Transition(), tree.HoeffdingTreeClassifier()):
        with pytest.raises(sg.UsageError, match="is for classification, this stream is for regr"):
            sg.evaluate(regression, learner)
    pipeline = preprocessing.StandardScaler() | linear_model.LinearRegression()
    for other in (sg.Mean(), pipeline):
        with pytest.raises(sg.UsageError, match="is for regression, this stream is for class"):
            sg.evaluate(sg.SEA(50, seed=1), other)
    with pytest.raises(sg.InputError, match="empty in every row"):
        sg.from_arrays(np.zeros((5, 1)), np.full(5, np.nan))


def test_pipelines_break_ties_as_their_last_step_does() -> None:
    from river import naive_bayes, preprocessing

    pipeline = preprocessing.StandardScaler() | naive_bayes.GaussianNB()
    assert check_learner(pipeline, sg.SEA(200, seed=1)) == []
    assert sg.evaluate(sg.SEA(200, seed=1), pipeline).name == "GaussianNB"


def test_parsed_learners_show_their_parameters_in_their_names() -> None:
    tree = parse_learner("river:tree.HoeffdingTreeClassifier(delta=0.01)")
    assert tree.name == "HoeffdingTreeClassifier(delta=0.01)"
    text = "river:ensemble.BaggingClassifier(model=tree.HoeffdingTreeClassifier(), n_models=3)"
    assert parse_learner(text).name.startswith("BaggingClassifier(model=tree.Hoeffding")


class HiddenParameter(Fixed):
    """Its parameter is not part of its repr."""


def test_different_runs_never_overwrite_each_other(tmp_path: Path) -> None:
    stream = sg.SEA(300, seed=1)
    runs = [sg.evaluate(stream, HiddenParameter(value)) for value in ([1, 0], [0, 1])]
    assert len({run.save(tmp_path) for run in runs}) == 2
    faded = [sg.evaluate(stream, sg.NaiveBayes(), forget=[sg.Fading(a)]) for a in (0.99999999, 1.0)]
    assert faded[0].id != faded[1].id


def test_runs_of_an_unseeded_random_learner_are_saved_side_by_side(tmp_path: Path) -> None:
    class Unseeded(Fixed):
        def predict(self, X: Floats) -> Any:
            return np.eye(2)[np.random.default_rng().integers(0, 2, len(X))]

    runs = [sg.evaluate(sg.SEA(300, seed=1), Unseeded(0)) for _ in range(2)]
    assert runs[0].id == runs[1].id
    assert len({run.save(tmp_path) for run in runs}) == 2


def test_a_run_kept_in_one_folder_can_be_saved_in_another(tmp_path: Path) -> None:
    run = sg.evaluate(sg.SEA(300, seed=1), sg.NaiveBayes(), keep=tmp_path / "a")
    saved = run.save(tmp_path / "b")
    assert (saved / "predictions.parquet").exists()
    (kept,) = (tmp_path / "a").iterdir()
    assert (kept / "predictions.parquet").exists()
    assert run.predictions.num_rows == 300


def test_reveal_times_of_the_stream_are_used_by_default() -> None:
    X, y, when = np.zeros((200, 1)), np.arange(200) // 50 % 2, np.arange(200)
    late = sg.from_arrays(X, y, arrives=when, revealed=when + 30)
    assert sg.evaluate(late, sg.Persistent()).settings.labels == "FromStream()"
    assert sg.evaluate(sg.from_arrays(X, y), sg.Persistent()).settings.labels == "Immediate()"
    text = str(sg.evaluate(late, sg.Persistent(), labels=sg.Delay(190)))
    assert "Persistent answered 5.0% of the rows only" in text


def test_a_row_without_a_label_needs_no_reveal_time() -> None:
    y = [0.0, 1.0, np.nan, 1.0] * 5
    when = np.arange(20)
    revealed = np.where(np.isnan(y), -1, when)
    run = sg.evaluate(
        sg.from_arrays(np.zeros((20, 1)), y, arrives=when, revealed=revealed), sg.Majority()
    )
    assert (run.counts.scored, run.counts.unlabelled) == (15, 5)


def test_verdict_does_not_round_99_99_percent_to_100() -> None:
    y = np.repeat(np.arange(20_000) % 2, 1)
    y[9_999] = y[9_998]
    run = sg.score(y, np.arange(20_000) % 2)
    assert "99.9" in str(run.verdict)
    assert "100.0 %" not in str(run.verdict)


def test_cost_loss_equals_confusion_times_cost_for_learner_and_reference() -> None:
    run = sg.evaluate(sg.SEA(500, seed=1), sg.Persistent(), cost=[[0, 1], [5, 0]])
    assert run.confusion is not None
    total_cost = (
        run.confusion[0, 1]
        + 5 * run.confusion[1, 0]
        + run.confusion[0, 2]
        + 5 * run.confusion[1, 2]
    )
    assert run.overall["cost_loss"] == pytest.approx(total_cost / 500)
    assert run.overall["cost_loss"] == run.references["Persistent"]["cost_loss"]
    assert run.summary["cost_loss"] == pytest.approx(run.overall["cost_loss"])


def test_empty_stream_and_string_for_a_list_are_refused(tmp_path: Path) -> None:
    class Empty(sg.Stream):
        name, rows, schema = "empty", None, Schema(("x",), ((),), (0, 1))

        def blocks(self, size: int) -> Any:
            return iter(())

    with pytest.raises(sg.InputError, match="empty: no rows"):
        sg.evaluate(Empty(), sg.NaiveBayes())
    (tmp_path / "t.csv").write_text("apple,y\n1,a\n2,b\n")
    with pytest.raises(sg.UsageError, match=r"drop=\['apple'\]"):
        sg.read(tmp_path / "t.csv", "y", drop="apple")


def test_reveal_timestamps_need_an_arrival_column(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("x,when,y\n1,2013-01-01T00:00,a\n2,2013-01-02T00:00,b\n")
    with pytest.raises(sg.UsageError, match="name the arrival column: arrives="):
        list(sg.read(path, "y", revealed="when").blocks(9))


def test_ctrl_c_keeps_the_rows_scored_so_far() -> None:
    class Interrupts(Fixed):
        predicted = 0

        def predict(self, X: Floats) -> Any:
            self.predicted += len(X)
            if self.predicted > 150:
                raise KeyboardInterrupt
            return super().predict(X)

    with pytest.raises(sg.StreamgaugeError, match="interrupted after 150 rows") as caught:
        sg.evaluate(sg.SEA(300, seed=1), Interrupts([0.5, 0.5]), block_rows=50)
    assert caught.value.runs[0].counts.scored == 150


@pytest.mark.parametrize(
    "make",
    [
        lambda: sg.Delay(2**63 - 1),
        lambda: sg.Delay(1.5),  # type: ignore[arg-type]
        lambda: sg.Window(2.5),  # type: ignore[arg-type]
        lambda: sg.Chunks("3"),  # type: ignore[arg-type]
        lambda: sg.evaluate(sg.SEA(9), sg.NaiveBayes(), every=1.5),  # type: ignore[call-overload]
        lambda: sg.evaluate(sg.SEA(9), sg.NaiveBayes(), warmup=1.5),  # type: ignore[call-overload]
        lambda: sg.evaluate(sg.SEA(9), sg.NaiveBayes(), block_rows=0),
        lambda: sg.evaluate(sg.SEA(9), sg.NaiveBayes(), metrics=[]),
        lambda: sg.evaluate(sg.SEA(9), sg.NaiveBayes(), keep=None),  # type: ignore[call-overload]
        lambda: sg.evaluate(sg.SEA(9), sg.NaiveBayes(), forget=sg.Window(3)),  # type: ignore[call-overload]
    ],
)
def test_row_counts_must_be_integers_and_lists_must_be_lists(make: Any) -> None:
    with pytest.raises(sg.UsageError):
        make()
