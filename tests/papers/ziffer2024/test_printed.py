"""The printed tables are transcribed correctly."""

from __future__ import annotations

import pytest

from streamgauge.papers.printed import printed
from streamgauge.papers.ziffer2024.plan import NO_CHANGE, PAPERS, PROFILES
from streamgauge.papers.ziffer2024.scores import printed_scores

TABLES = printed("ziffer2024")


@pytest.mark.parametrize("part", ["original", "injected", "overall"])
def test_table_2_gives_its_printed_averages_and_ranks(part: str) -> None:
    full, scores = PROFILES["full"], printed_scores(TABLES["table2"])
    streams = [s for i in (False, True) if part in ("overall", _kind(i)) for s in full.table2(i)]
    means = list(scores.means(streams, [*PAPERS, NO_CHANGE]).values())
    rounded = 0.01  # the overall average is that of two rounded ones
    assert means == pytest.approx(TABLES["table2_averages"].rows[part], abs=rounded)
    ranks = scores.average_ranks(streams, PAPERS)
    assert [ranks[name] for name in PAPERS] == pytest.approx(
        TABLES["table2_ranks"].rows[part], abs=0.006
    )


def test_table_3_gives_its_printed_averages_and_ranks() -> None:
    scores, streams = printed_scores(TABLES["table3"]), list(TABLES["table3"].rows)
    means = list(scores.means(streams, PAPERS).values())
    assert means == pytest.approx(TABLES["table3_averages"].rows["overall"], abs=0.06)
    ranking = scores.ranking(streams, PAPERS)
    assert ranking is not None
    ranks = [ranking.average_ranks[name] for name in PAPERS]
    assert ranks == pytest.approx(TABLES["table3_ranks"].rows["overall"], abs=0.051)
    assert ranking.critical_difference == pytest.approx(2.49, abs=0.005)


def _kind(injected: bool) -> str:
    return "injected" if injected else "original"
