"""Claims about many numbers."""

from __future__ import annotations

import math

from streamgauge.papers.claim import CLAIM_MARKS, PaperClaim, claims_overview, judge_each


def is_positive(value: float) -> bool:
    return value > 0


def test_claim_about_many_numbers_holds_if_each_does_and_names_the_ends() -> None:
    claim = judge_each("s", "c", {"A": 2.0, "B": 1.0, "C": 3.0}, is_positive)
    assert (claim.word, claim.reason) == ("holds", "All 3, from 1 (B) to 3 (C).")


def test_numbers_that_fail_are_named() -> None:
    claim = judge_each("s", "c", {"A": 2.0, "B": -1.0, "C": 0.0}, is_positive)
    assert (claim.word, claim.reason) == ("does not hold", "Not 2 of 3: B -1, C 0.")


def test_single_number_is_shown_alone() -> None:
    assert judge_each("s", "c", {"A": -2.0}, is_positive).reason == "A -2."


def test_missing_number_leaves_the_claim_open_even_if_another_fails() -> None:
    claim = judge_each("s", "c", {"A": -2.0, "B": math.nan}, is_positive)
    assert (claim.word, claim.reason) == ("cannot be told", "Not run: B.")
    assert judge_each("s", "c", {}, is_positive).word == "cannot be told"


def test_overview_begins_with_what_fails() -> None:
    made = {word: PaperClaim(f"{word}.", "C.", word, "") for word in reversed(CLAIM_MARKS)}
    sheet = claims_overview([("Table 1", each) for each in made.values()])
    assert [line[0].text for line in sheet.lines] == [
        "✗ does not hold", "? cannot be told", "✓ holds"
    ]  # fmt: skip
    assert [line[1].text for line in sheet.lines] == [
        made[word].statement for word in ("does not hold", "cannot be told", "holds")
    ]
    assert {line[2].text for line in sheet.lines} == {"Table 1"}
