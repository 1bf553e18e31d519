"""The claims of ziffer2024 about its figures."""

from __future__ import annotations

import numpy as np
import pytest

from streamgauge.papers.claim import PaperClaim
from streamgauge.papers.printed import printed
from streamgauge.papers.ziffer2024 import figure_claims
from streamgauge.papers.ziffer2024.figures import Orders
from streamgauge.papers.ziffer2024.plan import PAPERS, PROFILES
from streamgauge.papers.ziffer2024.scores import Outcome, SeedOutcomes, printed_scores

ORDERS = (0, 1, 2, 4, 14)
SPREAD = np.array([-1.0, 0.0, 1.0, 0.0])


def orders(means: list[float], widen: float) -> Orders:
    widths = 1 + widen * np.arange(len(means))
    return Orders(ORDERS, np.array(means)[:, None] + widths[:, None] * SPREAD)


def words(judged: list[PaperClaim]) -> list[str]:
    return [claim.word for claim in judged]


def test_claims_of_figure_1() -> None:
    turning = {
        (c, label): (0.8 - 0.2 * label, 0.2)[:: 1 - 2 * (c % 2)]
        for c in range(4)
        for label in (0, 1)
    }
    assert words(figure_claims.claims_of_figure1(turning))[0] == "holds"
    staying = dict.fromkeys(turning, (0.8, 0.2))
    assert words(figure_claims.claims_of_figure1(staying)) == ["does not hold"] * 2


def test_gains_are_paired_and_have_intervals() -> None:
    found = orders([30, 40, 46, 47, 48], 0.0)
    assert found.gain(0, 2) == (16.0, 0.0)
    assert found.half_widths == pytest.approx(1.96 * SPREAD.std(ddof=1) / 2)


def test_claims_of_figure_3_hold_on_curves_as_described() -> None:
    injected, original = orders([30, 44, 46, 46.5, 46], 0.1), orders([80, 80, 79, 76, 70], 0.1)
    judged = figure_claims.claims_of_figure3({("HAT", True): injected, ("HAT", False): original})
    assert words(judged) == ["holds"] * 5


def test_claims_of_figure_3_fail_on_other_curves() -> None:
    injected, original = orders([46, 46, 46, 49, 50], -0.1), orders([70, 72, 74, 76, 80], 0.0)
    judged = figure_claims.claims_of_figure3({("HAT", True): injected, ("HAT", False): original})
    assert words(judged) == ["does not hold"] * 5


@pytest.mark.parametrize(
    ("kappa", "temporal", "expected"),
    [
        ((80.0, 45.0), (60.0, -2.0), ["holds", "holds"]),
        ((50.0, 45.0), (20.0, 15.0), ["does not hold", "does not hold"]),
    ],
)
def test_claims_of_figure_4(
    kappa: tuple[float, float], temporal: tuple[float, float], expected: list[str]
) -> None:
    names = {"cLSTM": 0, "SWT HAT": 1, "SWT ARF": 1}
    scores = SeedOutcomes({("s", n): [Outcome(kappa[i], temporal[i])] for n, i in names.items()})
    assert words(figure_claims.claims_of_figure4(scores, "s")) == expected


def test_claims_of_figure_5_on_the_printed_tables() -> None:
    tables, full = printed("ziffer2024"), PROFILES["full"]
    streams = full.table2(False) + full.table2(True)
    ranking = printed_scores(tables["table2"]).ranking(streams, PAPERS)
    assert words(figure_claims.claims_of_synthetic_ranks(ranking)) == ["holds", "holds"]
    real = printed_scores(tables["table3"]).ranking(list(tables["table3"].rows), PAPERS)
    judged = figure_claims.claims_of_real_ranks(real)
    # cLSTM's rank is 2.66 ahead of HAT's, more than the critical difference of 2.49.
    assert words(judged) == ["holds", "does not hold", "holds"]


def test_without_runs_ranks_cannot_be_told() -> None:
    judged = figure_claims.claims_of_synthetic_ranks(None) + figure_claims.claims_of_real_ranks(
        None
    )
    assert {*words(judged)} == {"cannot be told"}
