"""bench/accuracy.md is what `make accuracy` writes."""

from __future__ import annotations

import pytest
from bench import accuracy

from tests.conftest import real_data


@pytest.mark.long
def test_page_is_up_to_date() -> None:
    for name in ("elec2", "covtype", "bike_hour"):
        real_data(name)
    assert accuracy.page() == accuracy.PAGE.read_text(encoding="utf-8")
