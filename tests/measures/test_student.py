"""The p-value of Student's t: SciPy's, and the exact ones of one and two degrees of freedom."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import stdtr

from streamgauge.measures._student import two_sided_p


@pytest.mark.parametrize("freedom", [1, 2, 3, 9, 15, 16, 31, 100, 211, 1500, 9999])
def test_p_is_that_of_scipy(freedom: int) -> None:
    t = np.concatenate([[0.0, 1.0], np.linspace(0.01, 35, 97)])
    found = [two_sided_p(each, freedom) for each in t.tolist()]
    np.testing.assert_allclose(found, 2 * stdtr(freedom, -t), rtol=5e-13)
    assert found == [two_sided_p(-each, freedom) for each in t.tolist()]


@pytest.mark.parametrize("t", [1e-9, 1e-6, 0.3, 0.999, 1.0, 1.001, 2.5, 30.0, 1e6])
def test_p_is_exact(t: float) -> None:
    assert two_sided_p(t, 1) == pytest.approx(2 / math.pi * math.atan2(1, t), rel=4e-15)
    root = math.sqrt(2 + t * t)
    assert two_sided_p(t, 2) == pytest.approx(2 / (root * (root + t)), rel=4e-15)


def test_p_at_the_ends() -> None:
    assert two_sided_p(0.0, 7) == 1
    assert two_sided_p(math.inf, 7) == two_sided_p(1e200, 7) == 0
    assert math.isnan(two_sided_p(math.nan, 7))
