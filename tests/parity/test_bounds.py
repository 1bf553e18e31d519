"""Learners that must come near CapyMOA's: within a point on every stream, and unbiased."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.parity.cells import Cells
from bench.parity.comparison import Comparison
from bench.parity.page import holds, unbiased
from bench.parity.peers import PEERS, Peers

from tests.conftest import real_data

pytestmark = pytest.mark.long

NEAR = [peers for peers in PEERS if peers.built and peers.bound == "near"]
ROWS = 50_000


@pytest.mark.filterwarnings("ignore")  # of CapyMOA
@pytest.mark.parametrize("peers", [p for p in NEAR if p.name != "KNN"], ids=lambda p: p.name)
def test_accuracy_is_within_a_point_of_capymoa(peers: Peers, tmp_path: Path) -> None:
    """KNN has a stricter test, see test_knn.py."""
    real_data("elec2")
    comparison = Comparison(Cells(tmp_path / "cells.jsonl"), tmp_path, ROWS, few=0)
    rows = comparison.rows_of(peers, seeds=5)
    off = {row.stream: (row.ours, row.capymoa) for row in rows if not holds(peers, row)}
    assert not off
    assert len(rows) >= 8, comparison.missing
    bias, fine = unbiased(peers, rows)
    assert fine, bias
