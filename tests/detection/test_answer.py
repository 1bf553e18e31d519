"""The answer of detectors: who beats chance, a line per detector, in lines that fit."""

from __future__ import annotations

import numpy as np

import streamgauge as sg
from tests.widths import LONG, details_fit, fits

DRIFTS = [2_000, 4_500, 7_700]


def card() -> sg.Scorecard:
    quick = [drift + 10 for drift in DRIFTS]
    late = np.random.default_rng(1).integers(0, 10_000, 6).tolist()
    return sg.score_detectors({f"quick {LONG}": quick, "late": sorted(late)}, DRIFTS, 10_000)


def test_detectors_better_than_chance_are_named() -> None:
    found = card()
    outcomes = {name: draws.beaten for name, draws in found.chance.items()}
    assert outcomes == {f"quick {LONG}": True, "late": False}
    text = str(found)
    assert "▲ better than chance: quick" in text
    assert "· no clear difference from chance: late." in text
    assert "3 of 3" in text


def test_details_keep_draws_dummies_and_p() -> None:
    found = card()
    for name, draws in found.chance.items():
        assert f"{draws.mean('mean_wait'):,.0f}" in found.details
        assert name in found.details
    for fact in ("RandomAlarm(", "PeriodicAlarm(", "NeverAlarm()", "95 % range", "MTR", "p < 0.0"):
        assert fact in found.details or fact.replace("<", "=") in found.details


def test_alarms_without_known_drifts() -> None:
    errors = np.random.default_rng(1).random(3_000) < 0.3
    found = sg.detect(errors.astype(float), ["DDM()", "ADWIN()"])
    assert "The true drifts are unknown" in str(found)
    fits(found)
    details_fit(found)


def test_scorecards_fit_the_terminal() -> None:
    fits(card())
    details_fit(card())
