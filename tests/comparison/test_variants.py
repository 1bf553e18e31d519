"""Which scores are rows of one table, and which are not."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.comparison.score_table import Score
from streamgauge.comparison.variants import parse_name, tables_of


@pytest.mark.parametrize(
    ("name", "stream", "change", "seed"),
    [
        ("elec2", "elec2", "", ""),
        ("SEA(500, seed=2, noise=0.1)", "SEA(500, noise=0.1)", "", "2"),
        ("SEA(500, 2)", "SEA(500, 2)", "", ""),
        ("RandomRBF(100, model_seed=3)", "RandomRBF(100, model_seed=3)", "", ""),
        ("inject(elec2, order=2)", "elec2", "inject=2", ""),
        ("inject(SEA(1000, 3))", "SEA(1000, 3)", "inject=2", ""),
        ("SEA abrupt inject=4", "SEA abrupt", "inject=4", ""),
        ("two\nlines inject=4", "two\nlines", "inject=4", ""),
        ("shuffled(inject(elec2, order=2), seed=7)", "elec2", "shuffled inject=2", "7"),
        ("shuffled_within_class(elec2, seed=3)", "elec2", "shuffled_within_class", "3"),
        ("drift([A(9, seed=1), B(9, seed=2)], at=[9])", "drift([A(9), B(9)], at=[9])", "", "1 2"),
    ],
)
def test_names_of_streams_are_split(name: str, stream: str, change: str, seed: str) -> None:
    assert parse_name(name) == (stream, change, seed)


def test_names_of_our_own_streams_are_split() -> None:
    sea = sg.SEA(50, seed=3)
    assert parse_name(sg.inject(sea, order=4).name) == ("SEA(50)", "inject=4", "3")
    assert parse_name(sg.shuffled(sea, seed=5).name) == ("SEA(50)", "shuffled", "3 5")


def scores(*places: tuple[str, str]) -> list[Score]:
    return [Score(s, learner, 0.5, labels) for s, labels in places for learner in "AB"]


def test_streams_with_policies_of_their_own_stay_together() -> None:
    tables = tables_of(scores(("x", "Immediate()"), ("y", "FromStream()"), ("z inject=2", "")))
    assert list(tables) == [""]
    assert tables[""].streams == ("x", "y", "z inject=2")


def test_a_second_policy_or_injection_of_a_stream_starts_a_table() -> None:
    tables = tables_of(scores(("x", "I"), ("x", "D"), ("y", "I"), ("y", "D"), ("z", "F")))
    assert {name: table.streams for name, table in tables.items()} == {
        "I": ("x", "y"), "D": ("x", "y"), "F": ("z",),
    }  # fmt: skip
    both = tables_of(scores(("x", "I"), ("x", "D"), ("x inject=2", "I"), ("x inject=2", "D")))
    assert list(both) == [
        "I with original labels", "D with original labels", "I with inject=2", "D with inject=2",
    ]  # fmt: skip


def test_a_learner_without_every_seed_has_no_score() -> None:
    found = [Score("x", learner, 0.1 * int(seed), seed=seed) for seed in "12" for learner in "AB"]
    (table,) = tables_of(found[:-1]).values()
    assert table.scores[0, 0] == pytest.approx(0.15)
    assert np.isnan(table.scores[0, 1])
    assert table.runs is not None
    assert table.runs.tolist() == [[2, 1]]
