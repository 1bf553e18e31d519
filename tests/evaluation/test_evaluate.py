"""Evaluations: known figures of real data, equal to other libraries, without using later labels."""

from __future__ import annotations

import math

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.evaluation.options import EvaluateArguments
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing import example_stream
from tests.conftest import real_data
from tests.playing import POLICIES, with_other_labels
from tests.streams.tables import whole


def test_elec2_has_the_known_figures(elec2: sg.Stream) -> None:
    run = sg.evaluate(elec2, sg.NaiveBayes(), metrics="all")
    assert elec2.rows == 45_312
    assert len(elec2.schema.features) == 6
    assert round(100 * run.summary["accuracy"], 3) == 73.634  # MOA's to the digit
    assert round(100 * run.references["Persistent"]["accuracy"], 2) == 85.33
    assert run.summary["kappa_temporal"] < 0
    assert run.summary["kappa_plus"] == 0
    assert run.verdict.against[0].reference == "Persistent"
    assert run.verdict["Persistent"].word == "worse"
    assert run.verdict["Majority"].word == "better"
    assert run.verdict["Transition"].word == "worse"
    without_probabilities = sg.evaluate(elec2, sg.NaiveBayes())  # uses a faster kernel
    assert without_probabilities.predictions.equals(run.predictions)


def test_persistent_on_delayed_elec2_repeats_the_label_100_rows_ago(elec2: sg.Stream) -> None:
    y = whole(elec2).y
    run = sg.evaluate(
        elec2, sg.NaiveBayes(), labels=sg.Delay(100), forget=[sg.Cumulative(), sg.Fading(0.999)]
    )
    expected = (y[100:] == y[:-100]).sum() / len(y)  # it abstains on the first 100 rows
    assert run.references["Persistent"]["accuracy"] == pytest.approx(expected, abs=1e-15)
    assert len(run.curve) == math.ceil(45_312 / 90)
    assert run.summary["kappa_temporal"] == run.curve["kappa_temporal"][-1]


