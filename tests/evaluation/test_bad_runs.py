"""Runs that end early: times out of order, impossible policies, learners that raise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import Floats, Schema, Targets
from tests.streams.tables import write


def timed(arrives: Any, revealed: Any = None) -> sg.Stream:
    n = len(arrives)
    y = [i % 2 for i in range(n)]
    return sg.from_arrays(np.zeros((n, 1)), y, arrives=arrives, revealed=revealed)


def test_a_reveal_before_its_arrival() -> None:
    stream = timed([1, 2, 3, 4], [1, 9, 2, 8])
    with pytest.raises(sg.InputError) as caught:
        sg.evaluate(stream, sg.Majority(), labels=sg.FromStream())
    message = str(caught.value)
    assert "row 2: its label is revealed at 2, before the row arrives at 3" in message
    assert "swapped" in message


def test_a_reveal_before_its_arrival_in_a_file(tmp_path: Path) -> None:
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
def test_time_running_backwards(block_rows: int) -> None:
    arrives = [1, 2, 2, 5, 4, 6]
    stream = timed(arrives, [a + 10 for a in arrives])
    with pytest.raises(sg.InputError) as caught:
        sg.evaluate(stream, sg.Majority(), labels=sg.FromStream(), block_rows=block_rows)
    message = str(caught.value)
    assert "row 4: arrives at 4, earlier than the row before it (5)" in message
    assert "sort the data by arrival" in message
    (run,) = caught.value.runs
    assert run.counts.rows <= 4


def test_what_came_before_a_bad_row_is_kept() -> None:
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


def test_a_label_outside_the_classes_in_the_middle(tmp_path: Path) -> None:
    text = "a,y\n" + "1,u\n2,v\n" * 300_000 + "3,w\n"
    stream = sg.read(write(tmp_path / "t.csv", text), "y", classes=["u", "v"])
    match = r"row 600,000 \(line 600,002\): label 'w'"
    with pytest.raises(sg.InputError, match=match) as caught:
        sg.evaluate(stream, sg.Majority(), keep="none")
    (run,) = caught.value.runs
    assert run.counts.scored == 600_000  # every row before it
    assert run.overall["accuracy"] == pytest.approx(0.5, abs=1e-5)


@pytest.mark.parametrize("n", [0, -3])
def test_a_delay_of_nothing(n: int) -> None:
    with pytest.raises(sg.UsageError) as caught:
        sg.Delay(n)
    message = str(caught.value)
    assert message.startswith(f"Delay({n}): a label cannot be revealed before its own row")
    assert "Delay(1) or Immediate()" in message


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: sg.Chunks(0), "Chunks(0): expected at least one row per chunk"),
        (lambda: sg.Sampled(0), "Sampled(0): expected a probability"),
        (lambda: sg.Sampled(1.5), "Sampled(1.5): expected a probability"),
        (lambda: sg.FromStream("both"), "ties='both'"),  # type: ignore[arg-type]
        (lambda: sg.evaluate(timed([1, 2]), sg.Majority(), labels=sg.FromStream()),
         "FromStream() needs a stream with reveal times"),
        (lambda: sg.evaluate(sg.SEA(9), sg.Majority(), warmup=9), "warmup=9: expected 0 or more"),
        (lambda: sg.evaluate(sg.SEA(9), []), "no learner given"),
        (lambda: sg.evaluate(sg.SEA(9), sg.NaiveBayes), "expected an object: NaiveBayes()"),
        (lambda: sg.evaluate(sg.SEA(9), 3), "int has no predict_one and learn_one"),
        (lambda: sg.evaluate("elec2", sg.Majority()),  # type: ignore[call-overload]
         "str is no stream; make one with load, read"),
    ],
)  # fmt: skip
def test_usage_that_cannot_be_right(make: Any, complaint: str) -> None:
    with pytest.raises(sg.UsageError) as caught:
        make()
    assert complaint in str(caught.value)


class Raises:
    """River-like; answers the last label and raises at its n-th call of one kind."""

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
    """A learner of arrays that raises at the first row above a limit."""

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
    """Rows that know their number."""
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
def test_a_learner_that_raises_in_the_middle(
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


def test_an_answer_that_is_no_class() -> None:
    class Confused(Raises):
        def predict_one(self, x: dict[str, float]) -> int:
            return 7

    with pytest.raises(
        sg.LearnerError, match="predicted 7; expected one of the stream's labels"
    ) as caught:
        sg.evaluate(counting(10), Confused("", 0))
    assert caught.value.runs[0].counts.scored == 0


def test_a_run_that_failed_says_so() -> None:
    with pytest.raises(sg.LearnerError) as caught:
        sg.evaluate(counting(100), Raises("predict", 30))
    (run,) = caught.value.runs
    assert run.to_dict()["status"] == "failed"
    assert "failed at row 30: RuntimeError: out of steam" in str(run)
    assert "30 rows scored before" in str(run)


class RaisesInPlay:
    """A player of its own that breaks without saying where."""

    def start(self, schema: sg.Schema, seed: int) -> None:
        self.calls = 0

    def play(self, events: Any) -> None:
        self.calls += len(events.ops) > 0
        events.label[:] = 0
        if self.calls == 3:
            raise RuntimeError("broken")


def test_a_play_that_raises_keeps_the_blocks_before_and_the_others() -> None:
    with pytest.raises(sg.LearnerError, match="RaisesInPlay failed at row 40") as caught:
        sg.evaluate(sg.SEA(100, seed=1), [RaisesInPlay(), sg.NaiveBayes()], block_rows=20)
    broken, fine = caught.value.runs
    assert broken.counts.scored == 40
    assert fine.counts.scored == 100
    assert fine.failure is None


class RaisesInStart(RaisesInPlay):
    """Does not even begin."""

    def start(self, schema: sg.Schema, seed: int) -> None:
        raise RuntimeError("no licence")


def test_a_start_that_raises_is_named() -> None:
    with pytest.raises(sg.LearnerError, match=r"RaisesInStart failed to start: .*no licence"):
        sg.evaluate(sg.SEA(100, seed=1), RaisesInStart())


def test_rivers_binary_models_are_told_true_and_false() -> None:
    from river import linear_model

    names = np.where(np.arange(300) % 3 == 0, "no", "yes")
    X = (names == "yes").astype(float)[:, np.newaxis] * 20 - 10
    run = sg.evaluate(sg.from_arrays(X, names), linear_model.LogisticRegression(), warmup=20)
    assert run.summary["accuracy"] == 1
    assert set(run.predictions["prediction"].to_pylist()) == {"no", "yes"}
    three = sg.from_arrays(X, np.arange(300) % 3)
    with pytest.raises(sg.UsageError, match="OneVsRestClassifier"):
        sg.evaluate(three, linear_model.LogisticRegression())
