"""The tables after zliobaite2015 in the pages are those that bench/zliobaite2015.py prints."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.zliobaite2015 import TABLES

from tests.conftest import real_data

pytestmark = pytest.mark.long

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(
    ("table", "page"), [("false_alarms", "detectors.md"), ("past_labels", "learners.md")]
)
def test_table_is_up_to_date(table: str, page: str) -> None:
    for name in ("elec2", "covtype"):
        real_data(name)
    assert "\n".join(TABLES[table]()) in (DOCS / page).read_text(encoding="utf-8")
