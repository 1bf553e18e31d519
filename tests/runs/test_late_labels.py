"""Late labels of a run: scores in order of arrival, waits by class, coverage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.runs import _late_labels
from streamgauge.runs._late_labels import LateLabels
from tests.conftest import real_data
from tests.oracles import late_labels as oracle


def late_stream(dependent: bool = True, n: int = 3000) -> sg.Stream:
    """Labels of class 1 take ten times as long."""
    X = next(sg.SEA(n, seed=1, noise=0.1).blocks(n))
    rng = np.random.default_rng(2)
    waits = 1 + rng.exponential(np.where(dependent & (X.y == 1), 400, 40)).astype(np.int64)
    when = np.arange(n)
    return sg.from_arrays(X.X, X.y, arrives=when, revealed=when + waits)


def late(run: sg.Run) -> LateLabels:
    assert run.late_labels is not None
    return run.late_labels


@pytest.mark.parametrize("block_rows", [97, 100_000])
def test_scores_in_order_of_arrival_equal_the_oracle_on_the_predictions(block_rows: int) -> None:
    stream = late_stream()
    run = sg.evaluate(
        stream, sg.NaiveBayes(), forget=[sg.Cumulative(), sg.Window(200)], block_rows=block_rows
    )
    found = late(run)
    assert found.rows == 200
    table = run.predictions.to_pydict()
    for name, scores in {"prediction": found.learner, **found.references}.items():
        right = [
            (row, float(y == p))
            for row, y, p in zip(table["row"], table["y"], table[name.lower()], strict=True)
        ]
        expected = oracle.order_scores(right, 200)
        assert tuple(vars(scores).values()) == pytest.approx(expected)
    assert run.curve["accuracy", sg.Window(200)][-1] == found.learner.last_revealed
    block = next(stream.blocks(3000))
    assert block.revealed is not None
    waits, y = (block.revealed - np.arange(3000)).tolist(), block.y.tolist()
    assert found.classes[1].longer == pytest.approx(oracle.probability_longer(waits, y, 1))
    assert (found.classes[0].word, found.classes[1].word) == ("shorter", "longer")


def test_verdict_gives_both_orders_and_warns_of_waits_that_depend_on_the_class() -> None:
    run = sg.evaluate(late_stream(), sg.NaiveBayes())
    scores = late(run).learner
    text = str(run.verdict)
    assert f"rows to arrive: {scores.first_arrived:.1%}".replace("%", " %") in text
    assert [each.word for each in late(run).classes] == ["shorter", "longer"]
    assert "Warning" in text
    fair = sg.evaluate(late_stream(dependent=False), sg.NaiveBayes())
    assert not {"shorter", "longer"} & {each.word for each in late(fair).classes}
    assert f"rows to arrive: {late(fair).learner.first_arrived:.1%}".replace("%", " %") in str(
        fair.verdict
    )
    assert "Warning" not in str(fair.verdict)


@pytest.mark.parametrize("policy", [sg.Immediate(), sg.Delay(1), sg.Delay(50), sg.Chunks(100)])
def test_labels_in_the_order_of_the_rows_have_only_one_order(policy: sg.LabelPolicy) -> None:
    run = sg.evaluate(sg.SEA(3000, seed=1), sg.NaiveBayes(), labels=policy)
    assert run.late_labels is None
    assert run.to_dict()["late_labels"] is None


def test_test_set_predicted_again_and_again_has_no_order_of_arrival() -> None:
    holdout = sg.Holdout(every=300, size=200, test="first")
    run = sg.evaluate(sg.SEA(3000, seed=1), sg.NaiveBayes(), labels=sg.Delay(20), protocol=holdout)
    assert run.late_labels is None


def test_regression_compares_errors() -> None:
    rng = np.random.default_rng(1)
    y, when = rng.normal(size=2500), np.arange(2500)
    stream = sg.from_arrays(
        np.zeros((2500, 1)), y, task="regression",
        arrives=when, revealed=when + rng.integers(1, 90, 2500),
    )  # fmt: skip
    run = sg.evaluate(stream, sg.Mean())
    table = run.predictions.to_pydict()
    errors = [
        (row, abs(a - b))
        for row, a, b in zip(table["row"], table["y"], table["prediction"], strict=True)
    ]
    expected = oracle.order_scores(errors, 1000)
    assert tuple(vars(late(run).learner).values()) == pytest.approx(expected)
    assert late(run).classes == ()
    assert "rows to arrive: MAE " in str(run.verdict)


def test_only_the_most_recent_labels_are_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_late_labels, "_TESTED", 500)
    run = sg.evaluate(late_stream(), sg.NaiveBayes(), block_rows=128)
    assert sum(each.rows for each in late(run).classes) == 500


def test_saved_run_has_the_same_late_labels(tmp_path: Path) -> None:
    run = sg.evaluate(late_stream(), sg.NaiveBayes())
    opened = sg.open_run(run.save(tmp_path))
    assert opened.late_labels == run.late_labels
    assert str(opened.verdict) == str(run.verdict)
    written = run.to_dict()["late_labels"]
    assert written["classes"][1]["word"] == "longer"
    assert written["references"]["Majority"]["first_arrived"] == pytest.approx(
        late(run).references["Majority"].first_arrived
    )


def test_coverage_stands_beside_a_delayed_score() -> None:
    stream = sg.SEA(2000, seed=1)
    run = sg.evaluate(stream, sg.NaiveBayes(), labels=sg.Delay(100))
    lines = run.details.splitlines()
    assert lines[2].split()[:2] == ["accuracy", "coverage"]
    assert lines[3].split()[3] == lines[4].split()[3] == "95.0"
    right = run.overall["accuracy"] * 2000
    assert (
        "NaiveBayes made no prediction for the first 100 of 2,000 rows, which count as wrong; of "
        f"the others it got {right / 1900:.1%}".replace("%", " %")
        in str(run.verdict)
    )
    assert "right; warmup=100 leaves them out." in str(run.verdict)
    soon = str(sg.evaluate(stream, sg.NaiveBayes()))
    assert "coverage" not in soon
    assert "made no prediction" not in soon
    folds = sg.evaluate(stream, sg.NaiveBayes(), labels=sg.Delay(100), protocol=sg.PrequentialCV(2))
    assert "coverage" in str(folds)


class LateStarter:
    """Predicts the first class from its 20th label on, but for one row."""

    def start(self, schema: sg.Schema, seed: int) -> None:
        self.k, self.seen = len(schema.classes), 0

    def predict(self, X: Any) -> Any:
        known = self.seen >= 20 and self.seen != self.gap
        return np.tile(np.eye(self.k)[0] if known else np.full(self.k, np.nan), (len(X), 1))

    def learn(self, X: Any, y: Any, w: Any) -> None:
        self.seen += len(y)

    gap = 0


def test_rows_before_the_first_prediction_are_said_to_count_as_wrong() -> None:
    stream, note = sg.SEA(500, seed=1), "LateStarter made no prediction for the first 20 of 500"
    run = sg.evaluate(stream, LateStarter())
    assert note in str(run.verdict)
    assert "warmup=20 leaves them out" in str(run.verdict)
    assert sg.evaluate(stream, LateStarter(), warmup=20).overall["coverage"] == 1
    holdout = sg.evaluate(stream, LateStarter(), protocol=sg.Holdout(every=10, size=10))
    assert "made no prediction" in str(holdout.verdict)
    assert "warmup" not in str(holdout.verdict)  # which has none
    few = sg.evaluate(sg.SEA(5000, seed=1), LateStarter())
    assert "made no prediction" not in str(few.verdict)


def test_rows_not_predicted_later_are_not_said_to_be_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(LateStarter, "gap", 300)
    run = sg.evaluate(sg.SEA(500, seed=1), LateStarter())
    assert "LateStarter made no prediction for 21 of 500 rows" in str(run.verdict)
    assert "warmup" not in str(run.verdict)


def test_learner_that_abstains_on_most_rows_is_warned_of() -> None:
    class Rare(LateStarter):
        def predict(self, X: Any) -> Any:
            known = self.seen % 10 == 1
            return np.tile(np.eye(self.k)[0] if known else np.full(self.k, np.nan), (len(X), 1))

    run = sg.evaluate(sg.SEA(500, seed=1), Rare())
    said = "Warning: Rare made no prediction for 450 of 500 rows, which count as wrong; of the "
    assert said in str(run.verdict)


class Silent:
    """Never predicts."""

    def start(self, schema: sg.Schema, seed: int) -> None:
        self.k = len(schema.classes)

    def predict(self, X: Any) -> Any:
        return np.full((len(X), self.k), np.nan)

    def learn(self, X: Any, y: Any, w: Any) -> None: ...


def test_learner_that_never_predicts_has_no_accuracy_of_its_own() -> None:
    run = sg.evaluate(sg.SEA(500, seed=1), Silent(), labels=sg.Delay(9))
    assert "Silent made no prediction for 500 of 500 rows, which count as wrong.\n" in run.details


def test_bins_show_that_a_cold_start_is_not_learning() -> None:
    """All of the rise is rows that no model could answer before the first label."""
    X, y = np.zeros((1000, 1)), np.arange(1000) % 2
    run = sg.evaluate(
        sg.from_arrays(X, y), sg.Majority(), labels=sg.Delay(100), reevaluate=sg.Reevaluate(10, 4)
    )
    assert run.bins["accuracy"][-1] > run.bins["accuracy"][0]
    text = str(run.bins)
    assert "coverage" in text.splitlines()[0]
    assert (
        "Coverage rises from 90.0 % in bin 0 to 99.9 % in the final bin; of the rows with" in text
    )


def test_rows_that_wait_to_the_end_are_counted_and_named() -> None:
    when = np.arange(400)
    y = np.array([None if i % 4 == 0 else i % 2 for i in range(400)], object)
    stream = sg.from_arrays(np.zeros((400, 1)), y, arrives=when, revealed=when + 20)
    how = sg.Reevaluate(5, 3)
    run = sg.evaluate(stream, sg.Majority(), reevaluate=how)
    assert run.counts.awaited == run.counts.unlabelled == 100
    assert "Warning: 100 rows without a label waited, and were predicted again" in str(run.verdict)
    assert "waited" not in str(sg.evaluate(stream, sg.Majority()).verdict)
    assert "100 rows not yet labelled" in run.details
    left = sg.evaluate(stream, sg.Majority(), labels=sg.FromStream(timeout=30), reevaluate=how)
    assert left.bins.n_c < run.bins.n_c
    assert left.bins.n_b < run.bins.n_b
    assert left.counts.awaited < 10
    assert "waited" not in str(left.verdict)  # the clock runs on until all have left


def test_airlines_wait_by_class() -> None:
    real_data("airlines_atl_2008w1")
    run = sg.evaluate(sg.load("airlines_atl_2008w1"), sg.NaiveBayes())
    assert late(run).classes[run.classes.index("delayed")].word == "longer"
    assert "Warning" in str(run.verdict)
