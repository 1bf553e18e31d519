"""README: its commands wrote what it shows, and it fits a terminal of 80 columns."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from streamgauge.papers.catalog import paper_keys

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
WORTH = (ROOT / "docs" / "worth.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def command() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "examples" / "readme.py"))


@pytest.mark.parametrize("name", ["README.md", "docs/tasks.md", "docs/worth.md"])
def test_code_blocks_fit_80_columns(name: str) -> None:
    page = (ROOT / name).read_text(encoding="utf-8")
    blocks = re.findall(r"^```.*?\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert all(len(line) <= 80 for block in blocks for line in block.splitlines())


def test_session_is_what_the_demo_prints(
    command: dict[str, Any], elec2: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert command["written"](README) == README


def test_claims_are_those_of_every_paper(command: dict[str, Any]) -> None:
    text = command["claims"]()
    assert text in README
    total, papers, *parts = map(int, re.findall(r"\d+", text))
    assert total == sum(parts)
    assert papers == len(paper_keys())
    assert all(f"](docs/papers/{key}.md)" in README for key in paper_keys())


def test_sentence_counts_the_verdicts_of_the_page() -> None:
    (table,) = re.findall(r"^\| stream \| rows .*\n\|.*\n((?:\|.*\n)+)", WORTH, re.MULTILINE)
    verdicts = [line.rstrip(" |").rpartition("| ")[2] for line in table.splitlines()]
    unbeaten = sum(not verdict.endswith("better") for verdict in verdicts)
    sentence = f"On {unbeaten} of {len(verdicts)} streams, no learner is clearly better"
    assert README.count(sentence) == 1
    for name in ("worth.svg", "worth-dark.svg"):
        assert f"docs/pictures/{name}" in README
        assert sentence in (ROOT / "docs" / "pictures" / name).read_text(encoding="utf-8")
