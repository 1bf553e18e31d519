"""The supervisor of a worker process."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from streamgauge._support.compile_message import compile_message
from streamgauge.experiments._supervisor import Supervisor
from streamgauge.experiments._worker import COMPILING, Reply
from tests.experiments.stores import grid


def test_compiling_worker_is_announced_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker's own stderr is not shown."""
    said: list[str] = []
    monkeypatch.setattr(compile_message, "shown", False)
    monkeypatch.setattr(compile_message, "show", said.append)
    process: Any = SimpleNamespace(pid=0, stdin=io.BytesIO())
    for _ in range(2):
        supervisor = Supervisor()
        supervisor._process = process
        for reply in (Reply(COMPILING), Reply("done", "somewhere")):
            supervisor._replies.put(msgspec.json.encode(reply))
        assert supervisor.run(grid().jobs[0], tmp_path) == Reply("done", "somewhere")
    assert said == ["Compiling new kernels (usually 2 to 25 s, kept for later runs) …"]
