"""The waiting room reuses slots, and gives each row the context it arrived with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import Floats, Schema, Targets
from streamgauge.prequential.agenda_writer import AgendaWriter
from streamgauge.prequential.waiting_room import WaitingRoom
from streamgauge.testing import check_learner, example_stream
from tests.playing import POLICIES
from tests.prequential.agenda_cases import block_of


class Recording:
    """Records the rows it gets; its predictions depend on the whole context."""

    def __init__(self, context: int) -> None:
        self.context = context
        self.predicted: list[Floats] = []
        self.learned: list[Floats] = []

    def __deepcopy__(self, memo: Any) -> Recording:
        return self  # so that the test sees the learner of the run

    def start(self, schema: Schema, seed: int) -> None:
        self.k = len(schema.classes)

    def predict(self, X: Floats) -> Floats:
        self.predicted.extend(X)
        code = np.nan_to_num(X).reshape(len(X), -1).sum(axis=1).astype(int) % self.k
        return np.asarray(0.7 * np.eye(self.k)[code] + 0.3 / self.k)

    def learn(self, X: Floats, y: Targets, w: Floats) -> None:
        self.learned.extend(X)


def numbered(n: int) -> sg.Stream:
    """Rows whose one feature is their number."""
    y = np.arange(n) % 3
    return sg.from_arrays(np.arange(float(n))[:, None], y, classes=[0, 1, 2])


def context_rows(row: float, context: int) -> list[float | None]:
    """The numbers of the rows of a context, the row itself last, None before the first row."""
    rows = [row - back for back in range(context - 1, -1, -1)]
    return [each if each >= 0 else None for each in rows]


def as_lists(sequences: list[Floats]) -> list[list[float | None]]:
    """Row numbers of sequences, None for NaN."""
    return [[None if v != v else v for v in sequence[:, 0].tolist()] for sequence in sequences]


@given(
    st.integers(2, 6), st.integers(1, 50), st.sampled_from(POLICIES[:4]), st.sampled_from([0, 3])
)
def test_each_row_comes_with_the_rows_that_arrived_before_it(
    context: int, size: int, policy: Any, every: int
) -> None:
    learner = Recording(context)
    reevaluate = sg.Reevaluate(every, 4) if every else None
    sg.evaluate(
        numbered(60),
        [learner, sg.NaiveBayes()],
        labels=policy,
        block_rows=size,
        reevaluate=reevaluate,
    )
    assert as_lists(learner.learned) == [context_rows(row, context) for row in range(60)]
    predicted = as_lists(learner.predicted)
    assert sorted({row[-1] for row in predicted if row[-1] is not None}) == list(range(60))
    for sequence in predicted:
        row = sequence[-1]
        assert row is not None
        assert sequence == context_rows(row, context)


def test_learners_with_different_contexts_share_one_run() -> None:
    learners = [Recording(4), Recording(2)]
    sg.evaluate(numbered(30), [*learners, sg.NaiveBayes()], labels=sg.Delay(5), block_rows=7)
    for learner in learners:
        assert as_lists(learner.learned) == [
            context_rows(row, learner.context) for row in range(30)
        ]


def test_updated_rows_keep_the_context_they_arrived_with() -> None:
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
    learner = Recording(3)
    sg.evaluate(stream, learner)
    assert as_lists(learner.learned) == [[None, None, 9], [None, 1, 3], [1, 2, 4]]


def test_rows_of_a_separate_test_stream_are_not_in_the_context() -> None:
    learner = Recording(2)
    tests = sg.from_arrays([[100.0], [101.0]], [0, 1], classes=[0, 1, 2])
    sg.evaluate(numbered(20), learner, protocol=sg.Holdout(10, 2, test=tests))
    assert as_lists(learner.learned) == [context_rows(row, 2) for row in range(20)]
    tested = [sequence for sequence in as_lists(learner.predicted) if (sequence[-1] or 0) >= 100]
    assert tested == [[None, 100], [100, 101]] * 2


def test_wrappers_pass_the_context_on() -> None:
    learner = Recording(3)
    correction = sg.TemporalCorrection(sg.Resetting(learner, sg.PeriodicAlarm(10)))
    sg.evaluate(numbered(30), correction)
    assert as_lists(learner.learned) == [context_rows(row, 3) for row in range(30)]
    with pytest.raises(sg.UsageError, match="expected a learner without context"):
        sg.TemporallyAugmented(Recording(3))


@pytest.mark.parametrize("context", [0, -1, 2.0, True, "3"])
def test_invalid_context_is_refused(context: Any) -> None:
    with pytest.raises(sg.UsageError, match=r"Recording: context=.*1 or more"):
        sg.evaluate(numbered(10), Recording(context))


class ContextVotes:
    """Class frequencies by a feature of the previous row."""

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


def test_check_learner_passes_a_learner_with_context() -> None:
    assert check_learner(ContextVotes(), example_stream(150)) == []


def test_room_keeps_no_sequences_without_context() -> None:
    room = WaitingRoom(1, regression=False)
    for block in numbered(30).blocks(10):
        room.admit(block, block.y.astype(np.int64), block.y.astype(np.int64), True)
    assert room.sequences.size == 0
    assert room.rows(1) is room.X


def test_slots_are_reused_once_rows_are_learned() -> None:
    room = WaitingRoom(1, regression=False)
    writer = AgendaWriter(sg.Delay(100), room)
    block = block_of(10_000)
    sizes = []
    for start in range(0, 10_000, 50):
        list(writer.write(block.cut(start, start + 50)))
        sizes.append(room.capacity)
    assert sizes[-1] == sizes[20] <= 300  # 100 wait, 50 arrive, 50 leave; growing adds half
