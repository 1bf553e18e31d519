"""Predictions and labels of two logs, joined by id: compared with one event at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge._support.errors import InputError
from streamgauge._support.types import NEVER
from streamgauge.evaluation._join import Ids, Joined, join
from streamgauge.prequential.reasons import EMPTY, ORPHAN, REASONS, UNTIMED
from tests.oracles.monitoring import FOR_EVER, Event
from tests.oracles.monitoring import joined as joined_slowly

COUNTED = (
    "repeated predictions", "labels too late", "labels before", "timed out", "orphans",
    "repeated labels", "corrections",
)  # fmt: skip


def ids(column: list[Any], source: str) -> Ids:
    return Ids(pa.array(column), "id", source, lambda line: f"{source}: line {line}")


def joined(
    asked: list[Any],
    answered: list[Any],
    truth: list[Any],
    times: tuple[list[int], list[int]] | None = None,
    timeout: int | None = None,
    kind: pa.DataType | None = None,
) -> Joined:
    moments = None if times is None else tuple(np.array(each, np.int64) for each in times)
    labels = pa.array(truth, kind or pa.string())
    return join(ids(asked, "asked"), ids(answered, "answers"), labels, moments, timeout)  # type: ignore[arg-type]


def events(values: list[str]) -> st.SearchStrategy[list[Event]]:
    one = st.builds(Event, st.integers(0, 5).map(str), st.integers(-9, 9), st.sampled_from(values))
    return st.lists(one, min_size=1, max_size=20)


@given(
    asked=events(["p"]),
    answers=events(["a", "b", ""]),
    timeout=st.one_of(st.none(), st.integers(1, 9)),
    far=st.booleans(),
)
def test_join_is_that_of_one_event_at_a_time(
    asked: list[Event], answers: list[Event], timeout: int | None, far: bool
) -> None:
    if far:  # no sum of times overflows
        asked = [each._replace(time=each.time - 2**63 + 10) for each in asked]
        answers = [each._replace(time=each.time + 2**62) for each in answers]
    known = [each for each in answers if each.value]
    log = joined_slowly(asked, known, FOR_EVER, FOR_EVER if timeout is None else timeout, FOR_EVER)
    truth = [each.value or None for each in answers]
    columns = [each.id for each in asked], [each.id for each in answers], truth
    times = [each.time for each in asked], [each.time for each in answers]
    if known and not log.changes and not log.counts["labels too late"]:
        with pytest.raises(InputError, match="no id of answers is in asked: ids such as"):
            joined(*columns, times, timeout)
        return
    found = joined(*columns, times, timeout)
    order = sorted(range(len(asked)), key=lambda line: asked[line].time)
    first = list({asked[line].id: line for line in reversed(order)}.values())
    assert sorted(found.predictions.tolist()) == sorted(first)
    assert [asked[line].id for line in found.predictions] == [row.id for row in log.rows]
    labels = [truth[line] if line >= 0 else None for line in found.labels]
    assert labels == [row.label for row in log.rows]
    revealed = [None if time == NEVER else time for time in found.revealed.tolist()]
    assert revealed == [row.revealed for row in log.rows]
    corrections = [(each.time, each.row, each.new) for each in log.changes if each.old is not None]
    new = [truth[line] for line in found.corrections]
    assert list(zip(found.times.tolist(), found.rows.tolist(), new, strict=True)) == corrections
    expected = {reason: log.counts[n] for n, reason in zip(COUNTED, REASONS, strict=True)}
    expected |= {EMPTY: len(answers) - len(known), ORPHAN: len(log.early)}
    assert found.skipped == {reason: n for reason, n in expected.items() if n}


def test_without_times_labels_come_in_the_order_of_their_lines() -> None:
    found = joined(["u", "v"], ["v", "v", "u"], ["a", "b", "c"])
    assert found.labels.tolist() == [2, 0]
    assert (found.rows.tolist(), found.corrections.tolist()) == ([1], [1])
    assert found.predictions.tolist() == [0, 1]


def test_numbers_that_are_equal_are_the_same_label() -> None:
    found = joined(["u"], ["u", "u", "u"], ["1", "1.0", "2"])
    assert list(found.skipped.values()) == [1, 1]
    assert found.corrections.tolist() == [2]


def test_a_label_without_a_time_is_counted() -> None:
    found = joined(["u", "v"], ["u", "v"], ["a", "b"], ([0, 1], [2, NEVER]))
    assert found.labels.tolist() == [0, -1]
    assert found.skipped == {UNTIMED: 1}


def test_every_line_needs_an_id() -> None:
    with pytest.raises(InputError, match=r"^asked: line 1: empty id in column 'id'"):
        joined(["u", None], ["u"], ["a"])
    with pytest.raises(InputError, match=r"^answers: line 0: empty id in column 'id'"):
        joined(["u"], [None], ["a"])
