"""Claims about classification: what holds, what does not, and what cannot be told."""

from __future__ import annotations

import pytest

from streamgauge.papers.claim import PaperClaim
from streamgauge.papers.grzenda2019 import claims
from streamgauge.papers.grzenda2019.plan import DATA, LEARNERS, SHOWN_BINS
from streamgauge.papers.grzenda2019.scores import BinScores
from streamgauge.papers.grzenda2019.tables import Agreement, agreement, printed_value
from tests.papers.grzenda2019.small import line, made_up


def as_printed(data: str) -> dict[str, BinScores]:
    """Scores that pass through the printed values of the first, the 45th and the final bin."""
    found = {}
    for name in LEARNERS:
        first, late, final = (printed_value("table1", data, b, name) for b in SHOWN_BINS)
        mean = [*line(first, late, 44), *line(late, final, 5)[1:]]
        found[name] = made_up(mean, half=0.5)
    return found


PRINTED = {data: as_printed(data) for data in DATA}
NOTHING: dict[str, dict[str, BinScores]] = {data: {} for data in DATA}


def words_of(found: list[PaperClaim]) -> list[str]:
    return [claim.word for claim in found]


def test_claims_judged_by_the_printed_numbers_themselves() -> None:
    """The final prediction is not best for No-Change and Majority, in the paper's own table."""
    found = claims.table1_claims(PRINTED, agreement(PRINTED))
    assert words_of(found) == ["holds", "does not hold", "holds", "holds"]
    assert "NC on Agrawal" in found[1].reason
    assert "In the printed table it is not highest in 5 of 42" in found[1].reason
    assert words_of(claims.electricity_claims(PRINTED["Electricity"])[:2]) == ["holds"] * 2
    assert words_of(claims.led_claims(PRINTED["LED"])) == ["holds"]
    assert words_of(claims.agrawal_claims(PRINTED["Agrawal"])) == ["holds"]
    assert claims.cover_claims(PRINTED["Cover type"])[0].word == "holds"
    assert claims.airlines_claims(PRINTED["Airlines"])[0].word == "holds"
    assert words_of(claims.hyperplane_claims(PRINTED["Hyperplane"])) == ["does not hold", "holds"]


def test_a_difference_from_the_printed_table_is_found() -> None:
    scores = {**PRINTED, "LED": {**PRINTED["LED"], "HT": made_up(line(59.56, 66.30), 0.5)}}
    first = claims.table1_claims(scores, agreement(scores))[0]
    assert first.word == "does not hold"
    assert first.reason.startswith("Largest difference: ")


@pytest.mark.parametrize(
    "judge_all",
    [
        lambda: claims.table1_claims(NOTHING, Agreement()),
        lambda: claims.hyperplane_claims({}),
        lambda: claims.airlines_claims({}),
        lambda: claims.electricity_claims({}),
        lambda: claims.cover_claims({}),
        lambda: claims.led_claims({}),
        lambda: claims.agrawal_claims({}),
        lambda: claims.agrawal_along_claims({}, {}),
        lambda: [claims.best_when_final("Electricity", {}, (0, 25, 45, 51))],
    ],
)
def test_nothing_can_be_told_without_runs(judge_all: object) -> None:
    assert callable(judge_all)
    assert {*words_of(judge_all())} == {"cannot be told"}


def test_overtaking_close_to_bin_40() -> None:
    scores = {name: made_up(line(50, 55)) for name in LEARNERS}
    scores["NB"] = made_up(line(60, 60))
    scores["ARF"] = scores["kNN"] = made_up(line(40, 65))  # above 60 from bin 41 on
    scores["HAT"] = made_up(line(40, 61))
    assert words_of(claims.cover_claims(scores)) == ["holds", "holds", "holds"]
    scores["HAT"] = made_up(line(59, 70))
    assert words_of(claims.cover_claims(scores)) == ["holds", "does not hold", "does not hold"]
