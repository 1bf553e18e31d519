"""Which scores are rows of one table, and which are not."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.ranking.score_table import LearnerScore
from streamgauge.ranking.variants import tables_of


def score(stream: sg.Stream, learner: str, labels: str = "", seed: str = "") -> LearnerScore:
    return LearnerScore(stream.name, learner, 0.5, labels, seed, origin=stream.origin)


def test_streams_are_told_apart_by_what_they_are_made_from_and_not_by_their_names() -> None:
    plain, other = sg.SEA(50, seed=3), sg.from_arrays([[0.0]] * 4, list("abab"))
    other.name = "inject(SEA(50, seed=3), order=2)"  # a name says nothing
    (table,) = tables_of([score(each, name) for each in (plain, other) for name in "AB"]).values()
    assert table.streams == (plain.name, other.name)
    injected = sg.inject(plain, order=4)
    injected.name = "something else"
    found = tables_of([score(each, name) for each in (plain, injected, other) for name in "AB"])
    assert {name: table.streams for name, table in found.items()} == {
        "original labels": (plain.name, other.name), "inject=4": ("something else",),
    }  # fmt: skip


def test_draws_of_one_stream_are_one_row() -> None:
    draws = [sg.shuffled(sg.SEA(50, seed=seed), seed=5) for seed in (1, 2)]
    (table,) = tables_of([score(each, name) for each in draws for name in "AB"]).values()
    assert table.streams == ("SEA(50)",)
    assert table.runs is not None
    assert table.runs.tolist() == [[2, 2]]


def scores(*places: tuple[str, str]) -> list[LearnerScore]:
    return [LearnerScore(s, learner, 0.5, labels) for s, labels in places for learner in "AB"]


def test_streams_with_policies_of_their_own_stay_together() -> None:
    tables = tables_of(scores(("x", "Immediate()"), ("y", "FromStream()"), ("y inject=2", "")))
    assert list(tables) == [""]
    assert tables[""].streams == ("x", "y", "y inject=2")  # names of a CSV file are not read


def test_a_second_policy_or_injection_of_a_stream_starts_a_table() -> None:
    tables = tables_of(scores(("x", "I"), ("x", "D"), ("y", "I"), ("y", "D"), ("z", "F")))
    assert {name: table.streams for name, table in tables.items()} == {
        "I": ("x", "y"), "D": ("x", "y"), "F": ("z",),
    }  # fmt: skip
    plain = sg.SEA(50, seed=1)
    streams = (plain, sg.inject(plain, order=2))
    both = tables_of([score(s, n, labels) for s in streams for labels in "ID" for n in "AB"])
    assert list(both) == [
        "I with original labels", "D with original labels", "I with inject=2", "D with inject=2",
    ]  # fmt: skip


def test_a_learner_without_every_seed_has_no_score() -> None:
    found = [
        LearnerScore("x", learner, 0.1 * int(seed), seed=seed) for seed in "12" for learner in "AB"
    ]
    (table,) = tables_of(found[:-1]).values()
    assert table.scores[0, 0] == pytest.approx(0.15)
    assert np.isnan(table.scores[0, 1])
    assert table.runs is not None
    assert table.runs.tolist() == [[2, 1]]
