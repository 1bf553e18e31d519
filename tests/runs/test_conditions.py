"""The conditions of a run: settings as text become objects."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge._support.types import Block
from streamgauge.prequential.labels import LabelPolicy, Timetable
from streamgauge.runs.conditions import conditions_of

STREAM = sg.SEA(600, seed=1)
LEARNERS = [sg.NaiveBayes(), sg.Majority()]


@pytest.mark.parametrize(
    "labels", [sg.Immediate(), sg.Delay(5), sg.Chunks(8), sg.Sampled(0.5, score="all", seed=3)]
)
def test_label_policy_is_rebuilt_from_a_saved_run(labels: LabelPolicy, tmp_path: Path) -> None:
    run = sg.evaluate(STREAM, sg.Majority(), labels=labels)
    for each in (run, sg.compare(run.save(tmp_path), "Persistent")):
        found = conditions_of(each) if isinstance(each, sg.Run) else each.conditions
        assert found.labels == labels
        assert found.labels_text() == repr(labels)
        assert not found.reuses_test_set


@pytest.mark.parametrize(
    ("protocol", "reuses"),
    [
        (sg.Holdout(100, 50), False),
        (sg.Holdout(100, 50, "first"), True),
        (sg.Holdout(100, 50, sg.SEA(50, seed=2)), True),
    ],
)
def test_holdout_is_rebuilt_and_says_whether_it_reuses_a_test_set(
    protocol: sg.Holdout, reuses: bool
) -> None:
    found = conditions_of(sg.evaluate(STREAM, sg.Majority(), protocol=protocol))
    assert found.reuses_test_set == reuses
    assert repr(found.protocol) == repr(protocol)
    assert found.labels_text() == f"Immediate() · {protocol!r}"


def test_model_of_a_cross_validation_is_part_of_the_conditions() -> None:
    folds = sg.evaluate(STREAM, sg.Majority(), protocol=sg.PrequentialCV(2))
    found = conditions_of(folds[1])
    assert (found.protocol, found.model) == (sg.PrequentialCV(2), 1)
    assert found.labels_text() == "Immediate() · PrequentialCV(2, 'cv'), model 1"


@dataclass(frozen=True)
class Custom:
    """A label policy of the user."""

    labels_first = True

    def timetable(self, block: Block) -> Timetable:
        return sg.Immediate().timetable(block)


def test_custom_label_policy_is_kept_as_text() -> None:
    a, b = sg.evaluate(STREAM, LEARNERS, labels=Custom())
    assert conditions_of(a).labels == "Custom()"
    assert "labels Custom()" in str(sg.detect(a, ["DDM"]))
    with pytest.raises(sg.UsageError, match=r"Custom\(\) is not a built-in label policy"):
        sg.compare(a, b, forget=[sg.TimeWindow(10)])
