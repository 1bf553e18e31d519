"""The printed numbers of zliobaite2015."""

from __future__ import annotations

from streamgauge.papers.printed import printed


def test_tables_have_the_rows_that_the_paper_has() -> None:
    tables = printed("zliobaite2015")
    assert list(tables) == ["table3", "table5", "figure5"]
    assert tables["table3"].value("KDD99", "P(T)") == 0.99
    published = {name: row[0] for name, row in tables["table5"].rows.items()}
    assert len(published) == 18 + 1
    assert sum(value > published["Persistent classifier"] for value in published.values()) == 6
