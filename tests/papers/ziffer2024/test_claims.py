"""The claims of ziffer2024, judged on its printed numbers."""

from __future__ import annotations

import numpy as np
import pytest

from streamgauge.papers.ziffer2024.claims import (
    Claim,
    claims_of_fig_3,
    claims_of_ranks,
    claims_of_table_ii,
)
from streamgauge.papers.ziffer2024.figures import fig_5_synthetic
from streamgauge.papers.ziffer2024.plan import PROFILES, synthetic
from streamgauge.papers.ziffer2024.scores import Scores
from tests.papers.ziffer2024.miniature import printed_scores


def test_claims_hold_on_the_printed_numbers() -> None:
    scores, full = printed_scores(), PROFILES["full"]
    claims = claims_of_table_ii(scores, full)
    assert [claim.holds for claim in claims] == [True] * 6 + [None]  # the last one is ours
    ranks = fig_5_synthetic(scores, full).ours
    assert [claim.holds for claim in claims_of_ranks(ranks, None)] == [True, True]
    curves = {
        (name, injected): np.array([30.0, 44, 46, 46.5]) if injected else np.array([80, 80, 79, 70])
        for name in ("HAT", "ARF")
        for injected in (True, False)
    }
    assert all(claim.holds for claim in claims_of_fig_3((0, 1, 2, 14), curves))
    assert claims_of_fig_3((1, 2, 14), curves) == []


@pytest.mark.parametrize(
    ("learner", "kappa", "broken"),
    [("HAT", 60.0, 1), ("SWT ARF", 60.0, 2), ("SWT HAT", 30.0, 2), ("cLSTM", 50.0, 3)],
)
def test_claim_fails_on_other_numbers(learner: str, kappa: float, broken: int) -> None:
    full = PROFILES["full"]
    found = dict(printed_scores()._outcomes)
    for key in full.keys(True):
        cell = synthetic(*key), learner
        found[cell] = [found[cell][0]._replace(kappa=kappa)]
    assert claims_of_table_ii(Scores(found), full)[broken].holds is False


def test_claim_as_text() -> None:
    assert str(Claim("It flies", True, "wings 2")) == "It flies: holds (wings 2)"
    assert str(Claim("It flies", False, "wings 0")) == "It flies: does NOT hold (wings 0)"
    assert str(Claim("It flies", None, "")) == "It flies: not run"
