"""Predictions and labels of two logs, joined by id: compared with a dict of lists."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge._support.errors import InputError
from streamgauge.evaluation._join import Ids, Joined, join


def ids(column: list[Any], source: str) -> Ids:
    return Ids(pa.array(column), "id", source, lambda line: f"{source}: line {line}")


def joined(
    asked: list[Any], answered: list[Any], truth: list[Any], revealed: list[Any] | None = None
) -> Joined:
    times = None if revealed is None else pa.array(revealed, pa.int64())
    return join(ids(asked, "asked"), ids(answered, "answers"), pa.array(truth, pa.string()), times)


small = st.integers(0, 5)


@given(
    st.lists(small, min_size=1, max_size=12),
    st.lists(st.tuples(small, st.sampled_from(["a", "b", None]), small), max_size=12),
)
def test_join_is_that_of_a_dict(
    asked: list[int], answers: list[tuple[int, str | None, int]]
) -> None:
    first: dict[int, int] = {}
    for line, who in enumerate(asked):
        first.setdefault(who, line)
    of_id: dict[int, list[tuple[int, int]]] = {}
    skipped = dict.fromkeys(
        ("second prediction", "empty", "without a", "same as", "not the same"), 0
    )
    skipped["second prediction"] = len(asked) - len(first)
    for line, (who, label, when) in enumerate(answers):
        if label is None:
            skipped["empty"] += 1
        elif who not in first:
            skipped["without a"] += 1
        else:
            of_id.setdefault(who, []).append((when, line))
    chosen = {who: min(lines)[1] for who, lines in of_id.items()}
    for who, lines in of_id.items():
        for _, line in lines:
            if line != chosen[who]:
                same = answers[line][1] == answers[chosen[who]][1]
                skipped["same as" if same else "not the same"] += 1
    columns = [list(each) for each in zip(*answers, strict=True)] or [[], [], []]
    if skipped["without a"] and not chosen:
        with pytest.raises(InputError, match="no id of answers is in asked: ids such as"):
            joined(asked, *columns)
        return
    columns[0] = pa.array(columns[0], pa.int64()).to_pylist()
    found = joined([str(each) for each in asked], *columns) if answers else None
    if found is not None:
        assert found.predictions.tolist() == sorted(first.values())
        assert found.labels.tolist() == [chosen.get(asked[line], -1) for line in first.values()]
        counted = {
            key: sum(n for reason, n in found.skipped.items() if key in reason) for key in skipped
        }
        assert counted == skipped


def test_without_times_the_first_line_counts() -> None:
    found = joined(["u", "v"], ["v", "v", "u"], ["a", "b", "a"])
    assert found.labels.tolist() == [2, 0]
    assert list(found.skipped.values()) == [1]
    assert np.array_equal(found.predictions, [0, 1])


def test_every_line_needs_an_id() -> None:
    with pytest.raises(InputError, match=r"^asked: line 1: empty id in column 'id'"):
        joined(["u", None], ["u"], ["a"])
    with pytest.raises(InputError, match=r"^answers: line 0: empty id in column 'id'"):
        joined(["u"], [None], ["a"])
