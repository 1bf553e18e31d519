"""TemporalCorrection against its oracle under any agenda."""

from __future__ import annotations

import numpy as np
from hypothesis import settings

import streamgauge as sg
from streamgauge._support.types import Schema
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.prequential.protocols import RowRoles
from streamgauge.streams.frames import ArrayStream
from tests.learners.wrappers.toy import (
    K,
    Stepped,
    agendas,
    anything,
    hard_stream,
    play_all,
)
from tests.oracles import temporal as oracle


@settings(max_examples=60)
@anything
def test_every_prediction_is_the_oracles(
    n: int, seed: int, policy: LabelPolicy, every: int, size: int,
    protocol: RowRoles, evolving: bool, toy: type[Stepped],
) -> None:  # fmt: skip
    stream = hard_stream(n, seed, evolving)
    learner = sg.TemporalCorrection(toy())
    learner.start(stream.schema, 1)
    events, labels, answers = play_all(learner, agendas(stream, policy, every, size, protocol))
    expected = oracle.corrected(events, oracle.Toy(K))
    assert len(answers) == len(expected)
    for label, ours, theirs in zip(labels, answers, expected, strict=True):
        assert label == oracle.best(ours)
        if theirs is None:
            assert ours is None
        else:
            np.testing.assert_allclose(np.array(ours), theirs, rtol=1e-12)


def test_ties_go_to_the_lowest_class() -> None:
    """All that was seen is one row of each class: pairs and counts weigh both alike."""
    y = np.array([0, 1, 0, 1, 0], np.int32)
    stream = ArrayStream("even", Schema((), (), (0, 1)), sg.Block(0, np.empty((5, 0)), y))
    run = sg.evaluate(stream, sg.TemporalCorrection(sg.Majority()), labels=sg.Chunks(2))
    # Rows 2 and 3 came after label 1; before that no pair was seen. Majority says 1/2 to both.
    assert run.predictions.column("prediction").to_pylist()[:4] == [None, None, 0, 0]
