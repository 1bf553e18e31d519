"""Fixtures of several test files."""

from __future__ import annotations

import pytest

import streamgauge as sg
from tests.experiments.stores import grid, write_failure


@pytest.fixture(scope="module")
def partial(tmp_path_factory: pytest.TempPathFactory) -> sg.Results:
    """Eight cells: six complete, one missing, one failed."""
    folder = tmp_path_factory.mktemp("store")
    made = grid()
    sg.run_grid(made, folder, workers=0)
    lost, failed = made.cells[0], made.cells[3]
    for cell in (lost, failed):
        for file in (folder / cell.directory).iterdir():
            file.unlink()
        (folder / cell.directory).rmdir()
    write_failure(folder, failed, "raised", "zero weight\nagain", "trace")
    return sg.results(folder)
