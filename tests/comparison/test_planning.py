"""`rows_needed`: as many rows as it says find the effect, as often as it says."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import streamgauge as sg


def compared(rows: int, mean: float, run: int, seed: int) -> sg.Comparison:
    """Two columns of losses, equal in runs of `run` rows."""
    random = np.random.default_rng(seed)
    p = [0.1 - mean / 2, 0.8, 0.1 + mean / 2]
    d = np.repeat(random.choice([-1.0, 0.0, 1.0], rows // run + 1, p=p), run)[:rows]
    pair = sg.compare(np.maximum(d, 0), np.maximum(-d, 0), loss="given", bound=1)
    assert isinstance(pair, sg.Comparison)
    return pair


@pytest.mark.parametrize("run", [1, 20])
def test_as_many_rows_as_said_find_the_effect(run: int) -> None:
    effect = 0.05
    pilot = compared(20_000 * math.isqrt(run), 0.0, run, 1)
    rows = len(pilot) + sg.rows_needed(effect / 4, pilot)
    assert rows > len(pilot)
    # The same effect in fewer rows: both scale with the square of the effect.
    rows = round(rows / 16)
    found = [compared(rows, effect, run, seed).answer == "B" for seed in range(60)]
    assert 0.6 < np.mean(found) < 0.97


def test_a_run_has_enough_rows_for_what_it_shows() -> None:
    run = sg.evaluate(sg.SEA(5000, seed=1), "NaiveBayes")
    strongest = run.verdict.against[0]
    assert sg.rows_needed(0.2, run) == 0
    few, many = sg.rows_needed(0.002, run), sg.rows_needed(0.001, run)
    assert (many + 5000) == pytest.approx(4 * (few + 5000), rel=1e-3)
    assert sg.rows_needed(0.002, run, strongest.reference) == few
    assert sg.rows_needed(-0.002, run) == few
    assert sg.rows_needed(0.002, run, power=0.9) > few


@pytest.mark.parametrize(
    ("effect", "options", "complaint"),
    [
        (0.0, {}, "effect=0.0.*other than 0"),
        (math.inf, {}, "effect=inf"),
        ("x", {}, "effect='x'"),
        (0.01, {"power": 0.2}, "power=0.2.*0.5 or more"),
        (0.01, {"reference": "Persistant"}, "did you mean 'Persistent'"),
    ],
)
def test_bad_arguments_are_named(effect: Any, options: dict[str, Any], complaint: str) -> None:
    run = sg.evaluate(sg.SEA(500, seed=1), "NaiveBayes")
    with pytest.raises(sg.UsageError, match=complaint):
        sg.rows_needed(effect, run, **options)


def test_too_few_rows_show_no_spread() -> None:
    with pytest.raises(sg.UsageError, match="100 rows show no spread"):
        sg.rows_needed(0.01, sg.evaluate(sg.SEA(100, seed=1), "NaiveBayes"))
    with pytest.raises(sg.UsageError, match="expected a run or a comparison"):
        sg.rows_needed(0.01, "run")  # type: ignore[arg-type]
