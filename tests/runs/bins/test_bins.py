"""Evaluations with re-evaluation: the figures of grzenda2019, bins along the stream, saved bins."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import streamgauge as sg
from streamgauge._support.types import Codes, Floats, Schema
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing import example_stream
from tests.conftest import real_data
from tests.playing import POLICIES, with_other_labels
from tests.streams.tables import whole

# Table 1 of grzenda2019: accuracy on airlines in bins 0, 45 and 51, after 6,227 labels.
TABLE_1 = {
    "NaiveBayes": (47.53, 48.92, 49.24),
    "Persistent": (39.68, 40.13, 42.52),
    "Majority": (48.45, 48.48, 48.58),
}
EXACT = {
    "NaiveBayes": (47.53, 48.84, 49.24),
    "Persistent": (39.68, 39.99, 42.52),
    "Majority": (48.45, 48.48, 48.58),
}


@pytest.fixture(scope="module")
def airlines() -> sg.Stream:
    real_data("airlines_atl_2008w1")
    return sg.load("airlines_atl_2008w1")


def percent(table: Any) -> tuple[float, ...]:
    return tuple((100 * table["accuracy"][[0, 45, 51]]).round(2).tolist())


@pytest.mark.parametrize(("compat", "known"), [("moa-fork", TABLE_1), (None, EXACT)])
def test_bins_equal_table_1_of_grzenda2019(
    airlines: sg.Stream, compat: Any, known: dict[str, Any]
) -> None:
    run = sg.evaluate(
        airlines, sg.NaiveBayes(), labels=sg.FromStream(), reevaluate=sg.Reevaluate(compat=compat)
    )
    then = run.bins_at(labels=6227)
    assert percent(then) == known["NaiveBayes"]
    assert percent(then.references["Persistent"]) == known["Persistent"]
    assert percent(then.references["Majority"]) == known["Majority"]
    assert round(then.n_r, 1) == 12.8
    for learner in (sg.Persistent(), sg.Majority()):
        own = sg.evaluate(airlines, learner, reevaluate=sg.Reevaluate(compat=compat))
        assert percent(own.bins_at(labels=6227)) == known[own.name]


@pytest.mark.parametrize("learner", [sg.NaiveBayes(), sg.KNN(5), sg.SWT(sg.HoeffdingTree())])
def test_headline_of_the_published_program_agrees_with_bin_0(learner: Any) -> None:
    """There an abstention counts as class 0, so the run's accuracy must count it so too."""
    stream = example_stream()
    run = sg.evaluate(stream, learner, reevaluate=sg.Reevaluate(3, 5, compat="moa-fork"))
    for name in ("accuracy", "coverage", "kappa"):
        assert run.overall[name] == pytest.approx(run.bins[name][0])
        for who, table in run.bins.references.items():
            assert run.references[who][name] == pytest.approx(table[name][0])
    assert run.overall["coverage"] == 1
    assert "a" == run.predictions["prediction"][0].as_py() == stream.schema.classes[0]
    exact = sg.evaluate(stream, learner, reevaluate=sg.Reevaluate(3, 5))
    assert exact.overall["coverage"] < 1


def test_knn_by_the_published_program_equals_table_1_of_grzenda2019(airlines: sg.Stream) -> None:
    """Before its first label the published program's kNN is class 0, not an abstention."""
    run = sg.evaluate(airlines, sg.KNN(), reevaluate=sg.Reevaluate(compat="moa-fork"))
    assert percent(run.bins_at(labels=6227)) == (44.66, 47.63, 50.33)


