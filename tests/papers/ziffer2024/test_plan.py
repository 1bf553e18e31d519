"""Profiles and experiments of ziffer2024."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from streamgauge.papers.ziffer2024.plan import LEARNERS, PARTS, PROFILES, check_parts, grids
from tests.papers.ziffer2024.miniature import STAND_INS


def test_full_profile_is_the_paper() -> None:
    full = PROFILES["full"]
    assert (full.rows, full.seeds, full.runs, full.orders) == (100_000, 10, 20, tuple(range(15)))
    assert len(full.keys(True) + full.keys(False)) == 28
    assert full.learners is LEARNERS
    made = grids(replace(full, learners=STAND_INS, seeds=1, runs=1, rows=1000, real=()), PARTS)
    assert {name: len(grid.cells) for name, grid in made.items()} == {
        "table2": 28 * 7,
        "fig3": 28 * 2 * 15,
    }


def test_missing_packages_and_data_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setenv("STREAMGAUGE_DATA", "/nowhere")
    monkeypatch.setenv("STREAMGAUGE_CACHE", "/nowhere")
    few = replace(PROFILES["quick"], real=("Rialto",))
    profile, remarks = few.without_missing(PARTS)
    assert "cLSTM" not in profile.learners
    assert profile.real == ()
    assert "cLSTM was left out: torch is needed here but not installed" in remarks[0]
    assert remarks[1].startswith("Rialto was left out: ")
    assert few.without_missing(["fig4"])[1] == remarks[:1]  # fig4 needs no Rialto


def test_parts_are_in_the_order_of_the_paper() -> None:
    assert check_parts(["fig5", "table1"]) == ("table1", "fig5")
    assert check_parts([]) == PARTS
