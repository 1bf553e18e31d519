"""Sampled labels, immediate and late."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.call_parser import build
from streamgauge._support.errors import UsageError
from streamgauge._support.types import NEVER
from streamgauge.prequential.sampled import Sampled
from streamgauge.testing import check_label_policy
from tests.prequential.agenda_cases import block_of, cut_rows, write


@given(cut_rows(), st.floats(0.05, 1.0), st.integers(0, 99))
def test_sampled_depends_only_on_row_and_seed(
    rows: tuple[int, list[bool], list[int]], p: float, seed: int
) -> None:
    n, _, cuts = rows
    policy = Sampled(p, seed=seed)
    events = write(policy, block_of(n), cuts)
    assert events == write(policy, block_of(n), [])
    learned = [row for op, row in events if op == "L"]
    assert events == [
        e for i in range(n) for e in [("P", i), ("L", i)] if e[0] == "P" or i in learned
    ]


def test_sampled_reveals_each_label_independently_with_probability_p() -> None:
    n, p = 200_000, 0.3
    block = block_of(n)
    chosen = Sampled(p, score="all").timetable(block).weight
    assert set(chosen) == {0.0, 1.0}
    assert abs(chosen.mean() - p) < 4 * np.sqrt(p * (1 - p) / n)
    revealed = Sampled(p).timetable(block).revealed
    np.testing.assert_array_equal(revealed != NEVER, chosen == 1)
    both = (chosen[1:] * chosen[:-1]).mean()
    assert abs(both - p * p) < 4 * np.sqrt(p * p / n)


@given(cut_rows(), st.floats(0.05, 1.0), st.integers(1, 9))
def test_drawn_labels_come_when_the_other_policy_says(
    rows: tuple[int, list[bool], list[int]], p: float, delay: int
) -> None:
    n, known, cuts = rows
    block = block_of(n, known)
    drawn = {row for op, row in write(Sampled(p), block_of(n), []) if op == "L"}
    late = write(Sampled(p, labels=sg.Delay(delay)), block, cuts)
    delayed = write(sg.Delay(delay), block, [])
    assert late == [event for event in delayed if event[0] == "P" or event[1] in drawn]


@pytest.mark.parametrize(
    "policy",
    [
        Sampled(0.3),
        Sampled(0.3, "all", labels=sg.Delay(9)),
        Sampled(0.3, labels=sg.FromStream(timeout=20)),
        Sampled(0.3, labels=sg.RandomDelay("poisson(5)")),
    ],
    ids=repr,
)
def test_keeps_every_promise_of_a_label_policy(policy: Sampled) -> None:
    check_label_policy(policy)
    assert build(repr(policy), "label policy") == policy


def test_draw_does_not_depend_on_random_waits_with_the_same_seed() -> None:
    block = block_of(20_000)
    policy = Sampled(0.2, seed=3, labels=sg.RandomDelay("uniform(1, 100)", seed=3))
    waits = policy.timetable(block).revealed - np.arange(20_000)
    drawn = policy.timetable(block).revealed != NEVER
    assert abs(waits[drawn].mean() - 50.5) < 4 * 29 / np.sqrt(drawn.sum())


def test_without_a_seed_the_runs_seed_decides() -> None:
    stream = sg.SEA(300, seed=1)

    def run(policy: Sampled, seed: int) -> sg.Run:
        return sg.evaluate(stream, sg.NaiveBayes(), labels=policy, seed=seed)

    free, fixed = Sampled(0.5), Sampled(0.5, seed=5)
    assert run(free, 5).settings.labels == "Sampled(0.5, seed=5)"
    assert run(free, 5).predictions["row"].equals(run(fixed, 9).predictions["row"])
    assert not run(free, 6).predictions["row"].equals(run(free, 5).predictions["row"])
    assert run(free, 5).id == run(fixed, 5).id != run(free, 6).id


def test_draw_does_not_depend_on_a_gradual_drift_with_the_same_seed() -> None:
    concepts = [sg.from_arrays(np.full((4000, 1), code), np.arange(4000) % 2) for code in (0, 1)]
    drifting = sg.splice(concepts, at=[2000], width=4000, n=4000, seed=1)
    new = np.concatenate([block.X[:, 0] for block in drifting.blocks(1000)])
    drawn = Sampled(0.5, seed=1).timetable(block_of(4000)).revealed != NEVER
    middle = slice(1500, 2500)
    assert abs(np.corrcoef(new[middle], drawn[middle])[0, 1]) < 4 / np.sqrt(1000)


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        ({"p": 0.0}, r"Sampled\(0.0\): expected a probability, 0 < p <= 1"),
        ({"p": "half"}, "expected a probability"),
        ({"p": 0.5, "score": "some"}, "expected score='revealed' or score='all'"),
        ({"p": 0.5, "seed": -1}, "Sampled: seed=-1; expected an integer, 0 or more"),
        ({"p": 0.5, "seed": "a"}, "Sampled: seed='a'; expected an integer"),
        ({"p": 0.5, "labels": 100}, r"Sampled\(labels=100\): expected the label policy"),
        ({"p": 0.5, "labels": Sampled(0.5)}, "expected the label policy of the labels drawn"),
    ],
)
def test_invalid_options_are_refused(wrong: dict[str, Any], match: str) -> None:
    with pytest.raises(UsageError, match=match):
        Sampled(**wrong)
