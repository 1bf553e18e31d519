"""What tests of data sets by name share: an empty cache, and cards whose rows may be made up."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from streamgauge.streams import catalog
from tests.streams.pip import Pip


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and no other source."""
    monkeypatch.delenv("STREAMGAUGE_DATA", raising=False)
    monkeypatch.setenv("STREAMGAUGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(subprocess, "run", Pip(code=9, stderr="nothing was to be fetched"))
    return tmp_path / "cache" / "data"


@pytest.fixture
def any_rows(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes the catalog's cards say less, so that made-up rows pass for theirs."""
    card_of = catalog.card_of

    def say(**values: Any) -> None:
        values.setdefault("content_sha256", None)
        monkeypatch.setattr(
            catalog, "card_of", lambda name: msgspec.structs.replace(card_of(name), **values)
        )

    return say
