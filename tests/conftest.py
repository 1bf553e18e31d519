"""Shared by many tests: Hypothesis settings, and real data where available."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import settings

import streamgauge as sg
from streamgauge.streams.datasets.catalog import dataset_names, find_dataset
from tests.kernels import compile_shared_kernels

os.environ.setdefault("STREAMGAUGE_QUIET", "1")  # a cold cache must not change what tests see
settings.register_profile("short", deadline=None, max_examples=20)
settings.register_profile("thorough", deadline=None, max_examples=200)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "short"))
_COMPILING = Thread(target=compile_shared_kernels)


def pytest_configure(config: pytest.Config) -> None:
    """Compile what each of the parallel workers would compile, while they collect the tests."""
    is_worker = hasattr(config, "workerinput")
    if not is_worker and config.getoption("numprocesses", None):
        _COMPILING.start()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished() -> None:
    """Start no test before the kernels are compiled."""
    _COMPILING.join()


def real_data(name: str) -> Path:
    """A file in STREAMGAUGE_DATA; the test is skipped if the folder or the file is missing."""
    folder = os.environ.get("STREAMGAUGE_DATA")
    if not folder:
        pytest.skip("STREAMGAUGE_DATA is not set: no real data")
    path = Path(folder) / f"{name}.csv.gz"
    if name in dataset_names() and (found := find_dataset(name).locate()).kind == "folder":
        path = found.path
    if not path.exists():
        pytest.skip(f"{name}: not in STREAMGAUGE_DATA")
    return path


@pytest.fixture(scope="session")
def elec2() -> sg.Stream:
    real_data("elec2")
    return sg.load("elec2")


@pytest.fixture
def not_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show progress and messages."""
    monkeypatch.delenv("STREAMGAUGE_QUIET")


@pytest.fixture(scope="session")
def elec2_papers() -> sg.Stream:
    """Elec2 with the papers' five features."""
    real_data("elec2")
    return sg.load("elec2", variant="papers")
