"""TemporallyAugmented against its oracle under any agenda."""

from __future__ import annotations

from typing import Any

import pytest

import streamgauge as sg
from streamgauge._support.types import Schema
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.prequential.protocols import RowRoles
from tests.learners.wrappers.toy import (
    OPTIONS,
    K,
    Stepped,
    agendas,
    anything,
    hard_stream,
    play_all,
)
from tests.oracles import temporal as oracle


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@anything
def test_every_prediction_is_the_oracles(
    options: dict[str, Any], n: int, seed: int, policy: LabelPolicy, every: int, size: int,
    protocol: RowRoles, evolving: bool, toy: type[Stepped],
) -> None:  # fmt: skip
    stream = hard_stream(n, seed, evolving)
    learner = sg.TemporallyAugmented(toy(), **options)
    learner.start(stream.schema, 1)
    events, labels, answers = play_all(learner, agendas(stream, policy, every, size, protocol))
    assert answers == oracle.augmented(events, oracle.Toy(K), **options)
    assert labels == [oracle.best(answer) for answer in answers]


def test_extended_schema_and_size() -> None:
    seen: list[Schema] = []

    class Notes(sg.NaiveBayes):
        def start(self, schema: Schema, seed: int) -> None:
            seen.append(schema)
            super().start(schema, seed)

    learner = sg.SWT(sg.SWT(Notes(), order=2), features=True)
    learner.start(Schema(("x", "c"), ((), ("u", "v")), (0, "b")), 1)
    names = ("x", "c", "label-1", "x-1", "c-1", "label-1'", "label-2")
    assert seen[0].features == names
    pair = ("0", "b")
    assert seen[0].values == ((), ("u", "v"), pair, (), ("u", "v"), pair, pair)
    assert learner.nbytes is not None
    assert isinstance(learner.base, sg.SWT)
    assert learner.nbytes > (learner.base.nbytes or 0) > 0
    untold = sg.TemporalCorrection(Stepped())
    untold.start(seen[0], 1)
    assert untold.measured_by == "pickled"
    assert repr(untold) == "TemporalCorrection(Stepped)"
