"""Ablation: a learner with its features against past labels alone."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.comparison.ablation import labels_only
from streamgauge.learners.learner_text import parse_learner
from tests.widths import fits


def informative(features: float, rows: int = 3000, stay: float = 0.8) -> sg.Stream:
    """Labels that stay the same with probability `stay`; features that tell them apart."""
    random = np.random.default_rng(1)
    y = np.cumsum(random.random(rows) > stay) % 2
    return sg.from_arrays(y[:, np.newaxis] * features + random.normal(size=(rows, 1)), y)


def test_features_that_add_to_the_labels() -> None:
    found = sg.ablate(informative(3), "SWT(NaiveBayes)")
    assert (found.answer, found.order, found.uses_labels) == ("features", 1, True)
    both, alone = found.run.overall["accuracy"], found.labels_only.overall["accuracy"]
    assert found.gain == both - alone > 0.1
    assert found.details == (
        f"TemporallyAugmented(NaiveBayes()): its features add {100 * found.gain:.1f} points of "
        f"accuracy over past labels alone ({both:.1%} against {alone:.1%} for "
        "LabelsOnly(NaiveBayes()), which gets the last label and no features)."
    ).replace("%", " %")
    direct = sg.evaluate(informative(3), sg.LabelsOnly("NaiveBayes"))
    assert direct.predictions == found.labels_only.predictions


def test_features_worth_less_than_the_last_label() -> None:
    found = sg.ablate(informative(0.3, stay=0.95), "NaiveBayes", order=2)
    assert found.answer == "labels"
    assert found.gain < -0.2
    assert "NaiveBayes: past labels alone are better, by " in found.details
    assert found.details.endswith("which gets the last 2 labels instead of the features).")


def test_words_for_few_rows_and_for_no_difference() -> None:
    assert "too few rows to say what its features add" in (
        sg.ablate(informative(3, rows=40), "NaiveBayes").details
    )
    same = sg.ablate(informative(3), "Majority")
    assert (same.answer, same.gain) == ("neither", 0)
    assert same.comparison.batch_means.word == "equal"
    assert "past labels alone predict what its features do" in same.details
    replaced = sg.ablate(informative(3), "NaiveBayes")
    assert (replaced.answer, replaced.uses_labels) == ("features", False)
    assert "past labels do not replace its features" in replaced.details


def test_answer_has_outcome_effect_and_interval() -> None:
    found = sg.ablate(informative(3), "NaiveBayes")
    low, high = found.comparison.batch_means.interval(0.99)
    said = " ".join(str(found).split())
    assert said == (
        f"▲ better: NaiveBayes is {100 * found.gain:.1f} points more accurate than "
        f"LabelsOnly(NaiveBayes()) ({-100 * high:.1f} to {-100 * low:.1f})."
    )
    assert str(sg.ablate(informative(0.3, stay=0.95), "NaiveBayes")).startswith("▼ worse: ")
    assert str(sg.ablate(informative(3), "Majority")).startswith("= equal: ")
    fits(found)


def test_learners_of_one_base_share_its_labels() -> None:
    found = sg.ablate(informative(1), ["NaiveBayes", "SWT(NaiveBayes)", "SWT(NaiveBayes, order=2)"])
    first, second, third = (each.labels_only for each in found)
    assert first is second
    assert third.name == "LabelsOnly(NaiveBayes(), order=2)"
    assert [each.run.name for each in found] == [
        "NaiveBayes",
        "TemporallyAugmented(NaiveBayes())",
        "TemporallyAugmented(NaiveBayes(), order=2)",
    ]


def test_takes_what_evaluate_takes() -> None:
    found = sg.ablate("SEA(500)", {"bayes": "NaiveBayes", "tree": sg.HoeffdingTree()}, seed=3)
    assert list(found) == ["bayes", "tree"]
    assert found["bayes"].run.name == "bayes"
    assert found["bayes"].labels_only.name == "LabelsOnly(NaiveBayes())"
    assert found["tree"].run.stream.name == "SEA(500, seed=3)"
    with pytest.raises(sg.UsageError, match="ablate compares single runs"):
        sg.ablate("SEA(99)", "NaiveBayes", protocol="PrequentialCV(3)")


def test_decision_is_that_of_compare() -> None:
    found = sg.ablate(informative(1), "NaiveBayes", labels=sg.Delay(5), forget=[sg.Window(100)])
    again = sg.compare(found.run, found.labels_only)
    assert found.comparison.to_dict() == again.to_dict()
    document = found.to_dict()
    assert json.loads(json.dumps(document)) == document
    assert document["format"] == "streamgauge.ablation/1"
    assert document["text"] == found.details
    assert document["labels_only"] == "LabelsOnly(NaiveBayes())"


@pytest.mark.parametrize(
    ("given", "alone"),
    [
        ("KNN(n_neighbors=3)", "LabelsOnly(KNN(n_neighbors=3), order=4)"),
        ("SWT(NaiveBayes, order=2, features=True)", "LabelsOnly(NaiveBayes(), order=2)"),
        (
            "SWT(NaiveBayes, history='both', refresh=True)",
            "LabelsOnly(NaiveBayes(), refresh=True, history='both')",
        ),
        ("TemporalCorrection(NaiveBayes)", "LabelsOnly(NaiveBayes(), order=4)"),
        ("TemporalCorrection(SWT(NaiveBayes))", "LabelsOnly(NaiveBayes())"),
        ("Resetting(SWT(NaiveBayes), DDM())", "Resetting(LabelsOnly(NaiveBayes()), DDM())"),
    ],
)
def test_same_learner_without_its_features(given: str, alone: str) -> None:
    """Those with past labels keep them; the others get as many as asked."""
    assert repr(labels_only(parse_learner(given), 4)) == alone


def test_predictions_as_history_are_called_so() -> None:
    found = sg.ablate(informative(1, rows=60), "SWT(NaiveBayes, order=2, history='both')")
    assert "gets the last 2 labels and the last 2 predictions and no features" in found.details


def test_what_cannot_be_ablated_is_refused() -> None:
    numbers = sg.from_arrays(np.zeros((9, 1)), np.linspace(0, 1, 9), task="regression")
    cases: list[tuple[sg.Stream, Any, dict[str, Any], str]] = [
        (numbers, "Mean", {}, "is a stream for regression; ablate needs classes"),
        (sg.SEA(99), "LabelsOnly(KNN)", {}, r"LabelsOnly\(KNN\(\)\) has no features to leave out"),
        (sg.SEA(99), "NaiveBayes", {"order": 0}, "order=0: expected at least one past label"),
        (
            sg.SEA(99),
            "NaiveBayes",
            {"protocol": sg.PrequentialCV(3)},
            "ablate compares single runs; expected Holdout",
        ),
    ]
    for stream, learner, options, complaint in cases:
        with pytest.raises(sg.UsageError, match=complaint):
            sg.ablate(stream, learner, **options)
