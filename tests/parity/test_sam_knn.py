"""SAMkNN gives the predictions of CapyMOA's SAMkNN until random numbers come in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bench.parity.runners import as_arff, capymoas, predictions_of

import streamgauge as sg
from tests.conftest import real_data

pytestmark = pytest.mark.long

ROWS = 4000  # fewer than `limit`: nothing is compressed, which is random in MOA and has no seed


@pytest.mark.filterwarnings("ignore")  # of CapyMOA
@pytest.mark.parametrize("name", ["elec2", "covtype", "airlines", "RBF with drift"])
@pytest.mark.parametrize("exact", [False, True])
def test_predictions_equal_capymoas(name: str, exact: bool, tmp_path: Path) -> None:
    if name == "RBF with drift":
        stream: sg.Stream = sg.RandomRBFDrift(ROWS, seed=1, change_speed=0.01)
    else:
        real_data(name)
        stream = sg.load(name).take(ROWS)
    block = next(stream.blocks(ROWS))
    # A class before all others that never occurs: MOA's empty long-term memory predicts it.
    moved = sg.from_arrays(block.X, block.y + 1, classes=range(len(stream.schema.classes) + 1))
    theirs = f"SAMkNN(recalculate_stm_error={exact})"
    expected = capymoas(as_arff(moved, tmp_path), theirs, optimise=False).predictions
    run = sg.evaluate(moved, sg.SAMkNN(recalculate_stm_error=exact))
    got = predictions_of(run, moved)
    different = np.flatnonzero(got[1:] != expected[1:]) + 1  # before any label ours abstains
    assert len(different) == 0, f"first at row {different[0]}, {len(different)} in all"
