"""Re-evaluation: its events against the literal oracle, and options that are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import Schema
from streamgauge.prequential import agenda_writer
from streamgauge.prequential.agenda import Agenda
from streamgauge.prequential.agenda_writer import AgendaWriter
from streamgauge.prequential.reevaluation.reevaluate import Reevaluate
from streamgauge.prequential.waiting_room import WaitingRoom
from tests.oracles import reevaluation as oracle
from tests.prequential.reevaluation.cases import (
    CLASSIFICATION,
    REGRESSION,
    Case,
    block_of,
    cases,
    play,
    policy_of,
    split,
)

KINDS = {0: "P", 1: "L", 2: "F", 3: "A"}


@given(cases(), st.integers(1, 50))
def test_events_and_features_equal_the_oracle(case: Case, every: int) -> None:
    rows, updates, cuts, labels_first = case
    block = block_of(rows, updates, False)
    room = WaitingRoom(2, regression=False)
    writer = AgendaWriter(policy_of(labels_first), room, every)
    events, versions_seen = [], []

    def record(agenda: Agenda) -> None:
        for op, slot, row_id, row, time in zip(
            agenda.ops, agenda.slots, agenda.row_ids, agenda.ids, agenda.times, strict=True
        ):
            assert room.X[slot, 0] == room.X[row_id, 0] == row
            assert room.y[slot] == rows[row].y
            events.append((KINDS[int(op)], int(row), int(time)))
            versions_seen.append(room.X[slot, 1])

    for part in split(block, cuts):
        for agenda in writer.write(part):
            record(agenda)
    for agenda in writer.finish():
        record(agenda)
    expected = oracle.events(rows, every, labels_first, updates)
    assert events == [event for event in expected if event[0] not in "UX"]
    versions = dict.fromkeys(range(len(rows)), 0)
    newest = []
    for kind, row, _ in expected:
        versions[row] += kind == "U"
        if kind not in "UX":
            newest.append(versions[row])
    assert versions_seen == newest


def test_results_do_not_depend_on_the_size_of_agendas(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    rows = [oracle.Row(i, i + int(rng.integers(0, 90)), 0) for i in range(300)]
    case: Case = (rows, [], [100, 200], False)
    whole = play(case, Reevaluate(1, 5), False)
    monkeypatch.setattr(agenda_writer, "_PIECE", 3)
    small = play(case, Reevaluate(1, 5), False)
    assert small[:2] == whole[:2]
    np.testing.assert_array_equal(small[2], whole[2])


def test_wait_too_long_for_64_bits_names_the_row() -> None:
    rows = [oracle.Row(-(2**62), 2**62 + 5, 0)]
    with pytest.raises(InputError, match=r"row 0: .*does not fit in 64 bits"):
        play((rows, [], [], False), Reevaluate(1, 5), False)


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        ({"every": 0}, "every >= 1"),
        ({"bins": -1}, "bins >= 0"),
        ({"every": 2.5}, "every"),
        ({"compat": "moa"}, "expected compat=None or compat='moa-fork'"),
        ({"bins": 0, "compat": "moa-fork"}, "at least one bin"),
        ({"compat": "moa-fork", "aggregate": "dominant"}, "its own way"),
        ({"aggregate": "median"}, "expected aggregate="),
    ],
)
def test_invalid_options_are_refused(wrong: dict[str, Any], match: str) -> None:
    with pytest.raises(UsageError, match=match):
        Reevaluate(**wrong)


@pytest.mark.parametrize(
    ("reevaluate", "schema"),
    [
        (Reevaluate(aggregate="dominant"), REGRESSION),
        (Reevaluate(aggregate="mean"), CLASSIFICATION),
    ],
)
def test_options_that_do_not_fit_the_target_are_refused(
    reevaluate: Reevaluate, schema: Schema
) -> None:
    with pytest.raises(UsageError):
        reevaluate.check(schema)


def test_more_bins_than_fit_into_memory_are_refused() -> None:
    with pytest.raises(UsageError, match="expected at most 1,000 bins; each row has them all"):
        Reevaluate(bins=1001)
