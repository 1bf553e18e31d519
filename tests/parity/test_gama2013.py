"""Tables 2 and 3 of gama2013: docs/gama2013.md matches our runs, and its claims hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.gama2013 import page
from bench.gama2013.claims import claims, distances, led_false_alarms
from bench.gama2013.paper import COLUMNS, TABLE_2, TABLE_3
from bench.gama2013.runs import plain, ratio

PAGE = Path(__file__).parents[2] / "docs" / "gama2013.md"


def test_printed_tables_are_copied_correctly() -> None:
    """A few cells, above all those that are garbled in the paper's text."""
    assert len(TABLE_2) == 11
    assert len(TABLE_3) == 6
    assert str(TABLE_2["Cumulative()"]["Waveform", "nba"]) == "19698±3935"
    assert [column for column in COLUMNS if TABLE_2["Cumulative()"][column].mean is None] == [
        column for column in COLUMNS if column != ("Waveform", "nba")
    ]
    assert str(TABLE_2["Window(5000)"]["LED", "mc"]) == "6419±860"
    assert str(TABLE_3["Window(5000)"]["Waveform", "mc"]) == "662±60 (0;5)"


@pytest.mark.long
def test_page_matches_our_runs_and_all_claims_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    cards, found = page.results()
    away = distances(cards, TABLE_2, plain, ("LED", "RandomTree"))
    assert len(away) == 40
    assert max(away.values()) <= 2
    assert [claim.text for claim in claims(cards, found) if not claim.holds] == []
    for column in COLUMNS:
        assert cards[column][plain("Cumulative()")].runs_with_miss == 10
        assert all(cards[column][plain(name)].false_alarms == 0 for name in TABLE_2)
    first, _ = led_false_alarms(found)
    assert len(first) == 10
    assert 35_600 < first[0] <= first[-1] < 37_000
    assert cards["LED", "nba"][ratio("Fading(0.9994)")].misses == 0
    monkeypatch.setattr(page, "results", lambda: (cards, found))
    assert "\n".join(page.page()) + "\n" == PAGE.read_text(encoding="utf-8")
