"""Fixtures of stream tests: an empty cache, cards that accept made-up rows, Arrow's memory."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pytest

from streamgauge._support.progress import Progress
from streamgauge.streams import files
from streamgauge.streams.datasets import catalog
from tests.streams.datasets.pip import Pip


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and no other source."""
    monkeypatch.delenv("STREAMGAUGE_DATA", raising=False)
    monkeypatch.setenv("STREAMGAUGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(subprocess, "run", Pip(code=9, stderr="unexpected download"))
    return tmp_path / "cache" / "data"


@pytest.fixture
def arrow_bytes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Bytes that Arrow has allocated after each chunk of a file that is scanned."""
    found: list[int] = []

    class Recording(Progress):
        def advance(self, done: int) -> None:
            found.append(pa.total_allocated_bytes())

    monkeypatch.setattr(files, "Progress", Recording)
    return found


@pytest.fixture
def any_rows(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Removes figures from the catalog's cards, so that made-up rows pass their checks."""
    read_card = catalog.read_card

    def replace(**values: Any) -> None:
        values.setdefault("content_sha256", None)
        monkeypatch.setattr(
            catalog, "read_card", lambda name: msgspec.structs.replace(read_card(name), **values)
        )

    return replace