def test_predictions_improve_while_rows_wait(airlines: sg.Stream) -> None:
    run = sg.evaluate(airlines, sg.NaiveBayes(), reevaluate=sg.Reevaluate())
    bins = run.bins
    assert bins["accuracy"].shape == (52,)
    assert bins["accuracy"][-1] > bins["accuracy"][25] > bins["accuracy"][0]
    assert bins.psi("exponential") > bins.psi("mean") > bins.psi("first")
    text = run.details
    assert "0 first " in text
    assert "25 middle" in text
    assert "51 final" in text
    assert "In bin 51 final: " in text
    assert "13.0 re-predictions per labelled row (N_R)" in text


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
@pytest.mark.parametrize("bins", [0, 7])
def test_re_evaluation_changes_no_other_result_under_any_policy(
    policy: LabelPolicy, bins: int
) -> None:
    stream = example_stream()
    plain = sg.evaluate(stream, sg.NaiveBayes(), labels=policy)
    run = sg.evaluate(
        stream, sg.NaiveBayes(), labels=policy, reevaluate=sg.Reevaluate(every=3, bins=bins)
    )
    assert run.predictions.equals(plain.predictions)  # predicting again changes nothing
    for ours, theirs in zip(run.curve.values, plain.curve.values, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert len(run.bins) == bins + 2
    for name in run.bins.metrics:
        assert run.bins[name][0] == pytest.approx(run.overall[name], nan_ok=True, abs=1e-15)
        for who, table in run.bins.references.items():
            known = run.references[who][name]
            assert table[name][0] == pytest.approx(known, nan_ok=True, abs=1e-15)
    after = run.bins_at(labels=run.counts.scored)
    np.testing.assert_array_equal(after["kappa_temporal"], run.bins["kappa_temporal"])


def test_immediate_labels_leave_nothing_to_improve() -> None:
    run = sg.evaluate(sg.SEA(500, seed=1), sg.NaiveBayes(), reevaluate=sg.Reevaluate(1, 4))
    np.testing.assert_array_equal(run.bins["accuracy"], run.bins["accuracy"][0])
    assert (run.bins.n_c, run.bins.n_b, run.bins.n_r) == (0, 0, 0)


def test_final_predictions_are_test_then_train() -> None:
    """Just before its label is learned, a row is predicted by a model with all earlier labels."""
    stream = sg.SEA(3000, seed=3)
    late = sg.evaluate(stream, sg.NaiveBayes(), labels=sg.Delay(50), reevaluate=sg.Reevaluate(7, 0))
    soon = sg.evaluate(stream, sg.NaiveBayes())
    assert late.bins["accuracy"][-1] == soon.overall["accuracy"]
    assert late.bins["accuracy"][0] == late.overall["accuracy"] != soon.overall["accuracy"]


def test_bins_at_a_past_label_equal_the_curves_of_the_bins() -> None:
    run = sg.evaluate(
        sg.SEA(2000, seed=2), sg.NaiveBayes(), labels=sg.Delay(90), every=100,
        reevaluate=sg.Reevaluate(5, 6), forget=[sg.Cumulative(), sg.Window(300)],
    )  # fmt: skip
    for point, rows in enumerate(run.bins.curve(0).rows):
        then = run.bins_at(labels=int(rows))
        for b in range(8):
            for name in ("accuracy", "kappa", "kappa_plus", "mcc", "recall[1]"):
                assert then[name][b] == pytest.approx(run.bins.curve(b)[name][point], nan_ok=True)
        assert then.n_r == run.bins.effort["n_r"][point]
    assert run.bins.curve(0).to_arrow().equals(run.curve.to_arrow())
    assert len(run.bins.curve(-1)["accuracy", "Window(300)"]) == 20


def test_invalid_questions_to_bins_are_refused() -> None:
    stream = example_stream()
    run = sg.evaluate(
        stream, sg.NaiveBayes(), metrics="all", reevaluate=sg.Reevaluate(2, 3), cost=1 - np.eye(3)
    )
    assert not math.isnan(run.summary["log_loss"])
    np.testing.assert_allclose(run.bins["cost_loss"], run.bins["error"])
    with pytest.raises(sg.UsageError, match="log_loss is not defined per bin"):
        run.bins["log_loss"]
    with pytest.raises(sg.UsageError, match=r"per bin \(did you mean 'accuracy'\?\)"):
        run.bins["acc"]
    with pytest.raises(sg.UsageError, match="bin 5: expected 0 to 4"):
        run.bins.curve(5)
    with pytest.raises(sg.UsageError, match="labels=0: expected 1 to"):
        run.bins_at(labels=0)
    plain = sg.evaluate(stream, sg.NaiveBayes())
    with pytest.raises(sg.UsageError, match="reevaluate=Reevaluate"):
        _ = plain.bins
    with pytest.raises(sg.UsageError, match="reevaluate=Reevaluate"):
        plain.bins_at(labels=3)
    with pytest.raises(sg.UsageError, match="expected Reevaluate"):
        sg.evaluate(stream, sg.NaiveBayes(), reevaluate=10)  # type: ignore[call-overload]


def test_kept_and_saved_bins_are_equal(tmp_path: Path) -> None:
    stream = example_stream()
    options: dict[str, Any] = {"reevaluate": sg.Reevaluate(2, 3)}
    kept = sg.evaluate(stream, sg.NaiveBayes(), **options)
    saved = sg.evaluate(stream, sg.NaiveBayes(), save=tmp_path, **options)
    place = next(path for path in tmp_path.iterdir() if not path.name.startswith("."))
    assert saved.save(tmp_path) == place  # saving again gives the same place
    for labels in (1, 100, kept.counts.scored):
        for name in ("accuracy", "kappa_temporal"):
            np.testing.assert_array_equal(
                saved.bins_at(labels=labels)[name], kept.bins_at(labels=labels)[name]
            )
    table = pq.read_table(place / "bins.parquet")
    assert table.column("participant").unique().to_pylist() == [
        "learner", "Majority", "Persistent", "Transition", "Seasonal",
    ]  # fmt: skip
    np.testing.assert_array_equal(table.column("accuracy")[:5].to_numpy(), kept.bins["accuracy"])
    with pa.ipc.open_file(str(place / "outcomes.arrow")) as file:
        assert file.read_all().num_rows == kept.counts.scored
    saved_json = json.loads((place / "run.json").read_text())
    assert saved_json["bins"]["metrics"]["accuracy"] == kept.bins["accuracy"].tolist()
    assert saved_json["settings"]["reevaluate"] == "Reevaluate(every=2, bins=3)"
    assert sorted(saved_json["bins"]["verdicts"]) == ["0", "2", "4"]
    none = sg.evaluate(stream, sg.NaiveBayes(), predictions=False, **options)
    np.testing.assert_array_equal(none.bins["accuracy"], kept.bins["accuracy"])
    with pytest.raises(sg.UsageError, match="did not keep its outcomes per bin"):
        none.bins_at(labels=10)


@pytest.mark.parametrize("compat", [None, "moa-fork"])
def test_bins_do_not_depend_on_later_labels(compat: Any) -> None:
    """Changing labels from some row on leaves everything scored before them unchanged."""
    stream = example_stream()
    block = whole(stream)
    how = sg.Reevaluate(3, 5, compat=compat)
    first = 200
    assert block.arrives is not None
    assert block.revealed is not None
    other = ArrayStream("other", stream.schema, with_other_labels(block, first))
    before, after = (sg.evaluate(s, sg.NaiveBayes(), reevaluate=how) for s in (stream, other))
    changed = block.known & (np.arange(len(block)) >= first)
    # Rows revealed before any changed label.
    safe = int((block.known & (block.revealed < block.revealed[changed].min())).sum())
    assert safe > 100
    for name in ("accuracy", "kappa_plus"):
        np.testing.assert_array_equal(
            before.bins_at(labels=safe)[name], after.bins_at(labels=safe)[name]
        )
    assert not np.array_equal(before.bins["accuracy"], after.bins["accuracy"])


def test_several_learners_with_river_equal_separate_runs() -> None:
    from river import naive_bayes, tree

    stream = sg.SEA(600, seed=5)
    how: dict[str, Any] = {"labels": sg.Delay(40), "reevaluate": sg.Reevaluate(10, 4)}
    learners = [tree.HoeffdingTreeClassifier(), naive_bayes.GaussianNB(), sg.NaiveBayes()]
    together = sg.evaluate(stream, learners, **how)
    for learner, run in zip(learners, together, strict=True):
        alone = sg.evaluate(stream, learner, **how)
        np.testing.assert_array_equal(alone.bins["accuracy"], run.bins["accuracy"])
        assert run.bins["accuracy"][0] == run.overall["accuracy"]
    assert together[0].bins.n_r == together[2].bins.n_r > 2


class Tired:
    """Predicts class 0; raises after 5,000 predictions."""

    def start(self, schema: Schema, seed: int) -> None:
        self.k, self.predicted = len(schema.classes), 0

    def predict(self, X: Floats) -> Floats:
        self.predicted += len(X)
        if self.predicted > 5000:
            raise RuntimeError("tired")
        return np.eye(self.k)[np.zeros(len(X), int)]

    def learn(self, X: Floats, y: Codes, w: Floats) -> None: ...


def test_bins_scored_before_a_failure_are_kept() -> None:
    stream = sg.SEA(2000, seed=5)
    how: dict[str, Any] = {"labels": sg.Delay(100), "reevaluate": sg.Reevaluate(10, 4)}
    with pytest.raises(sg.LearnerError, match="tired") as caught:
        sg.evaluate(stream, [Tired(), sg.NaiveBayes()], **how)
    tired, other = caught.value.runs
    assert 0 < tired.counts.scored < 2000
    assert tired.bins.rows == tired.counts.scored
    assert tired.bins["accuracy"][0] == tired.overall["accuracy"]
    alone = sg.evaluate(stream, sg.NaiveBayes(), **how)
    np.testing.assert_array_equal(other.bins["accuracy"], alone.bins["accuracy"])


def test_bins_of_mean_on_bike_sharing_equal_grzenda2019() -> None:
    stream = sg.read(
        real_data("bike_hour"), "target", drop=["instant", "dteday"], task="regression"
    )
    run = sg.evaluate(stream, sg.Mean(), labels=sg.Delay(168), reevaluate=sg.Reevaluate())
    y = whole(stream).y
    means = np.cumsum(y) / np.arange(1, len(y) + 1)
    # The first prediction of row t uses labels 0..t-168, the final one 0..t-1.
    first = np.abs(y[168:] - means[:-168]).mean()
    final = np.abs(y[1:] - means[:-1]).mean()
    assert run.bins["mae"][[0, 51]] == pytest.approx([first, final])
    # Table 2 of grzenda2019 prints 131.80; the first row, without any label before, adds 0.01.
    assert run.bins["mae"][51] == pytest.approx(131.80, abs=0.02)
    assert run.bins["mae"][51] < run.bins["mae"][45] < run.bins["mae"][0]
    low, high = run.bins.band("mae")[0]
    assert low < first < high
    assert set(run.bins.references) == {"Mean", "LastValue"}
    np.testing.assert_array_equal(run.bins.references["Mean"]["rmse"], run.bins["rmse"])
    assert (run.bins["r2"][4:] > run.bins["r2"][0]).all()
    assert "In bin 51 final: " in run.details


def test_bins_of_mean_by_the_published_program_equal_table_2_of_grzenda2019() -> None:
    stream = sg.read(
        real_data("bike_hour"), "target", drop=["instant", "dteday"], task="regression"
    )
    how = sg.Reevaluate(compat="moa-fork")
    run = sg.evaluate(stream, sg.Mean(), labels=sg.Delay(168), reevaluate=how)
    assert run.bins["mae"][[0, 45, 51]].round(2).tolist() == [132.30, 131.81, 131.80]
    assert run.overall["mae"] == pytest.approx(run.bins["mae"][0])


def test_rivers_regressors_improve_while_rows_wait() -> None:
    from river import linear_model, preprocessing

    model = preprocessing.StandardScaler() | linear_model.LinearRegression()
    random = np.random.default_rng(1)
    X = random.normal(size=(800, 2))
    stream = sg.from_arrays(X, X @ [3.0, -2.0] + 5, task="regression")
    run = sg.evaluate(
        stream, sg.from_river(model, name="linear"), labels=sg.Delay(60),
        reevaluate=sg.Reevaluate(5, 8),
    )  # fmt: skip
    assert run.bins["mae"][9] < run.bins["mae"][4] < run.bins["mae"][0]
    assert "linear mae" in run.details


@pytest.mark.long
def test_memory_is_bounded_by_the_waiting_rows() -> None:
    """A million rows, up to 100,000 of them waiting, each predicted about fifty times more."""

    import psutil

    n = 1_000_000
    random = np.random.default_rng(7)
    X = random.normal(size=(n, 3))
    y = (X.sum(axis=1) > 0).astype(np.int32)
    arrives = np.arange(n)
    stream = sg.from_arrays(
        X, y, arrives=arrives, revealed=arrives + random.integers(1, 100_000, n)
    )
    how: dict[str, Any] = {"reevaluate": sg.Reevaluate(1000, 50), "predictions": False}
    sg.evaluate(stream.take(1000), sg.NaiveBayes(), **how)  # compile
    process = psutil.Process()
    before = process.memory_info().rss
    run = sg.evaluate(stream, sg.NaiveBayes(), **how)
    grown = (process.memory_info().rss - before) / 2**20
    assert run.bins.n_r > 40
    assert grown < 500  # outcomes of four participants for 100,000 rows take 42 MB, mixtures 30
