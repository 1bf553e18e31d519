"""Errors of TOML in words: what a key expects, and an example."""

from __future__ import annotations

from pathlib import Path

import pytest

import streamgauge as sg

TOML = 'streams = [{generate = "SEA(200)"}]\nlearners = ["NaiveBayes()"]\n'


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('labels = "Delay(9)"', 'a list, got a text in quotes; e.g. labels = ["Delay(9)"]'),
        ('timeout = "1h"', "timeout: expected a number, got a text in quotes; e.g. timeout = 1.5"),
        ("name = 3", 'name: expected a text in quotes, got an integer; e.g. name = "..."'),
        ("forget = [3]", "forget[0]: expected a text in quotes, got an integer"),
        (f"seeds = [{'9' * 5000}]", "line 3: expected numbers of at most 4,300 digits"),
        ("x = " + "[" * 3000, "bench.toml: lists or tables are nested too deeply"),
    ],
)  # fmt: skip
def test_wrong_types_are_said_in_words(tmp_path: Path, line: str, said: str) -> None:
    spec = tmp_path / "bench.toml"
    spec.write_text(TOML + line)
    with pytest.raises(sg.UsageError) as error:
        sg.Grid.read(spec)
    assert str(error.value).endswith(said)
