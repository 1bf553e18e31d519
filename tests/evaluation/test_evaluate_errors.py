"""Evaluations that end early: times out of order, invalid predictions, learners that raise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import Floats, Schema, Targets
from streamgauge.runs.facts import RunFailure
from tests.evaluation.toys import Fixed, timed
from tests.streams.tables import write


def test_reveal_before_arrival_is_refused() -> None:
    stream = timed([1, 2, 3, 4], [1, 9, 2, 8])
    with pytest.raises(sg.InputError) as caught:
        sg.evaluate(stream, sg.Majority(), labels=sg.FromStream())
    message = str(caught.value)
    assert "row 2: its label is revealed at 2, before the row arrives at 3" in message
    assert "swapped" in message


def test_reveal_before_arrival_in_a_file_keeps_the_rows_before(tmp_path: Path) -> None:
    lines = [f"1,2020-01-01T00:{i:02}Z,2020-01-01T00:{i + 5:02}Z,{i % 2}\n" for i in range(50)]
    lines[40] = "1,2020-01-01T00:40Z,2020-01-01T00:39Z,1\n"
    path = write(tmp_path / "t.csv", "a,t,r,y\n" + "".join(lines))
    stream = sg.read(path, "y", arrives="t", revealed="r")
    with pytest.raises(sg.InputError, match="row 40: its label is revealed at ") as caught:
        sg.evaluate(stream, sg.Majority(), labels=sg.FromStream(), block_rows=10)
    (run,) = caught.value.runs  # four blocks of ten arrived, labels come after five more rows
    assert run.counts.rows == 40
    assert run.counts.scored == 35 - 1
    assert run.failure is not None
    assert "row 40" in run.failure.message


@pytest.mark.parametrize("block_rows", [1, 3, 4, 100])
def test_arrivals_out_of_order_are_refused(block_rows: int) -> None:
    arrives = [1, 2, 2, 5, 4, 6]
    stream = timed(arrives, [a + 10 for a in arrives])
    with pytest.raises(sg.InputError) as caught:
        sg.evaluate(stream, sg.Majority(), labels=sg.FromStream(), block_rows=block_rows)
    message = str(caught.value)
    assert "row 4: arrives at 4, earlier than the row before it (5)" in message
    assert "sort the data by arrival" in message
    (run,) = caught.value.runs
    assert run.counts.rows <= 4


def test_rows_scored_before_a_bad_row_are_kept() -> None:
    arrives = np.arange(100)
    arrives[70] = 5
    stream = timed(arrives, arrives + (arrives == 5))
    with pytest.raises(sg.InputError, match="row 70: ") as caught:
        sg.evaluate(stream, [sg.Majority(), sg.NaiveBayes()],
                    labels=sg.FromStream("labels_first"), block_rows=10)  # fmt: skip
    assert [run.name for run in caught.value.runs] == ["Majority", "NaiveBayes"]
    for run in caught.value.runs:
        assert run.counts.scored == 70
        assert run.predictions.column("row").to_pylist() == list(range(70))


def test_rows_scored_before_an_unknown_label_are_kept(tmp_path: Path) -> None:
    text = "a,y\n" + "1,u\n2,v\n" * 300_000 + "3,w\n"
    stream = sg.read(write(tmp_path / "t.csv", text), "y", classes=["u", "v"])
    match = r"row 600,000 \(line 600,002\): label 'w'"
    with pytest.raises(sg.InputError, match=match) as caught:
        sg.evaluate(stream, sg.Majority(), predictions=False)
    (run,) = caught.value.runs
    assert run.counts.scored == 600_000  # every row before it
    assert run.overall["accuracy"] == pytest.approx(0.5, abs=1e-5)


class Raises:
    """With River's methods; predicts the last label and raises after n calls of one kind."""

    def __init__(self, when: str, n: int) -> None:
        self.when, self.n, self.calls, self.last = when, n, 0, 0

    def _call(self, kind: str) -> None:
        if kind == self.when:
            self.calls += 1
            if self.calls > self.n:
                raise RuntimeError("out of steam")

    def predict_one(self, x: dict[str, float]) -> int:
        self._call("predict")
        return self.last

    def learn_one(self, x: dict[str, float], y: int) -> None:
        self._call("learn")
        self.last = y


class RaisesInBatches:
    """Learns from arrays; raises at the first row above a limit."""

    def __init__(self, limit: float) -> None:
        self.limit = limit

    def start(self, schema: Schema, seed: int) -> None:
        self.k = len(schema.classes)

    def predict(self, X: Floats) -> Floats:
        if (X[:, 0] >= self.limit).any():
            raise ZeroDivisionError("too far")
        return np.eye(self.k)[np.zeros(len(X), np.int64)]

    def learn(self, X: Floats, y: Targets, w: Floats) -> None:
        pass


