"""The tally of a classifier, with any number of references."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from streamgauge._support.types import Floats
from streamgauge.measures.classification_tally import ClassificationTally
from streamgauge.measures.forgetting import Cumulative, Window
from streamgauge.measures.metric import Metric
from streamgauge.measures.metrics.select import metrics_for
from tests.measures.scored_rows import schema


def accuracy_of(name: str) -> Callable[[Any], Floats]:
    return lambda sums: sums.reference(name)


@pytest.mark.parametrize("count", [0, 1, 3, 4, 7, 8, 12])
def test_accuracy_of_any_number_of_references(count: int) -> None:
    """Accuracies of all references, and pairs of errors, with any number of other counts."""
    random = np.random.default_rng(count)
    n, k = 500, 3
    y = random.integers(0, k, n).astype(np.int32)
    answers = random.integers(-1, k, (1 + count, n)).astype(np.int32)
    names = tuple(f"reference_{r}" for r in range(count))
    metrics = metrics_for(schema(k), ["accuracy", "error_autocorrelation"])
    added = tuple(Metric(name, accuracy_of(name), "rates") for name in names)
    tally = ClassificationTally(k, names, [Cumulative(), Window(60)], n, (*metrics, *added))
    outcome = tally.add(y, answers, None)
    curve = tally.finish()
    right = answers == y
    for r, name in enumerate(names):
        assert curve[name][-1] == right[1 + r].mean()
        assert curve[name, Window(60)][-1] == right[1 + r, -60:].mean()
        assert (((outcome >> (1 + r)) & 1) == right[1 + r]).all()
    wrong = ~right[0]
    pairs = (wrong[1:] & wrong[:-1]).sum() / n
    expected = (pairs - wrong.mean() ** 2) / (wrong.mean() * right[0].mean())
    assert curve["error_autocorrelation"][-1] == pytest.approx(expected, rel=1e-12)
