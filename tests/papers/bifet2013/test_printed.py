"""The printed numbers of bifet2013."""

from __future__ import annotations

import math

from streamgauge.papers.printed import printed


def test_tables_have_the_rows_that_the_paper_has() -> None:
    tables = printed("bifet2013")
    assert list(tables) == ["table1", "table2"]
    published = {name: row[0] for name, row in tables["table1"].rows.items()}
    assert len(published) == 16 + 1
    assert sum(value > published["No-Change classifier"] for value in published.values()) == 6
    assert tables["table2"].value("Ozone", "P(c2|c2)") == 0.11
    assert math.isnan(tables["table2"].value("Airlines", "P(c3)"))
