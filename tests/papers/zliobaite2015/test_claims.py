"""Claims of zliobaite2015 on constructed scores: each can hold, fail and stay open."""

from __future__ import annotations

import pytest

from streamgauge.papers.claim import PaperClaim
from streamgauge.papers.zliobaite2015 import claims
from streamgauge.papers.zliobaite2015.plan import FULL, PROBABILITIES, random_name
from tests.papers.constructed import Constructed, word_of

RISES = {"NB": 0.60, "DDM": 0.60, "Persistent": 0.85} | {
    random_name(p): 0.61 + 0.01 * i for i, p in enumerate(PROBABILITIES)
}


def alarms(changes: dict[tuple[str, str], float | None]) -> list[PaperClaim]:
    """Figure 7's claims: accuracy rises with false alarms, and falls where rows are shuffled."""

    def score(stream: str, learner: str, metric: str) -> float | None:
        value = RISES[learner]
        if stream.endswith("shuffled") and learner.startswith("DDM-random"):
            value = 1.2 - value
        return changes.get((stream, learner), value)

    return claims.figure7(Constructed(score), FULL)


def test_false_alarms_raise_accuracy_where_the_order_is_kept() -> None:
    assert {claim.word for claim in alarms({})} == {"holds"}


@pytest.mark.parametrize(
    ("change", "statement"),
    [
        (("Elec2 temporal", random_name(0.1)), "Elec2, temporal: accuracy rises"),
        (("Cover", random_name(1.0)), "DDM is clearly outperformed"),
        (("Cover shuffled", "DDM"), "On Elec2 shuffled, Cover shuffled"),
    ],
)
def test_claims_on_false_alarms_fail_where_one_number_is_off(
    change: tuple[str, str], statement: str
) -> None:
    assert word_of(alarms({change: 0.5}), statement) == "does not hold"
    assert word_of(alarms({change: None}), statement) == "cannot be told"


def test_alarms_that_beat_persistent_contradict_its_limit() -> None:
    found = alarms({("Elec2", random_name(1.0)): 0.9})
    assert word_of(found, "Persistent is the limit") == "does not hold"


@pytest.mark.parametrize(("accuracy", "word"), [(0.8, "holds"), (0.9, "does not hold")])
def test_persistent_must_be_above_every_classifier(accuracy: float, word: str) -> None:
    def score(stream: str, learner: str, metric: str) -> float:
        return 0.85 if learner == "Persistent" else accuracy if learner == "HAT" else 0.7

    assert word_of(claims.figure2(Constructed(score), FULL), "On the original") == word


def test_augmented_classifiers_must_win_most_cases_against_corrected_ones() -> None:
    def score(stream: str, learner: str, metric: str) -> float:
        return {"TC": 0.84, "TA": 0.85}.get(learner[:2], 0.7)

    found = claims.figure3(Constructed(score), FULL)
    assert word_of(found, "Temporally Augmented performs in most cases") == "holds"
    assert word_of(found, "On Ozone ordinary and new") == "does not hold"

    def tied(stream: str, learner: str, metric: str) -> float:
        return 0.85

    found = claims.figure3(Constructed(tied), FULL)
    assert word_of(found, "Temporally Augmented performs in most cases") == "does not hold"


def test_more_than_two_past_labels_may_gain_half_a_point_and_no_more() -> None:
    def gaining(gain: float) -> list[PaperClaim]:
        def score(stream: str, learner: str, metric: str) -> float:
            base, order = learner.split()
            return 0.8 + {"1": 0, "2": 0.02 if base == "DDM" else 0.01}.get(order, 0.01 + gain)

        return claims.figure6(Constructed(score), FULL)

    assert {claim.word for claim in gaining(0.004)} == {"holds"}
    assert word_of(gaining(0.006), "There is no further improvement") == "does not hold"
