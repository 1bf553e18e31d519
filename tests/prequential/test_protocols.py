"""Holdout and cross-validation: which rows each model learns and is scored on, literally."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import Block, Floats, Schema
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing import _whole

SCHEMA = Schema(("row",), ((),), ())


class Counter:
    """Answers with the weight of the lessons it had, and remembers them."""

    name = "Counter"

    def start(self, schema: Schema, seed: int) -> None:
        self.lessons: list[tuple[int, float]] = []

    def predict(self, X: Floats) -> Floats:
        return np.full(len(X), sum(weight for _, weight in self.lessons))

    def learn(self, X: Floats, y: Floats, w: Floats) -> None:
        self.lessons += [(int(row), float(weight)) for row, weight in zip(X[:, 0], w, strict=True)]


def numbered(n: int, lost: tuple[int, ...] = ()) -> ArrayStream:
    """Rows that say their number; some without a label."""
    y = np.arange(n, dtype=np.float64)
    y[list(lost)] = np.nan
    return ArrayStream("numbers", SCHEMA, Block(0, np.arange(n, dtype=float)[:, np.newaxis], y))


def told(run: sg.Run) -> list[tuple[int, float]]:
    """Row and answer of everything that was scored."""
    table = run.predictions.to_pydict()
    return list(zip(table["row"], table["prediction"], strict=True))


@pytest.mark.parametrize("block_rows", [1, 7, 1000])
def test_interleaved(block_rows: int) -> None:
    run = sg.evaluate(
        numbered(29), Counter(), protocol=sg.Holdout(every=5, size=3), block_rows=block_rows
    )
    tests = [i for i in range(29) if i % 8 >= 5]
    assert told(run) == [(i, 5 * (i // 8 + 1)) for i in tests]
    assert [row for row, _ in run.learner.lessons] == [i for i in range(29) if i % 8 < 5]
    assert run.curve.rows.tolist() == [3, 6, 9]
    assert run.curve.forgettings == ("Window(3)", "Cumulative()")
    errors = [abs(i - 5 * (i // 8 + 1)) for i in tests]
    assert run.curve["mae"] == pytest.approx(np.array(errors).reshape(3, 3).mean(axis=1))


@pytest.mark.parametrize("block_rows", [1, 2, 1000])
def test_the_first_rows_again_and_again(block_rows: int) -> None:
    run = sg.evaluate(
        numbered(20, lost=(1, 9)),
        Counter(),
        protocol=sg.Holdout(every=4, size=3, test="first"),
        block_rows=block_rows,
    )
    # Row 1 has no label, so cannot be tested on; row 9 none, so teaches nothing.
    assert told(run) == [(row, lessons) for lessons in (4, 8, 12, 16) for row in (0, 2)]
    assert [row for row, _ in run.learner.lessons] == [i for i in range(3, 20) if i != 9]
    assert run.counts.unlabelled == 2
    assert run.counts.rows == 20


def test_an_independent_test_stream() -> None:
    tests = numbered(50)
    run = sg.evaluate(numbered(11), Counter(), protocol=sg.Holdout(5, 2, test=tests))
    assert told(run) == [(0, 5), (1, 5), (0, 10), (1, 10)]
    other = sg.from_arrays(np.ones((3, 2)), [1.5, 2.5, 3.5])
    with pytest.raises(sg.UsageError, match="Holdout: arrays has different features from numbers"):
        sg.evaluate(numbered(11), Counter(), protocol=sg.Holdout(5, 2, test=other))


def test_late_labels() -> None:
    """The tests are rows of the same places; what was learned by then is less."""
    run = sg.evaluate(numbered(16), Counter(), labels=sg.Delay(3), protocol=sg.Holdout(5, 3))
    # Row t's label comes just before row t + 3: row 5 is asked when rows 0, 1, 2 were learned.
    assert told(run) == [(5, 3), (6, 4), (7, 5), (13, 8), (14, 9), (15, 10)]


def test_test_rows_teach_nothing() -> None:
    stream = sg.SEA(3000, seed=1)
    block = _whole(stream)
    other = block.y.copy()
    other[:200] = 1 - other[:200]
    turned = ArrayStream("turned", stream.schema, Block(0, block.X, other))
    how = sg.Holdout(every=500, size=200, test="first")
    runs = [sg.evaluate(s, sg.NaiveBayes(), protocol=how) for s in (stream, turned)]
    said = [run.predictions.column("prediction") for run in runs]
    assert said[0].equals(said[1])
    assert runs[0].overall["accuracy"] == pytest.approx(1 - runs[1].overall["accuracy"])
    assert len(runs[0].curve) == 5


def weight(mode: str, k: int, model: int, row: int) -> float:
    return float((row % k != model) if mode == "cv" else (row % k == model))


@pytest.mark.parametrize("mode", ["cv", "split"])
@pytest.mark.parametrize("block_rows", [1, 5, 1000])
def test_folds(mode: Any, block_rows: int) -> None:
    k = 4
    folds = sg.evaluate(
        numbered(22), Counter(), protocol=sg.PrequentialCV(k, mode), block_rows=block_rows
    )
    assert len(folds) == k
    for model, run in enumerate(folds):
        share = [weight(mode, k, model, row) for row in range(22)]
        assert [row for row, _ in run.learner.lessons] == [i for i in range(22) if share[i]]
        assert told(run) == [(i, sum(share[:i])) for i in range(22) if not share[i]]
        assert run.settings.model == model
    assert len({run.id for run in folds}) == k
    assert folds.mean["mae"] == pytest.approx(np.mean([run.overall["mae"] for run in folds]))
    assert folds.sd["mae"] == pytest.approx(np.std([run.overall["mae"] for run in folds], ddof=1))
    assert "mean ± standard deviation over 4 models" in str(folds)
    assert folds.to_dict()["runs"][2]["settings"]["model"] == 2


def test_bootstrap() -> None:
    protocol = sg.PrequentialCV(10, "bootstrap")
    rows = np.arange(20_000)
    weights = np.stack([model.weight(rows) for model in protocol.models()])
    assert abs(weights.mean() - 1) < 4 / np.sqrt(weights.size)  # Poisson(1): mean and variance 1
    assert abs(weights.var() - 1) < 4 * np.sqrt(3 / weights.size)
    shares = [(weights == times).mean() for times in range(4)]
    expected = np.exp(-1) / np.array([1, 1, 2, 6])
    assert np.abs(shares - expected).max() < 4 * 0.5 / np.sqrt(weights.size)
    assert abs(np.corrcoef(weights[0], weights[1])[0, 1]) < 4 / np.sqrt(len(rows))
    folds = sg.evaluate(numbered(40), Counter(), protocol=protocol)
    for run, share in zip(folds, weights[:, :40], strict=True):
        assert run.learner.lessons == [(i, share[i]) for i in range(40) if share[i]]
        assert told(run) == [(i, share[:i].sum()) for i in range(40) if not share[i]]
    other = next(sg.PrequentialCV(10, "bootstrap", seed=5).models()).weight(rows)
    assert not np.array_equal(other, weights[0])


def test_scored_on_all_as_in_moa() -> None:
    folds = sg.evaluate(numbered(9), Counter(), protocol=sg.PrequentialCV(3, "cv", compat="moa"))
    for model, run in enumerate(folds):
        assert told(run) == [
            (i, sum(weight("cv", 3, model, j) for j in range(i))) for i in range(9)
        ]


def test_several_learners_over_one_pass() -> None:
    from river import tree

    stream = sg.SEA(900, seed=2, noise=0.1)
    learners = [sg.NaiveBayes(), tree.HoeffdingTreeClassifier()]
    together = sg.evaluate(stream, learners, protocol=sg.PrequentialCV(3, "bootstrap"))
    assert [folds.name for folds in together] == ["NaiveBayes", "HoeffdingTreeClassifier"]
    alone = sg.evaluate(stream, learners[1], protocol=sg.PrequentialCV(3, "bootstrap"))
    assert alone.mean == pytest.approx(together[1].mean, nan_ok=True)
    assert alone.mean["accuracy"] > 0.7
    assert set(alone.reference("Persistent")[0]) == set(alone.mean)


@pytest.mark.parametrize("policy", [sg.Delay(30), sg.Chunks(20)], ids=repr)
def test_folds_with_re_evaluation(policy: LabelPolicy) -> None:
    how: dict[str, Any] = {"labels": policy, "reevaluate": sg.Reevaluate(4, 3)}
    folds = sg.evaluate(sg.SEA(600, seed=4), sg.NaiveBayes(), protocol=sg.PrequentialCV(3), **how)
    for run in folds:
        assert run.bins.rows == run.counts.scored == 200
        assert run.bins["accuracy"][0] == run.overall["accuracy"]
        assert run.bins.n_r > 0


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: sg.Holdout(0, 5), "every is 1 row or more"),
        (lambda: sg.Holdout(5, 0), "size is 1 row or more"),
        (lambda: sg.Holdout(5, 5, test="last"), "test is 'interleaved', 'first' or a stream"),  # type: ignore[arg-type]
        (
            lambda: sg.evaluate(numbered(9), Counter(), protocol=sg.Holdout(9, 2)),
            "the stream's 9 rows end before the first test; expected 10 or more",
        ),
        (
            lambda: sg.evaluate(numbered(9), Counter(), protocol=sg.Holdout(2, 8, test="first")),
            "the stream's 9 rows end before the first test; expected 10 or more",
        ),
        (
            lambda: sg.evaluate(
                numbered(9), Counter(), protocol=sg.Holdout(2, 8, test=numbered(5))
            ),
            "has 5 rows only",
        ),
        (
            lambda: sg.evaluate(numbered(9), Counter(), forget=[sg.TimeWindow(timedelta(hours=1))]),
            "this stream has no times; expected a number of rows",
        ),
        (lambda: sg.Sampled("a"), "p is a probability"),  # type: ignore[arg-type]
        (lambda: sg.PrequentialCV(1), "two models or more"),
        (lambda: sg.PrequentialCV(3, "loo"), "mode is 'cv', 'split' or 'bootstrap'"),  # type: ignore[arg-type]
        (lambda: sg.PrequentialCV(3, compat="weka"), "compat is None or 'moa'"),  # type: ignore[arg-type]
        (lambda: sg.evaluate(numbered(9), Counter(), protocol=3), "protocol=3: expected Holdout"),  # type: ignore[call-overload]
        (
            lambda: sg.evaluate(numbered(9), Counter(), protocol=sg.Holdout(2, 2), warmup=3),
            "rows that are learned are not scored anyway",
        ),
    ],
)
def test_what_makes_no_sense(make: Any, complaint: str) -> None:
    with pytest.raises(sg.UsageError, match=complaint):
        make()
