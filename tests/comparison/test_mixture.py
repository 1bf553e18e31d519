"""The mixture of bets: against numerical integration, and at its boundary."""

from __future__ import annotations

import math

import numpy as np
import pytest

from streamgauge.comparison._mixture import boundary, log_mixture
from tests.oracles import comparison as oracle


@pytest.mark.parametrize("v", [0.0, 0.3, 10.0, 300.0])
@pytest.mark.parametrize("rho", [0.2, 20.0])
def test_log_mixture_matches_numerical_integral(v: float, rho: float) -> None:
    for s in (0.0, 1.0, 30.0):
        found = float(log_mixture(np.array([s]), np.array([v]), rho)[0])
        assert found == pytest.approx(math.log(oracle.mixture(s, v, rho)), abs=1e-6)


def test_mixture_reaches_its_level_at_the_boundary() -> None:
    v = np.array([0.0, 1e-3, 1.0, 1e3, 1e6, 1e9])
    for level in (6.0, np.linspace(3.0, 12.0, 6)):
        s = boundary(v, 20.0, level)
        np.testing.assert_allclose(log_mixture(s, v, 20.0), level, atol=1e-4)
        assert (np.diff(s) > 0).all()
