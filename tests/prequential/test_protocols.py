"""Holdout and cross-validation: which rows each model learns and is scored on."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import Block, Floats, Schema
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.streams.frames import ArrayStream
from tests.streams.tables import whole

SCHEMA = Schema(("row",), ((),), ())


class Counter:
    """Predicts the total weight it has learned, and records what it learned."""

    name = "Counter"

    def start(self, schema: Schema, seed: int) -> None:
        self.learned: list[tuple[int, float]] = []

    def predict(self, X: Floats) -> Floats:
        return np.full(len(X), sum(weight for _, weight in self.learned))

    def learn(self, X: Floats, y: Floats, w: Floats) -> None:
        self.learned += [(int(row), float(weight)) for row, weight in zip(X[:, 0], w, strict=True)]


def numbered(n: int, lost: tuple[int, ...] = ()) -> ArrayStream:
    """Rows whose feature and target are their number; those in `lost` have no label."""
    y = np.arange(n, dtype=np.float64)
    y[list(lost)] = np.nan
    return ArrayStream("numbers", SCHEMA, Block(0, np.arange(n, dtype=float)[:, np.newaxis], y))


def scored(run: sg.Run) -> list[tuple[int, float]]:
    """Row and prediction of everything that was scored."""
    table = run.predictions.to_pydict()
    return list(zip(table["row"], table["prediction"], strict=True))


@pytest.mark.parametrize("block_rows", [1, 7, 1000])
def test_interleaved_holdout_scores_the_rows_after_every_learned_ones(block_rows: int) -> None:
    run = sg.evaluate(
        numbered(29), Counter(), protocol=sg.Holdout(every=5, size=3), block_rows=block_rows
    )
    tests = [i for i in range(29) if i % 8 >= 5]
    assert scored(run) == [(i, 5 * (i // 8 + 1)) for i in tests]
    assert [row for row, _ in run.learner.learned] == [i for i in range(29) if i % 8 < 5]
    assert run.curve.rows.tolist() == [3, 6, 9]
    assert run.curve.forgettings == ("Window(3)", "Cumulative()")
    errors = [abs(i - 5 * (i // 8 + 1)) for i in tests]
    assert run.curve["mae"] == pytest.approx(np.array(errors).reshape(3, 3).mean(axis=1))


@pytest.mark.parametrize("block_rows", [1, 2, 1000])
def test_holdout_of_first_rows_tests_the_same_rows_each_time(block_rows: int) -> None:
    run = sg.evaluate(
        numbered(20, lost=(1, 9)),
        Counter(),
        protocol=sg.Holdout(every=4, size=3, test="first"),
        block_rows=block_rows,
    )
    # Row 1 has no label and cannot be scored; row 9 has no label and is not learned.
    assert scored(run) == [(row, learned) for learned in (4, 8, 12, 16) for row in (0, 2)]
    assert [row for row, _ in run.learner.learned] == [i for i in range(3, 20) if i != 9]
    assert run.counts.unlabelled == 2
    assert run.counts.rows == 20


def test_holdout_on_another_stream_tests_its_first_rows() -> None:
    tests = numbered(50)
    run = sg.evaluate(numbered(11), Counter(), protocol=sg.Holdout(5, 2, test=tests))
    assert scored(run) == [(0, 5), (1, 5), (0, 10), (1, 10)]
    other = sg.from_arrays(np.ones((3, 2)), [1.5, 2.5, 3.5])
    with pytest.raises(sg.UsageError, match="Holdout: arrays has different features from numbers"):
        sg.evaluate(numbered(11), Counter(), protocol=sg.Holdout(5, 2, test=other))


def test_delayed_labels_leave_holdout_rows_in_place_but_less_learned() -> None:
    run = sg.evaluate(numbered(16), Counter(), labels=sg.Delay(3), protocol=sg.Holdout(5, 3))
    # Row t is revealed just before row t + 3: row 5 is predicted after learning rows 0, 1, 2.
    assert scored(run) == [(5, 3), (6, 4), (7, 5), (13, 8), (14, 9), (15, 10)]


def test_labels_of_held_out_rows_never_change_predictions() -> None:
    stream = sg.SEA(3000, seed=1)
    block = whole(stream)
    flipped = block.y.copy()
    flipped[:200] = 1 - flipped[:200]
    other = ArrayStream("flipped", stream.schema, Block(0, block.X, flipped))
    holdout = sg.Holdout(every=500, size=200, test="first")
    runs = [sg.evaluate(s, sg.NaiveBayes(), protocol=holdout) for s in (stream, other)]
    predictions = [run.predictions.column("prediction") for run in runs]
    assert predictions[0].equals(predictions[1])
    assert runs[0].overall["accuracy"] == pytest.approx(1 - runs[1].overall["accuracy"])
    assert len(runs[0].curve) == 5


def weight(mode: str, k: int, model: int, row: int) -> float:
    return float((row % k != model) if mode == "cv" else (row % k == model))


@pytest.mark.parametrize("mode", ["cv", "split"])
@pytest.mark.parametrize("block_rows", [1, 5, 1000])
def test_each_fold_model_learns_its_rows_and_is_scored_on_the_rest(
    mode: Any, block_rows: int
) -> None:
    k = 4
    folds = sg.evaluate(
        numbered(22), Counter(), protocol=sg.PrequentialCV(k, mode), block_rows=block_rows
    )
    assert len(folds) == k
    for model, run in enumerate(folds):
        weights = [weight(mode, k, model, row) for row in range(22)]
        assert [row for row, _ in run.learner.learned] == [i for i in range(22) if weights[i]]
        assert scored(run) == [(i, sum(weights[:i])) for i in range(22) if not weights[i]]
        assert run.settings.model == model
    assert len({run.id for run in folds}) == k
    assert folds.mean["mae"] == pytest.approx(np.mean([run.overall["mae"] for run in folds]))
    assert folds.sd["mae"] == pytest.approx(np.std([run.overall["mae"] for run in folds], ddof=1))
    assert "mean ± standard deviation over 4 models" in str(folds)
    assert {run.name for run in folds} == {"Counter"}
    assert [run.title for run in folds][2] == "Counter [2]"


def test_bootstrap_weights_are_independent_poisson_draws() -> None:
    protocol = sg.PrequentialCV(10, "bootstrap", seed=3)
    rows = np.arange(20_000)
    weights = np.stack([model.weight(rows) for model in protocol.models()])
    assert abs(weights.mean() - 1) < 4 / np.sqrt(weights.size)  # Poisson(1): mean and variance 1
    assert abs(weights.var() - 1) < 4 * np.sqrt(3 / weights.size)
    frequencies = [(weights == value).mean() for value in range(4)]
    expected = np.exp(-1) / np.array([1, 1, 2, 6])
    assert np.abs(frequencies - expected).max() < 4 * 0.5 / np.sqrt(weights.size)
    assert abs(np.corrcoef(weights[0], weights[1])[0, 1]) < 4 / np.sqrt(len(rows))
    folds = sg.evaluate(numbered(40), Counter(), protocol=protocol)
    for run, own in zip(folds, weights[:, :40], strict=True):
        assert run.learner.learned == [(i, own[i]) for i in range(40) if own[i]]
        assert scored(run) == [(i, own[:i].sum()) for i in range(40) if not own[i]]
    other = next(sg.PrequentialCV(10, "bootstrap", seed=5).models()).weight(rows)
    assert not np.array_equal(other, weights[0])


def test_bootstrap_without_a_seed_takes_the_seed_of_the_run() -> None:
    def learned(protocol: sg.PrequentialCV, seed: int) -> list[Any]:
        folds = sg.evaluate(numbered(40), Counter(), protocol=protocol, seed=seed)
        return [run.learner.learned for run in folds]

    free, fixed = (sg.PrequentialCV(3, "bootstrap", seed=seed) for seed in (None, 7))
    assert learned(free, 7) == learned(fixed, 1) != learned(free, 8)
    folds = sg.evaluate(numbered(40), Counter(), protocol=free, seed=7)
    assert folds[0].settings.protocol == "PrequentialCV(3, 'bootstrap', seed=7)"
    unseeded = sg.evaluate(numbered(40), Counter(), protocol=sg.PrequentialCV(3), seed=7)
    assert unseeded[0].settings.protocol == "PrequentialCV(3, 'cv')"  # draws nothing
    with pytest.raises(sg.UsageError, match=r"PrequentialCV: seed=-1; expected an integer"):
        sg.PrequentialCV(3, "bootstrap", seed=-1)


def test_moa_compat_scores_every_model_on_all_rows() -> None:
    folds = sg.evaluate(numbered(9), Counter(), protocol=sg.PrequentialCV(3, "cv", compat="moa"))
    for model, run in enumerate(folds):
        assert scored(run) == [
            (i, sum(weight("cv", 3, model, j) for j in range(i))) for i in range(9)
        ]


def test_several_learners_in_one_pass_equal_separate_runs() -> None:
    from river import tree

    stream = sg.SEA(900, seed=2, noise=0.1)
    learners = [sg.NaiveBayes(), tree.HoeffdingTreeClassifier()]
    together = sg.evaluate(stream, learners, protocol=sg.PrequentialCV(3, "bootstrap"))
    assert together.names == ("NaiveBayes", "HoeffdingTreeClassifier")
    alone = sg.evaluate(stream, learners[1], protocol=sg.PrequentialCV(3, "bootstrap"))
    assert alone.mean == pytest.approx(
        together.by_learner["HoeffdingTreeClassifier"].mean, nan_ok=True
    )
    assert alone.mean["accuracy"] > 0.7


@pytest.mark.parametrize("policy", [sg.Delay(30), sg.Chunks(20)], ids=repr)
def test_folds_are_re_evaluated_on_their_own_rows(policy: LabelPolicy) -> None:
    options: dict[str, Any] = {"labels": policy, "reevaluate": sg.Reevaluate(4, 3)}
    cv = sg.PrequentialCV(3)
    folds = sg.evaluate(sg.SEA(600, seed=4), sg.NaiveBayes(), protocol=cv, **options)
    for run in folds:
        assert run.bins.rows == run.counts.scored == 200
        assert run.bins["accuracy"][0] == run.overall["accuracy"]
        assert run.bins.n_r > 0


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: sg.Holdout(0, 5), "expected every >= 1"),
        (lambda: sg.Holdout(5, 0), "expected size >= 1"),
        (lambda: sg.Holdout(5, 5, test="last"), "expected test='interleaved'"),  # type: ignore[arg-type]
        (
            lambda: sg.evaluate(numbered(9), Counter(), protocol=sg.Holdout(9, 2)),
            "the stream has 9 rows and ends before the first test; expected at least 10 rows",
        ),
        (
            lambda: sg.evaluate(numbered(9), Counter(), protocol=sg.Holdout(2, 8, test="first")),
            "the stream has 9 rows and ends before the first test; expected at least 10 rows",
        ),
        (
            lambda: sg.evaluate(
                numbered(9), Counter(), protocol=sg.Holdout(2, 8, test=numbered(5))
            ),
            "numbers has only 5 rows; expected at least 8",
        ),
        (
            lambda: sg.evaluate(numbered(9), Counter(), forget=[sg.TimeWindow(timedelta(hours=1))]),
            "this stream has no times; expected a number of rows",
        ),
        (lambda: sg.Sampled("a"), "expected a probability"),  # type: ignore[arg-type]
        (lambda: sg.PrequentialCV(1), "at least two models"),
        (lambda: sg.PrequentialCV(3, "loo"), "expected mode='cv', mode='split' or"),  # type: ignore[arg-type]
        (lambda: sg.PrequentialCV(3, compat="weka"), "expected compat=None or compat='moa'"),  # type: ignore[arg-type]
        (lambda: sg.evaluate(numbered(9), Counter(), protocol=3), "protocol=3: expected Holdout"),  # type: ignore[call-overload]
        (
            lambda: sg.evaluate(numbered(9), Counter(), protocol=sg.Holdout(2, 2), warmup=3),
            "Holdout never scores the rows it learns",
        ),
    ],
)
def test_options_that_make_no_sense_are_refused(make: Any, complaint: str) -> None:
    with pytest.raises(sg.UsageError, match=complaint):
        make()
