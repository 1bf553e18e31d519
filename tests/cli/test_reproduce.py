"""streamgauge reproduce: the report, printed and in the store, and errors."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from streamgauge.papers.ziffer2024.plan import PROFILES
from tests.cli.running import Shell


def test_table_i_is_printed_and_saved(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PROFILES, "quick", replace(PROFILES["quick"], real=()))
    code, out, err = shell(
        "reproduce", "ziffer2024", "--only", "table1", "--store", "kept", "--learner", "HAT"
    )
    assert (code, err) == (0, "")
    assert out.startswith("ziffer2024, profile quick: 20,000 rows, 1 seed\n\nTable I\n")
    assert "(0.64)" in out
    assert out.endswith("Saved to kept/report-quick\n")
    assert "## Table I" in Path("kept/report-quick/report.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nobody1999"], "unknown paper 'nobody1999'; expected one of ziffer2024"),
        (["ziffer2024", "--profile", "slow"], "expected quick or full"),
        (["ziffer2024", "--only", "fig9"], "not in ziffer2024; expected table1"),
    ],
)
def test_invalid_arguments_are_errors(shell: Shell, arguments: list[str], complaint: str) -> None:
    code, _, err = shell("reproduce", *arguments)
    assert code == 2
    assert complaint in err
