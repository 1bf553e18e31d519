"""A learner that is not ours can neither see what is to come nor change what others get."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import LEARN, PREDICT, Schema
from streamgauge.learners.base import EventFailed, Events, is_own

STREAM = sg.SEA(600, seed=1)
POLICIES = [sg.Immediate(), sg.Delay(30), sg.Chunks(50)]


class Player:
    """Predicts class 0 and does something else besides."""

    def __init__(self, deed: Callable[[Events], object]) -> None:
        self.deed = deed

    def start(self, schema: Schema, seed: int) -> None: ...

    def play(self, events: Events) -> None:
        events.label[:] = 0
        self.deed(events)


def overwrite(events: Events) -> None:
    for array in events[:6]:
        array[...] = 1


def point_outside(events: Events) -> None:
    events.slots[:] = 1 << 40
    events.row_ids[:] = -(1 << 40)
    events.ops[:] = 77


@pytest.mark.parametrize("policy", POLICIES, ids=str)
@pytest.mark.parametrize("deed", [overwrite, point_outside])
def test_writing_changes_no_score(deed: Callable[[Events], object], policy: sg.LabelPolicy) -> None:
    alone = sg.evaluate(STREAM, sg.NaiveBayes(), labels=policy)
    hostile, beside = sg.evaluate(STREAM, [Player(deed), sg.NaiveBayes()], labels=policy)
    assert beside.predictions.equals(alone.predictions)
    assert dict(beside.summary) == dict(alone.summary)
    honest = sg.evaluate(STREAM, Player(lambda events: None), labels=policy)
    assert hostile.predictions.equals(honest.predictions)


def with_own_play() -> sg.KNN:
    """One of our learners that plays otherwise than written."""
    learner = sg.KNN()
    learner.play = Player(overwrite).play  # type: ignore[method-assign]
    return learner


def calls_itself_ours() -> Player:
    kind = type("KNN", (Player,), {"__module__": "streamgauge.learners.knn"})
    made = kind(overwrite)
    assert isinstance(made, Player)
    return made


@pytest.mark.parametrize("disguised", [with_own_play, calls_itself_ours])
def test_learner_in_disguise_changes_no_score(disguised: Callable[[], Any]) -> None:
    alone = sg.evaluate(STREAM, sg.NaiveBayes())
    _, beside = sg.evaluate(STREAM, [disguised(), sg.NaiveBayes()])
    assert beside.predictions.equals(alone.predictions)


def test_class_whose_play_is_replaced_is_not_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_own(sg.KNN())
    monkeypatch.setattr(sg.KNN, "play", lambda self, events: None)
    assert not is_own(sg.KNN())


def test_label_policy_cannot_change_the_stream() -> None:
    class Falsifies(sg.Immediate):
        def timetable(self, block: sg.Block) -> sg.Timetable:
            block.y[:] = 0
            return super().timetable(block)

    with pytest.raises(ValueError, match="read-only"):
        sg.evaluate(STREAM, sg.NaiveBayes(), labels=Falsifies())


@pytest.mark.parametrize("policy", POLICIES, ids=str)
def test_labels_that_are_not_learned_yet_are_hidden(policy: sg.LabelPolicy) -> None:
    revealed: set[int] = set()

    def look(events: Events) -> None:
        revealed.difference_update(events.slots[events.ops == PREDICT].tolist())
        revealed.update(events.slots[events.ops == LEARN].tolist())
        assert set(np.flatnonzero(events.y >= 0).tolist()) <= revealed

    run = sg.evaluate(STREAM, Player(look), labels=policy, block_rows=100)
    assert run.failure is None


def test_rows_that_have_not_arrived_are_hidden() -> None:
    arrived: set[int] = set()

    def look(events: Events) -> None:
        arrived.update(events.slots.tolist())
        assert set(np.flatnonzero(~np.isnan(events.X[:, 0])).tolist()) <= arrived

    run = sg.evaluate(
        STREAM, Player(look), labels=sg.Delay(30), reevaluate=sg.Reevaluate(every=1, bins=2),
        block_rows=200,
    )  # fmt: skip
    assert run.failure is None


def test_row_that_is_scored_but_not_learned_keeps_its_label() -> None:
    def look(events: Events) -> None:
        assert (events.y[events.slots[events.weight == 0]] == -1).all()

    run = sg.evaluate(STREAM, Player(look), protocol=sg.Holdout(every=50, size=100))
    assert run.failure is None


def replace_labels(events: Events) -> None:
    events.label.resize(1, refcheck=False)


def fail_nowhere(events: Events) -> None:
    raise EventFailed(1 << 40)


def fail_after_invalid_labels(events: Events) -> None:
    events.label[:] = 1 << 30
    raise EventFailed(len(events.ops) - 1)


def leave(events: Events) -> None:
    raise SystemExit(3)


@pytest.mark.parametrize(
    ("deed", "words"),
    [
        (replace_labels, "write the predictions in place"),
        (fail_nowhere, "failed at row 0"),
        (fail_after_invalid_labels, "predicted class code 1073741824"),
        (leave, "SystemExit: 3"),
    ],
)
def test_what_comes_back_is_checked(deed: Callable[[Events], object], words: str) -> None:
    def play(events: Events) -> None:
        if len(events.ops):
            deed(events)

    with pytest.raises(sg.LearnerError, match=words):
        sg.evaluate(STREAM, Player(play))


def test_event_without_a_prediction_abstains() -> None:
    class Silent(Player):
        def play(self, events: Events) -> None: ...

    run = sg.evaluate(STREAM, Silent(lambda events: None))
    assert run.predictions["prediction"].null_count == 600
