"""streamgauge reproduce: the report, printed and saved, and errors."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from streamgauge.papers.ziffer2024.plan import PROFILES
from tests.cli.running import Shell


def test_report_is_printed_and_saved(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PROFILES, "quick", replace(PROFILES["quick"], real={}, streams=("SEA",)))
    code, out, err = shell("reproduce", "ziffer2024", "--only", "table1", "--output", "z.md")
    assert (code, err) == (0, "")
    assert out.startswith("ziffer2024: Tenet: ")
    assert "0.65 / 0.64" in out
    assert out.endswith("Saved to z.md\n\n")
    assert "## Table I: the streams" in Path("z.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nobody1999"], "unknown paper 'nobody1999'; expected "),
        (["ziffer2024", "--profile", "slow"], "expected quick or full"),
        (["ziffer2024", "--only", "figure9"], "only='figure9': ziffer2024 has no such part"),
        (["all", "--only", "table1"], "--only needs one paper"),
        (["ziffer2024", "--output", "z.docx"], "z.docx: expected a name that ends in .html, .md"),
    ],
)
def test_invalid_arguments_are_errors(shell: Shell, arguments: list[str], complaint: str) -> None:
    code, _, err = shell("reproduce", *arguments)
    assert code == 2
    assert complaint in err
