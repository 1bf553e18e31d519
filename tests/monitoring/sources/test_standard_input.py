"""Standard input: whole lines, until it ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from streamgauge.monitoring.sources.standard_input import StandardInput


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Writes to our standard input; None closes it."""
    read, write = os.pipe()
    with os.fdopen(read, "r") as file:
        monkeypatch.setattr(sys, "stdin", file)

        def send(text: str | None) -> None:
            if text is None:
                os.close(write)
            else:
                os.write(write, text.encode())

        yield send


def make(repeats: bool = False) -> StandardInput:
    return StandardInput(["id"], Path(), repeats=repeats)


def ids(source: StandardInput) -> list[str] | None:
    piece = source.read()
    return None if piece is None else piece.columns["id"].to_pylist()


def test_a_partial_line_waits_for_its_end(pipe: Callable[[str | None], None]) -> None:
    source = make()
    assert ids(source) is None
    pipe("id\n1\n2")
    assert ids(source) == ["1"]
    pipe("3\n4")
    assert ids(source) == ["23"]
    pipe(None)
    assert ids(source) == ["4"]
    assert source.ended


@pytest.mark.parametrize("repeats", [True, False])
def test_lines_that_are_sent_again_are_skipped(
    pipe: Callable[[str | None], None], repeats: bool
) -> None:
    pipe("id\n1\n2\n")
    first = make()
    assert ids(first) == ["1", "2"]
    second = make(repeats)
    second.seek(first.position)
    pipe("id\n1\n2\n3\n" if repeats else "3\n")
    assert ids(second) == ["3"]
    pipe(None)
