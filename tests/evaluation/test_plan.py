"""The plan: defaults from the stream, and options that are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from tests.evaluation.toys import timed


def test_reveal_times_of_the_stream_are_used_by_default() -> None:
    X, y, when = np.zeros((200, 1)), np.arange(200) // 50 % 2, np.arange(200)
    late = sg.from_arrays(X, y, arrives=when, revealed=when + 30)
    assert sg.evaluate(late, sg.Persistent()).settings.labels == "FromStream()"
    assert sg.evaluate(sg.from_arrays(X, y), sg.Persistent()).settings.labels == "Immediate()"
    text = sg.evaluate(late, sg.Persistent(), labels=sg.Delay(190)).details
    assert "made no prediction for the first 190 of 200 rows, which count as wrong" in text


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
        (lambda: sg.evaluate(sg.SEA(9), sg.Majority(), max_labels=0), "max_labels=0: expected 1 "),
        (lambda: sg.evaluate(sg.SEA(9), sg.Majority(), max_labels=5, protocol="Holdout(4, 2)"),
         "max_labels=5: Holdout(every=4, size=2, test='interleaved') tests at rows of its own"),
        (lambda: sg.evaluate(sg.SEA(9), []), "no learner given"),
        (lambda: sg.evaluate(sg.SEA(9), sg.NaiveBayes), "expected an object: NaiveBayes()"),
        (lambda: sg.evaluate(sg.SEA(9), 3), "int has no predict_one and learn_one"),
        (lambda: sg.evaluate(7, sg.Majority()), "expected a stream, got int; make one with load"),
        (lambda: sg.evaluate("elec", sg.Majority()), "unknown data set 'elec' (did you mean 'el"),
        (lambda: sg.evaluate(sg.SEA(9), {}), "no learner given"),
        (lambda: sg.evaluate(sg.SEA(9), {"": sg.Majority()}), "the name ''; expected a text"),
        (lambda: sg.evaluate(sg.SEA(9), {1: sg.Majority()}), "the name 1; expected a text"),
        (lambda: sg.evaluate(sg.SEA(9), sg.Majority(), labels="Dela(3)"), "did you mean 'Delay'?"),
        (lambda: sg.evaluate(sg.SEA(9), sg.Majority(), labels="Delay(0)"), "Delay(0): a label "),
        (lambda: sg.evaluate(sg.SEA(9), sg.Majority(), labels=sg.Delay),  # type: ignore[call-overload]
         "labels: Delay is a class; expected Delay(...)"),
        (lambda: sg.evaluate(sg.SEA(9), sg.Majority(), metrics=3),  # type: ignore[call-overload]
         "metrics=3: expected 'labels', 'all', or a list of names"),
        (lambda: sg.evaluate(sg.SEA(9), sg.Majority(), labels=3),  # type: ignore[call-overload]
         "labels: 3 is not a label policy"),
        (lambda: sg.evaluate(sg.SEA(9), sg.Majority(), forget=["Windo(3)"]), "mean 'Window'?"),
        (lambda: sg.evaluate(sg.SEA(9), sg.Majority(), forget="Window(3)"),
         "expected a list: forget=['Window(3)']"),
        (lambda: sg.evaluate(sg.SEA(9), sg.Majority(), protocol="Holdout(5)"), "is not a protocol"),
        (lambda: sg.evaluate(sg.SEA(9), sg.Majority(), reevaluate="Again(5)"),
         "'Again(5)' is not a re-evaluation: "),
    ],
)  # fmt: skip
def test_invalid_options_are_refused(make: Any, complaint: str) -> None:
    with pytest.raises(sg.UsageError) as caught:
        make()
    assert complaint in str(caught.value)


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
        lambda: sg.evaluate(sg.SEA(9), sg.NaiveBayes(), save=True),  # type: ignore[call-overload]
        lambda: sg.evaluate(sg.SEA(9), sg.NaiveBayes(), predictions=None),  # type: ignore[call-overload]
        lambda: sg.evaluate(sg.SEA(9), sg.NaiveBayes(), forget=sg.Window(3)),  # type: ignore[call-overload]
    ],
)
def test_row_counts_must_be_integers_and_lists_must_be_lists(make: Any) -> None:
    with pytest.raises(sg.UsageError):
        make()


def test_texts_stand_for_the_objects_they_describe() -> None:
    stream, bayes = sg.SEA(400, seed=1), sg.NaiveBayes()
    texts = sg.evaluate(
        stream, bayes, labels="Delay(10)", forget=["Window(50)"], reevaluate="Reevaluate(5, bins=2)"
    )
    objects = sg.evaluate(
        stream, bayes, labels=sg.Delay(10), forget=[sg.Window(50)], reevaluate=sg.Reevaluate(5, 2)
    )
    assert texts.id == objects.id
    held_out = sg.evaluate(stream, bayes, protocol="Holdout(50, 50)")
    assert isinstance(held_out, sg.Run)
    assert held_out.id == sg.evaluate(stream, bayes, protocol=sg.Holdout(50, 50)).id
    folds = sg.evaluate(stream, bayes, protocol="PrequentialCV(2)")
    assert isinstance(folds, sg.Runs)  # the type depends on the text
    assert len(folds) == 2


def test_more_classes_than_can_be_counted_are_refused() -> None:
    stream = sg.from_arrays(np.zeros((3, 1)), [0, 1, 2], classes=list(range(10_001)))
    with pytest.raises(sg.UsageError, match=r"10,001 classes, such as 0; expected at most 10,000"):
        sg.evaluate(stream, sg.Majority())
