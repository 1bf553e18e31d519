"""Mutated files never end a monitor, and none keeps it from reading the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.monitoring.sources.fuzzing import WAYS, fuzz


@pytest.mark.parametrize(
    "count", [40, pytest.param(10_000, marks=pytest.mark.long)], ids=["few", "many"]
)
@pytest.mark.parametrize(("form", "way"), WAYS)
def test_mutated_files_are_read_or_counted(tmp_path: Path, form: str, way: str, count: int) -> None:
    found = fuzz(tmp_path, form, way, count)
    assert found["files"] == count
    assert found["a line that could not be read"] > count / 10
    assert found["lines"] > count
