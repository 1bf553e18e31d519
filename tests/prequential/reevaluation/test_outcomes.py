"""Outcomes per bin of the wait, against the literal oracle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.errors import UsageError
from streamgauge._support.types import Codes, Floats
from streamgauge.prequential.reevaluation.reevaluate import Reevaluate
from tests.prequential.reevaluation.cases import Case, K, Toy, cases, expected_outcomes, play


@given(cases(), st.integers(1, 50), st.integers(0, 60))
def test_classes_per_bin_equal_the_oracle(case: Case, every: int, bins: int) -> None:
    ids, outcomes, _ = play(case, Reevaluate(every, bins), False)
    expected = expected_outcomes(case, every, bins, "exact")
    assert ids == [row for row, _ in expected]
    codes = [[-1 if c is None else c for c in each] for _, each in expected]
    assert outcomes == codes


@given(cases(), st.integers(1, 50), st.integers(1, 60))
def test_moa_fork_outcomes_equal_the_oracle(case: Case, every: int, bins: int) -> None:
    ids, outcomes, _ = play(case, Reevaluate(every, bins, compat="moa-fork"), False)
    assert list(zip(ids, outcomes, strict=True)) == expected_outcomes(case, every, bins, "fork")


@given(cases(), st.integers(1, 50), st.integers(1, 60))
def test_moa_fork_outcomes_in_regression_equal_the_oracle(
    case: Case, every: int, bins: int
) -> None:
    ids, outcomes, _ = play(case, Reevaluate(every, bins, compat="moa-fork"), True)
    expected = expected_outcomes(case, every, bins, "fork-newest")
    assert list(zip(ids, outcomes, strict=True)) == expected


class FirstClassAtFirst(Toy):
    """What MOA's version of a learner gives where it has no votes."""

    def predict(self, X: Any) -> Any:
        predicted = super().predict(X)
        if isinstance(X, int):
            return predicted or 0
        predicted[np.isnan(predicted).any(axis=1)] = np.eye(K)[0]
        return predicted


@given(cases(), st.integers(1, 9), st.integers(1, 9))
def test_moa_fork_counts_abstentions_of_a_learner_that_never_abstains_in_moa_as_votes(
    case: Case, every: int, bins: int
) -> None:
    how = Reevaluate(every, bins, compat="moa-fork")
    silent, voting = Toy(), FirstClassAtFirst()
    silent.moa_never_abstains = True  # type: ignore[attr-defined]
    assert play(case, how, False, learner=silent)[:2] == play(case, how, False, learner=voting)[:2]


@given(cases(), st.integers(1, 50), st.integers(0, 60))
def test_means_per_bin_equal_the_oracle(case: Case, every: int, bins: int) -> None:
    ids, outcomes, _ = play(case, Reevaluate(every, bins), True)
    expected = expected_outcomes(case, every, bins, "mean")
    assert ids == [row for row, _ in expected]
    shape = (len(ids), bins + 2)
    ours = np.array(outcomes).reshape(shape)
    theirs = np.array([each for _, each in expected], np.float64).reshape(shape)
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-14)  # targets are up to 1


def longest(values: Codes, shares: Floats) -> float:
    """The dominant class, as a user would write it."""
    assert shares.sum() == pytest.approx(1)
    total = {v: shares[values == v].sum() for v in values}
    most = max(total.values())
    return float(next(v for v in values[::-1] if total[v] == pytest.approx(most, rel=1e-12)))


@given(cases(units=(1, 60)), st.integers(1, 9), st.integers(0, 9))  # shares are doubles
def test_a_function_that_takes_the_dominant_class_equals_the_built_in(
    case: Case, every: int, bins: int
) -> None:
    custom = play(case, Reevaluate(every, bins, aggregate=longest), False)
    built_in = play(case, Reevaluate(every, bins), False)
    assert custom[:2] == built_in[:2]
    means = play(case, Reevaluate(every, bins, aggregate=lambda v, s: float(v[-1])), True)
    assert means[0] == built_in[0]


@pytest.mark.parametrize("wrong", [7, -2, 0.5, np.nan, "x", None])
def test_outcome_that_is_no_class_is_refused(wrong: Any) -> None:
    """Codes are indices of compiled code."""
    with pytest.raises(UsageError, match="returned something else than a class code; expected 0"):
        sg.evaluate(
            sg.SEA(60, seed=1), sg.Majority(), labels=sg.Delay(20),
            reevaluate=Reevaluate(1, 3, aggregate=lambda predictions, durations: wrong),
        )  # fmt: skip