def counting(n: int) -> sg.Stream:
    """Rows whose feature is their row number."""
    return sg.from_arrays(np.arange(float(n))[:, None], np.arange(n) // 3 % 2)


@pytest.mark.parametrize("block_rows", [7, 8192])
@pytest.mark.parametrize(
    ("learner", "labels", "row", "scored"),
    [
        (Raises("predict", 50), sg.Immediate(), 50, 50),
        (Raises("learn", 50), sg.Immediate(), 50, 50),
        (Raises("predict", 50), sg.Delay(10), 50, 41),  # row 40's label comes before row 50
        (Raises("learn", 50), sg.Delay(10), 50, 50),
        (RaisesInBatches(50), sg.Immediate(), 50, 50),
        (RaisesInBatches(50), sg.Delay(10), 50, 41),
    ],
)
def test_failing_learner_keeps_its_rows_and_the_others_finish(
    learner: Any, labels: Any, row: int, scored: int, block_rows: int
) -> None:
    stream = counting(100)
    others: list[Any] = [sg.NaiveBayes(), learner, sg.Persistent()]
    with pytest.raises(sg.LearnerError) as caught:
        sg.evaluate(stream, others, labels=labels, block_rows=block_rows)
    error = caught.value
    name = type(learner).__name__
    assert str(error).startswith(f"{name} failed at row {row} of arrays: ")
    assert f"the {scored} rows scored before" in str(error)
    assert isinstance(error.__cause__, RuntimeError | ZeroDivisionError)
    before, broken, after = error.runs
    assert (broken.name, broken.counts.scored) == (name, scored)
    assert broken.predictions.column("row").to_pylist() == list(range(scored))
    assert broken.failure.row == row
    assert type(error.__cause__).__name__ in broken.failure.message
    assert "Traceback" in broken.failure.traceback
    for whole_run, other in ((before, sg.NaiveBayes()), (after, sg.Persistent())):
        alone = sg.evaluate(stream, other, labels=labels)
        assert whole_run.failure is None
        assert whole_run.counts.scored == 100
        assert whole_run.predictions.equals(alone.predictions)
        assert whole_run.summary == pytest.approx(alone.summary, nan_ok=True)
    for column in ("row", "y", "majority", "persistent", "transition"):
        kept = broken.predictions.column(column).to_pylist()
        assert kept == before.predictions.column(column).to_pylist()[:scored]


def test_predicted_label_outside_the_classes_is_refused() -> None:
    class UnknownLabel(Raises):
        def predict_one(self, x: dict[str, float]) -> int:
            return 7

    with pytest.raises(
        sg.LearnerError, match="predicted 7; expected one of the stream's labels"
    ) as caught:
        sg.evaluate(counting(10), UnknownLabel("", 0))
    assert caught.value.runs[0].counts.scored == 0


def test_failed_run_reports_its_failure() -> None:
    with pytest.raises(sg.LearnerError) as caught:
        sg.evaluate(counting(100), Raises("predict", 30))
    (run,) = caught.value.runs
    assert run.to_dict()["status"] == "failed"
    assert "failed at row 30: RuntimeError: out of steam" in str(run)
    assert "30 rows scored before" in str(run)


class RaisesInPlay:
    """A player that raises without naming the row."""

    def start(self, schema: sg.Schema, seed: int) -> None:
        self.calls = 0

    def play(self, events: Any) -> None:
        self.calls += len(events.ops) > 0
        events.label[:] = 0
        if self.calls == 3:
            raise RuntimeError("broken")


def test_failing_play_keeps_the_blocks_before_and_the_other_learners() -> None:
    with pytest.raises(sg.LearnerError, match="RaisesInPlay failed at row 40") as caught:
        sg.evaluate(sg.SEA(100, seed=1), [RaisesInPlay(), sg.NaiveBayes()], block_rows=20)
    broken, fine = caught.value.runs
    assert broken.counts.scored == 40
    assert fine.counts.scored == 100
    assert fine.failure is None


class RaisesInStart(RaisesInPlay):
    """Raises in `start`."""

    def start(self, schema: sg.Schema, seed: int) -> None:
        raise RuntimeError("no licence")


def test_failing_start_names_the_learner() -> None:
    with pytest.raises(sg.LearnerError, match=r"RaisesInStart failed to start: .*no licence"):
        sg.evaluate(sg.SEA(100, seed=1), RaisesInStart())


@pytest.mark.parametrize(
    ("prediction", "complaint"),
    [
        (7, r"shape \(1,\), expected \(1, 2\)"),
        ([0.2, 0.3, 0.5], r"shape \(1, 3\), expected \(1, 2\)"),
        ([-1e9, -3e9], "expected values in 0..1"),
        ([1e300, 5], "expected values in 0..1"),
        ([1, 1], "expected values in 0..1 that sum to 1"),
        ([np.nan, 0.5], "all NaN to abstain"),
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


def test_empty_stream_is_refused() -> None:
    class Empty(sg.Stream):
        name, rows, schema = "empty", None, Schema(("x",), ((),), (0, 1))

        def blocks(self, size: int) -> Any:
            return iter(())

    with pytest.raises(sg.InputError, match="empty: no rows"):
        sg.evaluate(Empty(), sg.NaiveBayes())


def test_ctrl_c_keeps_the_rows_scored_so_far(tmp_path: Path) -> None:
    class Interrupts(Fixed):
        predicted = 0

        def predict(self, X: Floats) -> Any:
            self.predicted += len(X)
            if self.predicted > 150:
                raise KeyboardInterrupt
            return super().predict(X)

    stream, learner = sg.SEA(300, seed=1), Interrupts([0.5, 0.5])
    with pytest.raises(KeyboardInterrupt) as caught:
        sg.evaluate(stream, learner, block_rows=50)
    assert isinstance(caught.value, sg.Interrupted)
    assert str(caught.value) == (
        "interrupted after 150 rows; the partial run is in the `runs` of this error"
    )
    (partial,) = caught.value.runs
    assert partial.counts.scored == 150
    assert partial.failure == RunFailure(150, "interrupted after 150 rows", "")
    with pytest.raises(sg.Interrupted) as saved:
        sg.evaluate(stream, [learner, "Majority"], block_rows=50, save=tmp_path)
    paths = [run.path for run in saved.value.runs]
    assert sorted(tmp_path.iterdir()) == sorted(paths)
    assert str(saved.value).endswith(f"; the partial runs are saved to {paths[0]} and {paths[1]}")
