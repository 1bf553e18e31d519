"""The claims of ziffer2024 about its tables, judged on its printed numbers."""

from __future__ import annotations

import pytest

from streamgauge.papers.claim import PaperClaim
from streamgauge.papers.printed import printed
from streamgauge.papers.ziffer2024 import claims
from streamgauge.papers.ziffer2024.plan import PAPERS, PROFILES
from streamgauge.papers.ziffer2024.scores import Outcome, SeedOutcomes, printed_scores

FULL = PROFILES["full"]
TABLE2 = printed_scores(printed("ziffer2024")["table2"])
TABLE3 = printed_scores(printed("ziffer2024")["table3"])


def changed(learner: str, kappa: float) -> SeedOutcomes:
    """The printed scores, but for one learner on the injected streams."""
    streams = FULL.table2(False) + FULL.table2(True)
    names = list(printed("ziffer2024")["table2"].columns)
    found = {(s, n): [Outcome(TABLE2.mean(s, n))] for s in streams for n in names}
    return SeedOutcomes(found | {(s, learner): [Outcome(kappa)] for s in FULL.table2(True)})


def words(judged: list[PaperClaim]) -> list[str]:
    return [claim.word for claim in judged]


def test_claims_about_the_originals_on_the_printed_numbers() -> None:
    judged = claims.claims_of_originals(TABLE2, FULL)
    assert words(judged) == ["holds", "does not hold", "holds"]
    assert judged[1].reason.startswith("So in 26 of 28 comparisons; not HAT 75.4 against SWT HAT")


def test_claims_about_the_injected_streams_on_the_printed_numbers() -> None:
    judged = claims.claims_of_injected(TABLE2, FULL)
    # The paper prints no kappa-temporal; SWT ARF is above No-Change on Hyperplane alone.
    assert words(judged) == ["holds"] * 4 + ["cannot be told", "holds"]
    assert words(claims.claims_of_drifts(TABLE2, FULL)) == ["holds", "does not hold"]


@pytest.mark.parametrize(
    ("learner", "kappa", "broken"),
    [
        ("No-Change", 53.5, 0),
        ("HAT", 60.0, 1),
        ("SWT HAT", 30.0, 2),
        ("SWT ARF", 60.0, 3),
        ("cLSTM", 50.0, 5),
    ],
)
def test_claim_fails_on_other_numbers(learner: str, kappa: float, broken: int) -> None:
    judged = claims.claims_of_injected(changed(learner, kappa), FULL)
    assert judged[broken].word == "does not hold"


def test_claims_about_real_streams_do_not_hold_by_the_printed_table() -> None:
    streams = list(printed("ziffer2024")["table3"].rows)
    judged = claims.claims_of_table3(TABLE3, streams)
    assert words(judged) == ["does not hold", "does not hold"]


def test_claims_without_runs_cannot_be_told() -> None:
    nothing = SeedOutcomes({})
    judged = [
        *claims.claims_of_originals(nothing, FULL),
        *claims.claims_of_injected(nothing, FULL),
        *claims.claims_of_drifts(nothing, FULL),
        claims.claim_of_temporal(nothing, FULL),
        claims.claim_of_past_features(nothing, FULL),
        *claims.claims_of_table3(nothing, ["Elec2"]),
        *claims.claims_of_cycles(nothing),
    ]
    assert {*words(judged)} == {"cannot be told"}


def test_reason_names_the_printed_numbers_where_they_say_otherwise() -> None:
    ours = changed("No-Change", 53.5)
    judged = claims.judge_both(lambda each: claims.claims_of_injected(each, FULL), ours, TABLE2)
    assert judged[0].word == "does not hold"
    assert judged[0].reason == ("No-Change 53.5. By the printed numbers it holds: No-Change 48.14.")
    assert "By the printed" not in judged[2].reason


def test_kappa_temporal_must_name_the_same_best_learner() -> None:
    streams = FULL.table2(False) + FULL.table2(True)
    five = PAPERS
    same = {(s, n): [Outcome(float(i), float(i))] for s in streams for i, n in enumerate(five)}
    assert claims.claim_of_temporal(SeedOutcomes(same), FULL).word == "holds"
    other = same | {(streams[0], five[0]): [Outcome(0.0, 9.0)]}
    found = claims.claim_of_temporal(SeedOutcomes(other), FULL)
    assert (found.word, found.reason) == ("does not hold", "So on 27 of 28 streams.")
