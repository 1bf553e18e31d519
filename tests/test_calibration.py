"""Every claim was simulated, and holds; the page says what was measured."""

from __future__ import annotations

import math

import numpy as np
import pytest
from bench.calibration.__main__ import MODULES, PAGE, cases_of, page, read
from bench.calibration.case import Case, Measured, measure

from streamgauge._support.claims import CLAIMS

MEASURED = read()


@pytest.mark.parametrize("claim", CLAIMS)
def test_every_claim_has_rows_on_the_page(claim: str) -> None:
    rows = [each for each in MEASURED if each.claim == claim]
    assert rows
    assert f"## `{claim}`" in PAGE.read_text(encoding="utf-8")


def test_the_page_is_what_was_measured() -> None:
    assert PAGE.read_text(encoding="utf-8") == "\n".join(page(MEASURED))


def test_the_cases_are_those_that_were_measured() -> None:
    cases = {(case.claim, case.data) for module in MODULES for case in cases_of(module)}
    assert cases == {(each.claim, each.data) for each in MEASURED}


def test_claims_that_were_measured_hold() -> None:
    assert [f"{each.claim}: {each.data}" for each in MEASURED if not each.holds] == []


def test_a_claim_that_is_false_too_often_is_marked() -> None:
    def always(random: np.random.Generator) -> bool:
        return bool(random.random() < 2)

    bad = measure(Case("verdict.better", "x", always, always, trials=50))
    assert (bad.false, bad.power, bad.trials) == (100, 100, 50)
    assert math.isnan(bad.oracle)
    assert not bad.holds
    assert any("**✗**" in line for line in page([bad]))
    assert Measured("verdict.better", "x", 2000, 3.5, 3.6).holds  # by its standard error


@pytest.mark.long
@pytest.mark.parametrize("module", MODULES)
def test_the_short_form_holds(module: str) -> None:
    quick = [case for case in cases_of(module) if case.quick] or cases_of(module)[:10]
    assert [each for each in (measure(case, 300) for case in quick) if not each.holds] == []
