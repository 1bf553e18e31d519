"""`score`: predictions made elsewhere are judged like a learner's."""

from __future__ import annotations

from typing import Any, assert_type

import numpy as np
import pyarrow as pa
import pytest

import streamgauge as sg
from streamgauge.testing import example_stream
from tests.messages import error_of, usage_error
from tests.streams.tables import whole

INF, NAN = float("inf"), float("nan")


def test_probability_metrics_equal_scikit_learns() -> None:
    from sklearn import metrics as sklearns

    random = np.random.default_rng(4)
    probabilities = random.dirichlet([1, 1, 1], 4000)
    y = np.array([random.choice(3, p=row) for row in probabilities])
    run = sg.score(y, probabilities.argmax(axis=1), y_proba=probabilities)
    assert run.summary["log_loss"] == pytest.approx(sklearns.log_loss(y, probabilities))
    expected = ((probabilities - np.eye(3)[y]) ** 2).sum(axis=1).mean()
    assert run.summary["brier"] == pytest.approx(expected)
    exact = sklearns.roc_auc_score(y, probabilities, multi_class="ovr", average="macro")
    assert run.summary["auc"] == pytest.approx(exact, abs=1 / 256)  # scores are binned


def test_score_equals_evaluate_on_the_same_predictions() -> None:
    stream = example_stream()
    block = whole(stream)
    run = sg.evaluate(stream, sg.NaiveBayes(), labels=sg.FromStream())
    table = run.predictions.to_pydict()
    by_row = dict(zip(table["row"], table["prediction"], strict=True))
    names = stream.schema.classes
    y = [None if code < 0 else names[code] for code in block.y]
    predicted = [by_row.get(i) for i in range(len(block))]
    again = sg.score(y, predicted, classes=names, arrives=block.arrives, revealed=block.revealed)
    assert again.summary == pytest.approx(run.summary, nan_ok=True)
    for name, values in run.references.items():
        assert again.references[name] == pytest.approx(values, nan_ok=True)
    assert str(again.verdict) == str(run.verdict).replace("NaiveBayes", "predictions")


def test_invalid_predictions_are_refused() -> None:
    mismatch = error_of(sg.score, [0, 1, 0], [0, 1])
    assert "y_true has shape (3,) and y_pred (2,)" in mismatch
    assert "no rows to score" in error_of(sg.score, [], [])
    for missing in ([None, None], [NAN, NAN]):
        assert "none of its 2 rows has a label" in error_of(sg.score, missing, ["a", "b"])
    assert "only one label (1)" in error_of(sg.score, [1, 1], [1, 1])
    assert "labels such as 'a' and predictions such as " in error_of(sg.score, ["a", "b"], [1, 2])
    fractions = error_of(sg.score, ["a", "b"], [0.25, 0.75])  # probabilities in the wrong place
    assert "the labels are a and b, but predictions such as 0.25 in 'predictions' look" in fractions
    three = error_of(sg.score, ["a", "b", "c"], [0.25, 0.75, 0.5])
    assert "labels such as 'a' and predictions such as 0.25: expected both to be text" in three
    undeclared = error_of(sg.score, [0, 1, 0], [0, 1, 0.5], classes=[0, 1])
    assert "row 2: label 0.5 is not one of the declared classes (0, 1)" in undeclared
    assert "row 1: y_true is infinite" in error_of(sg.score, [0, INF], [0, 1])
    assert "row 0: y_pred is infinite" in error_of(sg.score, [0.5, 1.5], [-INF, 1])
    assert "classes=[1]" in usage_error(sg.score, [0, 1], [1, 1], classes=[1])
    shape = error_of(sg.score, [0, 1], [0, 1], y_proba=[[1.0, 0.0]])
    assert "y_proba has shape (1, 2); expected 2 rows × 2 classes" in shape
    outside = error_of(sg.score, [0, 1], [0, 1], y_proba=[[1.0, 0.0], [1.5, -0.5]])
    assert "row 1: y_proba is outside 0..1" in outside
    assert "revealed: got int64 of shape (3,); expected 2 integers" in error_of(
        sg.score, [0, 1], [0, 1], arrives=[0, 1], revealed=[1, 2, 3]
    )
    assert "revealed without arrives" in usage_error(sg.score, [0, 1], [0, 1], revealed=[1, 2])
    assert "arrives without revealed" in usage_error(sg.score, [0, 1], [0, 1], arrives=[1, 2])
    assert "no predictions given" in usage_error(sg.score, [0, 1])
    assert "no predictions given" in usage_error(sg.score, [0, 1], {})


