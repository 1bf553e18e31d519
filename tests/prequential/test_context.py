"""A learner's `context`: each row comes with the rows before it, frozen when it arrived."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import Floats, Schema, Targets
from streamgauge.prequential.waiting_room import WaitingRoom
from streamgauge.testing import POLICIES, check_learner, example_stream


class Watching:
    """Writes down what it is given; answers by what it sees of the past."""

    def __init__(self, context: int) -> None:
        self.context = context
        self.asked: list[Floats] = []
        self.taught: list[Floats] = []

    def __deepcopy__(self, memo: Any) -> Watching:
        return self  # so that the test sees what the run saw

    def start(self, schema: Schema, seed: int) -> None:
        self.k = len(schema.classes)

    def predict(self, X: Floats) -> Floats:
        self.asked.extend(X)
        code = np.nan_to_num(X).reshape(len(X), -1).sum(axis=1).astype(int) % self.k
        return np.asarray(np.eye(self.k)[code])

    def learn(self, X: Floats, y: Targets, w: Floats) -> None:
        self.taught.extend(X)


def numbered(n: int) -> sg.Stream:
    """Rows that are their own numbers, some without a label."""
    y = np.arange(n) % 3
    return sg.from_arrays(np.arange(float(n))[:, None], y, classes=[0, 1, 2])


def before(row: float, context: int) -> list[float | None]:
    """The rows before and the row itself, None before the first."""
    numbers = [row - back for back in range(context - 1, -1, -1)]
    return [number if number >= 0 else None for number in numbers]


def shown(sequences: list[Floats]) -> list[list[float | None]]:
    return [[None if v != v else v for v in sequence[:, 0].tolist()] for sequence in sequences]


@settings(max_examples=30)
@given(
    st.integers(2, 6), st.integers(1, 50), st.sampled_from(POLICIES[:4]), st.sampled_from([0, 3])
)
def test_each_row_comes_with_those_before_it(
    context: int, size: int, policy: Any, again: int
) -> None:
    learner = Watching(context)
    more = sg.Reevaluate(again, 4) if again else None
    sg.evaluate(
        numbered(60), [learner, sg.NaiveBayes()], labels=policy, block_rows=size, reevaluate=more
    )
    assert shown(learner.taught) == [before(row, context) for row in range(60)]
    asked = shown(learner.asked)
    assert sorted({row[-1] for row in asked if row[-1] is not None}) == list(range(60))
    for sequence in asked:
        row = sequence[-1]
        assert row is not None
        assert sequence == before(row, context)


def test_several_contexts_in_one_run() -> None:
    learners = [Watching(4), Watching(2)]
    sg.evaluate(numbered(30), [*learners, sg.NaiveBayes()], labels=sg.Delay(5), block_rows=7)
    for learner in learners:
        assert shown(learner.taught) == [before(row, learner.context) for row in range(30)]


def test_rows_that_change_keep_the_past_they_arrived_with() -> None:
    import pandas as pd

    events = [
        {"id": "a", "time": 0, "x": 1.0},
        {"id": "b", "time": 1, "x": 2.0},
        {"id": "a", "time": 2, "x": 9.0},
        {"id": "b", "time": 3, "x": 3.0},
        {"id": "c", "time": 4, "x": 4.0},
        {"id": "a", "time": 5, "y": "no"},
        {"id": "b", "time": 6, "y": "yes"},
        {"id": "c", "time": 7, "y": "yes"},
    ]
    stream = sg.from_events(pd.DataFrame(events), target="y", id="id", time="time")
    learner = Watching(3)
    sg.evaluate(stream, learner)
    assert shown(learner.taught) == [[None, None, 9], [None, 1, 3], [1, 2, 4]]


def test_a_test_set_of_another_stream_is_no_past_of_this_one() -> None:
    learner = Watching(2)
    tests = sg.from_arrays([[100.0], [101.0]], [0, 1], classes=[0, 1, 2])
    sg.evaluate(numbered(20), learner, protocol=sg.Holdout(10, 2, test=tests))
    assert shown(learner.taught) == [before(row, 2) for row in range(20)]
    held = [sequence for sequence in shown(learner.asked) if (sequence[-1] or 0) >= 100]
    assert held == [[None, 100], [100, 101]] * 2


def test_wrappers_pass_it_on() -> None:
    learner = Watching(3)
    correction = sg.TemporalCorrection(sg.Resetting(learner, sg.PeriodicAlarm(10)))
    sg.evaluate(numbered(30), correction)
    assert shown(learner.taught) == [before(row, 3) for row in range(30)]
    with pytest.raises(sg.UsageError, match="expected a learner without context"):
        sg.TemporallyAugmented(Watching(3))


@pytest.mark.parametrize("context", [0, -1, 2.0, True, "3"])
def test_contexts_that_are_none(context: Any) -> None:
    with pytest.raises(sg.UsageError, match=r"Watching: context=.*1 or more"):
        sg.evaluate(numbered(10), Watching(context))


class Voting:
    """The class that was taught most often after a row like the one before."""

    context = 3

    def start(self, schema: Schema, seed: int) -> None:
        self.counts = np.ones((7, len(schema.classes)))

    def _place(self, X: Floats) -> Any:
        return np.nan_to_num(X[:, 1]).sum(axis=1).astype(int) % 7

    def predict(self, X: Floats) -> Floats:
        counts = self.counts[self._place(X)]
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))

    def learn(self, X: Floats, y: Targets, w: Floats) -> None:
        np.add.at(self.counts, (self._place(X), y), w)


def test_the_battery_knows_of_it() -> None:
    assert check_learner(Voting(), example_stream(150)) == []


def blocks(n: int) -> Iterator[sg.Block]:
    yield from numbered(n).blocks(10)


def test_without_a_context_nothing_is_kept() -> None:
    room = WaitingRoom(1, regression=False)
    for block in blocks(30):
        room.admit(block, block.y.astype(np.int64), block.y.astype(np.int64), True)
    assert room.sequences.size == 0
    assert room.rows(1) is room.X