def test_iid_error_is_several_times_too_small_on_elec2(elec2: sg.Stream) -> None:
    table = sg.evaluate(elec2, sg.NaiveBayes()).predictions.to_pydict()
    y, ours, last = (np.array(table[c]) for c in ("y", "prediction", "persistent"))
    d = (ours == y).astype(float) - (last == y)
    iid = d.std() / math.sqrt(len(d))
    length = math.isqrt(len(d))
    means = d[: len(d) // length * length].reshape(-1, length).mean(axis=1)
    assert 3 < means.std(ddof=1) / math.sqrt(len(means)) / iid < 4  # semantics §4


def test_powersupply_is_won_by_transition() -> None:
    stream = sg.read(real_data("powersupply"), "target")
    run = sg.evaluate(stream, sg.NaiveBayes())
    assert round(run.references["Transition"]["accuracy"], 3) == 0.999
    assert run.verdict.against[0].reference == "Transition"
    assert run.verdict["Transition"].word == "worse"
    assert run.references["Persistent"]["accuracy"] == 0


@pytest.mark.parametrize(
    ("name", "majority", "persistent"),
    [("weather", 0.6862, 0.6803), ("ozone_onehr", 0.9712, 0.9487)],
)
def test_reference_accuracies_on_other_data(name: str, majority: float, persistent: float) -> None:
    dates = ["Date"] if name == "ozone_onehr" else []
    stream = sg.read(real_data(name), "target", drop=dates)
    run = sg.evaluate(stream, sg.NaiveBayes())
    n = run.counts.scored
    assert run.references["Persistent"]["accuracy"] == pytest.approx(persistent, abs=1 / n + 5e-5)
    assert max(np.bincount(whole(stream).y)) / n == pytest.approx(majority, abs=5e-5)


def test_metrics_equal_rivers_and_scikit_learns(elec2: sg.Stream) -> None:
    from river import metrics as rivers
    from sklearn import metrics as sklearns

    run = sg.evaluate(elec2.take(5000), sg.NaiveBayes(), warmup=1, metrics="all")
    table = run.predictions.to_pydict()
    y, ours = table["y"], table["prediction"]
    kappa, mcc = rivers.CohenKappa(), rivers.MCC()
    f1, balanced = rivers.MacroF1(), rivers.BalancedAccuracy()
    geometric = rivers.GeometricMean()
    for true, guess in zip(y, ours, strict=True):
        for metric in (kappa, f1, balanced, geometric):
            metric.update(true, guess)
        mcc.update(true == "UP", guess == "UP")
    s = run.summary
    assert s["kappa"] == pytest.approx(kappa.get())
    assert s["macro_f1"] == pytest.approx(f1.get())
    assert s["balanced_accuracy"] == pytest.approx(balanced.get())
    assert s["g_mean"] == pytest.approx(geometric.get())
    assert s["mcc"] == pytest.approx(mcc.get())
    assert s["kappa"] == pytest.approx(sklearns.cohen_kappa_score(y, ours))
    assert s["mcc"] == pytest.approx(sklearns.matthews_corrcoef(y, ours))
    assert s["macro_precision"] == pytest.approx(sklearns.precision_score(y, ours, average="macro"))
    assert s["recall[UP]"] == pytest.approx(sklearns.recall_score(y, ours, pos_label="UP"))
    assert run.confusion is not None
    np.testing.assert_array_equal(run.confusion[:, :2], sklearns.confusion_matrix(y, ours))


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_curves_do_not_depend_on_later_labels(policy: LabelPolicy) -> None:
    """Changing every label from row 200 on leaves everything measured before unchanged."""
    stream = example_stream()
    block = whole(stream)
    changed = ArrayStream("changed", stream.schema, with_other_labels(block, 200))
    options: EvaluateArguments = {
        "labels": policy,
        "forget": [sg.Window(30), sg.Fading(0.95)],
        "every": 1,
    }
    a = sg.evaluate(stream, sg.NaiveBayes(), **options)
    b = sg.evaluate(changed, sg.NaiveBayes(), **options)
    rows = a.predictions.column("row").to_numpy()
    safe = int(np.argmax(rows >= 200))
    assert safe > 50
    for ours, theirs in zip(a.curve.values, b.curve.values, strict=True):
        np.testing.assert_array_equal(ours[:safe], theirs[:safe])
    assert not np.array_equal(a.curve.values[0], b.curve.values[0], equal_nan=True)


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_block_size_changes_nothing(policy: LabelPolicy) -> None:
    stream = example_stream()
    options: EvaluateArguments = {
        "labels": policy,
        "metrics": "all",
        "forget": [sg.Cumulative(), sg.Window(30), sg.Fading(0.95)],
    }
    a = sg.evaluate(stream, sg.NaiveBayes(), **options)
    options["block_rows"] = 7
    b = sg.evaluate(stream, sg.NaiveBayes(), **options)
    for ours, theirs in zip(a.curve.values, b.curve.values, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert a.predictions.equals(b.predictions)
    assert str(a.verdict) == str(b.verdict)


def test_warmup_is_learned_but_not_scored() -> None:
    stream = sg.SEA(2000, seed=3)
    full, late = (
        sg.evaluate(stream, sg.NaiveBayes(), labels=sg.Delay(10), warmup=w) for w in (0, 500)
    )
    assert late.counts.scored == 1500
    assert late.predictions.equals(full.predictions.slice(500))
    assert late.curve.rows[-1] == 1500


@pytest.mark.parametrize(
    "policy",
    [sg.Immediate(), sg.Delay(30), sg.Chunks(40), sg.FromStream(), sg.Sampled(0.5, seed=2)],
)
@pytest.mark.parametrize("block_rows", [None, 7, 64])
def test_stopping_after_labels_is_the_beginning_of_the_whole_run(
    policy: LabelPolicy, block_rows: int | None
) -> None:
    X, y = np.random.default_rng(1).random((500, 2)), np.arange(500) // 7 % 2
    when = np.arange(500)
    revealed = when + 20 + 30 * y
    stream = sg.from_arrays(X, y, arrives=when, revealed=revealed)
    whole = sg.evaluate(stream, sg.NaiveBayes(), labels=policy)
    run = sg.evaluate(stream, sg.NaiveBayes(), labels=policy, max_labels=111, block_rows=block_rows)
    assert run.predictions.equals(whole.predictions.slice(0, run.counts.scored))
    assert run.counts.unlabelled == run.counts.rows - run.counts.scored
    assert run.id != whole.id
    if not isinstance(policy, sg.Sampled):
        assert run.counts.scored == 111
        assert run.counts.awaited == run.counts.unlabelled


def test_rows_without_a_label_before_the_stop_are_not_awaited() -> None:
    """Row 3 has no label; when the fifth label comes, rows 6 and 7 still wait for theirs."""
    y = [0, 1, 0, None, 1, 0, 1, 0, 1, 0]
    stream = sg.from_arrays(np.zeros((10, 1)), y, classes=[0, 1])
    run = sg.evaluate(stream, sg.Majority(), labels=sg.Delay(2), max_labels=5)
    assert (run.counts.rows, run.counts.scored) == (7, 5)
    assert (run.counts.unlabelled, run.counts.awaited) == (2, 1)
    assert "stopped after 5 labels" in run.details


def test_stop_that_is_never_reached_changes_nothing_but_the_id() -> None:
    whole = sg.evaluate(sg.SEA(500, seed=1), sg.NaiveBayes(), labels=sg.Delay(20), every=10)
    run = sg.evaluate(
        sg.SEA(500, seed=1), sg.NaiveBayes(), labels=sg.Delay(20), every=10, max_labels=9999
    )
    assert run.summary == whole.summary
    assert run.counts == whole.counts
    assert "stopped" not in str(run)


def test_bins_and_effort_after_a_stop_are_those_of_the_whole_run_at_that_label() -> None:
    again = sg.Reevaluate(every=3, bins=5)
    stream, bayes = sg.SEA(400, seed=1, noise=0.1), sg.NaiveBayes()
    whole = sg.evaluate(stream, bayes, labels=sg.Delay(50), reevaluate=again)
    run = sg.evaluate(stream, bayes, labels=sg.Delay(50), reevaluate=again, max_labels=150)
    assert run.bins["accuracy"].tolist() == whole.bins_at(labels=150)["accuracy"].tolist()
    assert run.bins.n_c == whole.bins.effort["n_c"][149]
    assert run.bins.n_b == whole.bins.effort["n_b"][149]


def test_sampled_scores_all_but_learns_some() -> None:
    stream = sg.SEA(3000, seed=3)
    revealed = sg.evaluate(stream, sg.NaiveBayes(), labels=sg.Sampled(0.1))
    every = sg.evaluate(stream, sg.NaiveBayes(), labels=sg.Sampled(0.1, score="all"))
    assert every.counts.scored == 3000
    assert 200 < revealed.counts.scored < 400
    assert revealed.counts.unlabelled == 3000 - revealed.counts.scored
    shared = every.predictions.take(revealed.predictions.column("row"))
    assert shared.equals(revealed.predictions)  # scoring does not change what is learned


def test_several_learners_in_one_pass_equal_separate_runs() -> None:
    from river import tree

    stream = sg.SEA(1500, seed=1, noise=0.1)
    model = tree.HoeffdingTreeClassifier(grace_period=50)
    runs = sg.evaluate(stream, [sg.NaiveBayes(), model, sg.NaiveBayes()])
    assert [run.name for run in runs] == ["NaiveBayes", "HoeffdingTreeClassifier", "NaiveBayes #2"]
    alone = sg.evaluate(stream, model)
    assert runs[1].predictions.equals(alone.predictions)
    assert model.n_nodes is None or model.n_nodes <= 1  # the given model is untouched
    assert alone.learner.model is not model
    assert alone.cost.model_bytes > 0


def test_learners_by_name_give_runs_by_name() -> None:
    stream, tree = sg.SEA(500, seed=1), sg.HoeffdingTree()
    runs = sg.evaluate(stream, {"my tree": tree, "bayes": "NaiveBayes"})
    assert [run.name for run in runs] == ["my tree", "bayes"]
    plain = sg.evaluate(stream, tree)
    assert (plain.name, plain.id) == ("HoeffdingTree", runs["my tree"].id)
    assert runs["my tree"].predictions.equals(plain.predictions)
    assert "my tree is " in str(runs["my tree"].verdict)
    folds = sg.evaluate(stream, {"a": tree}, protocol=sg.PrequentialCV(2))
    assert [run.name for run in folds.by_learner["a"]] == ["a", "a"]


def test_learner_given_twice_is_copied() -> None:
    from river import tree

    stream = sg.SEA(2000, seed=1, noise=0.2)
    for learner in (sg.NaiveBayes(), sg.from_river(tree.HoeffdingTreeClassifier(grace_period=50))):
        alone = sg.evaluate(stream, learner)
        first, second = sg.evaluate(stream, [learner, learner])
        assert first.predictions.equals(alone.predictions)
        assert second.predictions.equals(alone.predictions)
        assert first.learner is not second.learner


def test_row_without_a_label_needs_no_reveal_time() -> None:
    y = [0.0, 1.0, np.nan, 1.0] * 5
    when = np.arange(20)
    revealed = np.where(np.isnan(y), -1, when)
    run = sg.evaluate(
        sg.from_arrays(np.zeros((20, 1)), y, arrives=when, revealed=revealed), sg.Majority()
    )
    assert (run.counts.scored, run.counts.unlabelled) == (15, 5)


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
