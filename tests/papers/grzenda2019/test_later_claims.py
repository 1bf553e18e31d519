"""Claims about K, B and regression."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.papers.grzenda2019 import later_claims
from tests.papers.grzenda2019.small import line, made_up


@pytest.fixture(scope="module")
def run() -> sg.Run:
    again = sg.Reevaluate(every=10, bins=2)
    return sg.evaluate(
        "SEA(1500)", sg.Majority(), labels=sg.Delay(100), reevaluate=again, max_labels=1300
    )


def test_effort_of_a_fixed_delay_is_steady(run: sg.Run) -> None:
    """Every row is predicted again nine times; nothing drops at night."""
    related, drops = later_claims.effort_claims(run)
    assert drops.word == "does not hold"
    assert related.statement.startswith("The number of predictions stored")
    stable, about = later_claims.repredictions_claims({10: run})
    assert stable.word == "holds"
    assert about.word == "does not hold"  # fewer than nine
    assert about.reason == f"N_R {run.bins.n_r:.4g}."


def test_bin_numbers_are_compared_at_the_same_place() -> None:
    wave = 60 + 5 * np.sin(np.arange(102) / 6)
    fine = made_up(wave)
    halves, tenths = (
        made_up([0, *wave[1:-1].reshape(bins, -1).mean(axis=1), 0]) for bins in (50, 10)
    )
    near, coarse = later_claims.bin_number_claims({10: tenths, 50: halves, 100: fine})
    assert (near.word, coarse.word) == ("holds", "holds")
    near, _ = later_claims.bin_number_claims({50: made_up(line(0, 1)), 100: fine})
    assert near.word == "does not hold"


def test_regression_claims_need_ortos_runs() -> None:
    scores = {
        "TMean": made_up(line(132.3, 131.8)),
        "FIMTDD": made_up(line(93, 93)),
        "AMRules": made_up(line(86, 82)),
        "ARFReg": made_up(line(60, 55)),
    }
    found = later_claims.regression_claims(scores)
    assert [claim.word for claim in found] == [
        "does not hold", "holds", "cannot be told", "holds", "holds",
    ]  # fmt: skip
    scores["ORTO"] = made_up(line(199, 183))
    assert later_claims.regression_claims(scores)[2].word == "holds"


def test_nothing_can_be_told_without_runs() -> None:
    found = [
        *later_claims.effort_claims(None),
        *later_claims.repredictions_claims({}),
        *later_claims.bin_number_claims({}),
        *later_claims.regression_claims({}),
    ]
    assert {claim.word for claim in found} == {"cannot be told"}
