"""Claims of bifet2013 on constructed scores: each can hold, fail and stay open."""

from __future__ import annotations

import pytest

from streamgauge.papers.bifet2013 import claims
from streamgauge.papers.bifet2013.plan import FULL, judge_variants
from tests.papers.constructed import Constructed, word_of

STREAMS = list(FULL.electricity)
ACCURACY = {"NB": 0.73, "VFDT": 0.78, "HAT": 0.83, "LB": 0.84, "Majority": 0.58, "No-Change": 0.85}


def score(stream: str, learner: str, metric: str) -> float:
    accuracy = ACCURACY.get(learner.removeprefix("SWT ").split()[0], 0.0)
    accuracy = max(accuracy, 0.86) if learner.startswith("SWT") else accuracy
    return accuracy if metric == "accuracy" else (accuracy - 0.85) / 0.15


def test_claims_hold_where_the_paper_is_right() -> None:
    scores = Constructed(score)
    found = [*claims.figure3(scores), *claims.figure4(scores), *claims.figure7(scores, FULL)]
    assert word_of(found, "On Cover κ⁺ of naive Bayes") == "holds"
    assert word_of(found, "On Cover HAT") == "holds"
    assert word_of(found, "Their κ⁺ is still negative") == "holds"
    assert word_of(found, "On Cover κ⁺ of the SWT") == "holds"
    assert word_of(found, "SWT improves") == "holds"
    electricity = claims.figure2(scores, STREAMS)
    assert word_of(electricity, "No-Change performs much better") == "holds"


@pytest.mark.parametrize(("worse", "word"), [(1, "cannot be told"), (2, "does not hold")])
def test_variants_that_disagree_leave_a_claim_open(worse: int, word: str) -> None:
    def leaking(stream: str, learner: str, metric: str) -> float:
        better = stream in STREAMS[:worse] and learner == "VFDT"
        return 0.9 if better else score(stream, learner, metric)

    found = claims.figure2(Constructed(leaking), STREAMS)
    assert word_of(found, "No-Change performs much better") == word


def test_results_that_vary_with_the_order_are_not_stable() -> None:
    def varying(stream: str, learner: str, metric: str) -> float:
        return 0.83 if learner == "HAT 10 past" else 0.86

    def stable(name: str) -> str:
        (claim,) = claims.swept_figure(Constructed(varying), STREAMS, FULL, name)
        return claim.word

    assert (stable("VFDT"), stable("HAT")) == ("holds", "does not hold")


def test_nothing_is_told_without_any_variant() -> None:
    assert judge_variants("s", "c", {}, lambda value: value > 0).word == "cannot be told"
    missing = Constructed(lambda stream, learner, metric: None)
    words = {claim.word for claim in claims.figure6(missing, STREAMS, FULL)}
    assert words == {"cannot be told"}
