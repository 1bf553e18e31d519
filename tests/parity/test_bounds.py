"""Learners that must be near CapyMOA's: within a point on every stream, without bias over them."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.parity.cells import Cells
from bench.parity.contest import Contest
from bench.parity.page import holds, unbiased
from bench.parity.rivals import RIVALS, Rival

from tests.conftest import real_data

pytestmark = pytest.mark.long

NEAR = [rival for rival in RIVALS if rival.built and rival.bound == "near"]
ROWS = 50_000


@pytest.mark.filterwarnings("ignore")  # the peer's own
@pytest.mark.parametrize("rival", [r for r in NEAR if r.name != "KNN"], ids=lambda r: r.name)
def test_within_a_point(rival: Rival, tmp_path: Path) -> None:
    """KNN has a sharper test of its own."""
    real_data("elec2")
    contest = Contest(Cells(tmp_path / "cells.jsonl"), tmp_path, ROWS, few=0)
    rows = contest.rows_of(rival, seeds=5)
    off = {row.stream: (row.ours, row.capymoa) for row in rows if not holds(rival, row)}
    assert not off
    assert len(rows) >= 8, contest.missing
    bias, fine = unbiased(rival, rows)
    assert fine, bias
