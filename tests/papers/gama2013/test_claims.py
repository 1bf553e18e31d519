"""The claims about delays, judged on delays that are made up."""

from __future__ import annotations

import math

from streamgauge.papers.gama2013.claims import table2_claims, table3_claims
from streamgauge.papers.gama2013.delays import COLUMNS, Column
from streamgauge.papers.gama2013.plan import ratio
from tests.papers.gama2013.synthetic import RUNS, TABLE_2, TABLE_3, as_printed, delays_of


def test_printed_delays_meet_every_claim_of_table_2() -> None:
    found = table2_claims(delays_of(as_printed), TABLE_2)
    assert [claim.word for claim in found] == ["holds"] * 7
    assert found[0].reason == "88 of 88 cells."
    assert found[6].reason == "In 38 of 40 cells."


def test_printed_delays_meet_the_claims_of_table_3_on_speed() -> None:
    found = table3_claims(delays_of(as_printed), TABLE_3)
    assert [claim.word for claim in found] == ["holds"] * 6
    assert found[1].reason.endswith("times as fast, in 47 cells.")
    assert found[3].reason == "In 21 of 23 cells."


def test_one_delay_that_is_off_is_named() -> None:
    def off(column: Column, detector: str) -> list[float]:
        moved = column == ("RandomTree", "NBa") and detector == ratio("Window(5000)")
        return [500.0] * RUNS.seeds if moved else as_printed(column, detector)

    same, _, sooner, *_ = table3_claims(delays_of(off), TABLE_3)
    assert (same.word, sooner.word) == ("does not hold", "does not hold")
    assert same.reason == "47 of 48 cells; off: Window(5000) on RandomTree NBa."


def test_misses_are_a_reason_against_and_compared_with_nothing() -> None:
    def never(column: Column, detector: str) -> list[float]:
        return [math.nan] * RUNS.seeds

    same, others, exception, always, *_ = table2_claims(delays_of(never), TABLE_2)
    assert {same.word, exception.word, always.word} == {"does not hold"}
    assert others.word == "holds"
    assert always.reason.endswith("there at most 4 of 4.")


def test_columns_that_were_not_run_leave_claims_open() -> None:
    delays = delays_of(as_printed, COLUMNS[:2])
    words = [
        claim.word for claim in (*table2_claims(delays, TABLE_2), *table3_claims(delays, TABLE_3))
    ]
    assert words == ["cannot be told"] * 13