def test_abstaining_on_every_row_is_classification() -> None:
    run = sg.score([0, 1, 0, 1], [NAN] * 4)
    assert run.summary["coverage"] == 0
    assert run.summary["accuracy"] == 0


@pytest.mark.parametrize(
    ("labels", "predictions", "what"),
    [
        ([0, 1, 1, 0], [0.2, 0.7, 1.0, 0.0], "look like probabilities"),
        ([1, None, 1, 1], [0.2, 0.7, 1.0, 0.0], "look like probabilities"),
        ([False, True, True, False], [0.2, 0.7, 0.5, 0.1], "look like probabilities"),
        (["no", "yes", "yes", "no"], [0.2, 0.7, 0.5, 0.1], "look like probabilities"),
        ([1, 2, 2, 1], [1.2, 1.7, 1.5, 2.0], "are scores, not classes"),
        ([0, 1, 1, 0], [-2.5, 0.7, 3.0, 0.0], "are scores, not classes"),
    ],
)
def test_fractions_beside_two_classes_are_asked_about(
    labels: list[object], predictions: list[float], what: str
) -> None:
    message = error_of(sg.score, labels, predictions)
    assert f"in 'predictions' {what}: pass probabilities as y_proba=... (--proba pred" in message
    if not isinstance(labels[0], str):
        assert sg.score(labels, predictions, task="regression").summary["mae"] >= 0


def test_predictions_of_numbers_are_still_a_regression() -> None:
    assert sg.score([0, 5, 2, 9], [0.5, 4.5, 2.5, 8.5]).summary["mae"] == 0.5
    assert sg.score([0.5, 1.5], [0.0, 1.0]).summary["mae"] == 0.5


def test_class_is_that_of_the_highest_probability() -> None:
    proba = [[0.5, 0.5], [0.2, 0.8], [NAN, NAN], [0.9, 0.1]]
    run = sg.score(["a", "b", "a", "a"], y_proba=proba)
    assert run.predictions["prediction"].to_pylist() == ["a", "b", None, "a"]  # ties: the first
    abstains = np.log(2)  # uniform
    assert run.summary["log_loss"] == pytest.approx(
        np.mean([np.log(2), -np.log(0.8), abstains, -np.log(0.9)])
    )
    one = sg.score([0, 1, 0, 0], y_proba=[p for _, p in proba])
    assert one.summary["log_loss"] == pytest.approx(run.summary["log_loss"])
    assert sg.score([0, 0], y_proba=[0.25, 0.5]).classes == (0, 1)


def test_rounded_probabilities_are_divided_by_their_sum() -> None:
    run = sg.score(["a", "b", "c"], y_proba=[[0.333, 0.333, 0.333]] * 3)
    assert run.summary["log_loss"] == pytest.approx(np.log(3))
    off = error_of(sg.score, [0, 1], y_proba=[[0.4, 0.4], [0.5, 0.5]])
    assert "row 0: y_proba does not sum to 1 (0.4, 0.4)" in off
    half = error_of(sg.score, [0, 1], y_proba=[[0.5, 0.5], [0.5, NAN]])
    assert "row 1: y_proba is missing for some classes only (0.5, nan)" in half
    text = error_of(sg.score, [0, 1], y_proba=["x", "y"])
    assert "expected probabilities, numbers in 0..1" in text
    which = usage_error(sg.score, ["n", "y"], y_proba=[0.5, 0.5])
    assert "the probability of which class, n or y?" in which
    assert "3 classes (0, 1, 2)" in usage_error(sg.score, [0, 1, 2], y_proba=[0.5, 0.5, 0.5])


