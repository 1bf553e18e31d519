"""`check_metric`: passes ours, catches metrics that break a rule."""

from __future__ import annotations

import warnings
from itertools import count
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support import registry
from streamgauge.testing import check_metric

CALLS = count()


def changes_sums(s: Any) -> Any:
    s.true += 1
    return s.accuracy


def warns(s: Any) -> Any:
    warnings.warn("careful", stacklevel=2)
    return s.accuracy


def infinite(s: Any) -> Any:
    return np.where(s.n > 10, s.n, np.inf)


@pytest.mark.parametrize("name", registry.own_names("metric"))
def test_our_metrics_pass(name: str) -> None:
    ours = registry.find(name, "metric")
    check_metric(sg.Metric(f"own_{name}", ours.value, ours.needs, ours.undefined))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (changes_sums, "read-only"),
        (lambda s: s.n + next(CALLS), "a second call differs"),
        (lambda s: s.accuracy - s.accuracy.mean(), "depends on the other points"),
        (lambda s: s.n * np.nan, "undefined at every point under Cumulative"),
        (infinite, "infinite; expected NaN where undefined"),
        (warns, "UserWarning: careful"),
        (lambda s: s.n[:1], "expected one number for each"),
    ],
)
def test_broken_metric_is_caught(value: Any, message: str) -> None:
    with pytest.raises((AssertionError, sg.UsageError), match=message):
        check_metric(sg.Metric("broken", value))