def test_several_models_are_scored_in_one_pass() -> None:
    y = [0, 1, 1, 0, 1, 0]
    columns: dict[str, list[int | None]] = {"a": [0, 1, 0, 0, 1, 1], "b": [1, 1, 1, 0, 1, None]}
    runs = sg.score(y, columns)
    assert runs.names == ("a", "b")
    for run in runs:
        alone = sg.score(y, columns[run.name], name=run.name)
        assert run.summary == pytest.approx(alone.summary, nan_ok=True)
    assert sg.compare(runs["a"], runs["b"]).names == ("a", "b")
    different = usage_error(sg.score, y, columns, y_proba={"a": [0.5] * 6})
    assert "name the models ['a', 'b'] and ['a']; expected the same names" in different
    assert "name='c': several models have names" in usage_error(sg.score, y, columns, name="c")


def test_columns_give_their_name() -> None:
    pandas = pytest.importorskip("pandas")
    assert sg.score([0, 1], pandas.Series([1, 1], name="churn")).name == "churn"
    assert sg.score([0, 1], pandas.Series([1, 1])).name == "predictions"
    assert sg.score([0, 1], [1, 1], stream="mail").stream.name == "mail"


def test_labels_that_are_no_text_are_named() -> None:
    with pytest.raises(sg.InputError, match=r"the text '\\ud800' is not valid Unicode"):
        sg.score(["a", "\ud800"] * 3, ["a", "a"] * 3)


LOG = pa.table({"y": [0, 1, 1], "p": [0, 1, 0], "q": [0.1, 0.9, 0.4], "t": [1, 2, 3]})


def test_a_log_and_its_columns_give_the_same_run() -> None:
    values: dict[str, list[int]] = {name: LOG[name].to_pylist() for name in LOG.column_names}
    of_log = assert_type(sg.score(LOG, true="y", pred="p", arrives="t", revealed="t"), sg.Run)
    of_values = sg.score(
        values["y"], values["p"], arrives=values["t"], revealed=values["t"], name="p"
    )
    assert assert_type(of_values, sg.Run).id == of_log.id
    assert of_values.overall == pytest.approx(of_log.overall, nan_ok=True)
    several = assert_type(sg.score(LOG, true="y", pred=["p", "q"], task="regression"), sg.Runs)
    by_name = assert_type(sg.score(values["y"], {"p": values["p"]}), sg.Runs)
    assert (several.names, by_name.names) == (("p", "q"), ("p",))


@pytest.mark.parametrize(
    ("given", "options", "complaint"),
    [
        ([LOG], {}, "a log: expected score(log, true=..., pred=...)"),
        (["log.csv"], {}, "a log: expected score(log, true=..., pred=...)"),
        ([LOG], {"pred": "p"}, "pred: for a log only; expected score(log, true=..., pred=...)"),
        ([[0, 1], [0, 1]], {"id": "id", "proba": "p"}, "proba and id: for a log only"),
        ([[0, 1], [0, 1]], {"arrives": "t", "revealed": "t"}, "arrives and revealed: for a log"),
        ([LOG, [0, 1, 1]], {"true": "y"}, "y_pred and true='y': y_pred has values"),
        ([LOG], {"true": "y", "y_proba": [0.5] * 3}, "score(log, true=..., proba=...)"),
        ([LOG], {"true": "y", "pred": "p", "arrives": [1, 2, 3]}, "arrives: got list; with a log"),
        ([[0, 1, 1]], {"true": [0, 1, 1], "pred": "p"}, "true: got list; with a log"),
        ([[0, 1], [0, 1]], {"name": ["a", "b"]}, "name=['a', 'b']: expected one name"),
    ],
)
def test_arguments_of_arrays_and_of_logs_are_not_mixed(
    given: list[Any], options: dict[str, Any], complaint: str
) -> None:
    assert complaint in usage_error(sg.score, *given, **options)
