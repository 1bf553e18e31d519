"""The echo-state network: the battery, its readout, what it learns, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.learners.base import remedy_for
from streamgauge.learners.neural.esn import _accumulate, _scale_weights, _solve
from streamgauge.learners.parsing import parse_learner
from streamgauge.testing import check_learner, example_stream
from tests.streams.tables import whole


def small(**more: Any) -> sg.ESN:
    return sg.ESN(**{"hidden_size": 12, "window_size": 4, "batch_size": 8, **more})


@pytest.mark.long
def test_the_battery() -> None:
    assert check_learner(small(), example_stream(120)) == []


def test_readout_is_a_faded_ridge_regression() -> None:
    random = np.random.default_rng(1)
    states, y = random.normal(size=(40, 6)), random.integers(0, 3, 40).astype(np.int32)
    weight = random.uniform(0.5, 2, 40)
    products, wanted = np.zeros((6, 6)), np.zeros((6, 3))
    _accumulate(states[:20], y[:20], weight[:20], 1.0, products, wanted)
    _accumulate(states[20:], y[20:], weight[20:], 0.5, products, wanted)
    solution = wanted.copy()
    _solve(products, 0.3, solution)
    faded = weight * np.repeat([0.5, 1.0], 20)
    gram = (states * faded[:, None]).T @ states + 0.3 * np.eye(6)
    expected = np.linalg.solve(gram, (states * faded[:, None]).T @ np.eye(3)[y])
    np.testing.assert_allclose(solution, expected, rtol=1e-9)


def test_recurrent_weights_have_the_spectral_radius() -> None:
    random = np.random.default_rng(1)
    sources = np.stack([random.permutation(60)[:10] for _ in range(60)]).astype(np.int32)
    weights = random.uniform(-1, 1, (60, 10))
    _scale_weights(weights, sources, 0.8)
    full = np.zeros((60, 60))
    np.put_along_axis(full, sources.astype(np.int64), weights, axis=1)
    # A real matrix may have two complex eigenvalues of one size: the growth is then an average.
    assert np.abs(np.linalg.eigvals(full)).max() == pytest.approx(0.8, rel=0.02)


def test_it_learns_what_single_rows_do_not_show() -> None:
    stream = sg.inject(sg.Sine1(4000, seed=1), 2)
    network, tree = sg.evaluate(stream, [sg.ESN(), sg.HoeffdingTree()])
    assert network.summary["kappa"] > tree.summary["kappa"] + 0.1
    assert network.summary["kappa_temporal"] > 0.1


def test_predictions_do_not_depend_on_other_rows_of_the_call() -> None:
    learner, stream = small(), sg.Sine1(200, seed=1)
    block = whole(stream)
    X = np.concatenate([np.full((3, 2), np.nan), block.X])
    rows = np.stack([X[i : i + 4] for i in range(200)])
    learner.start(stream.schema, 1)
    assert np.isnan(learner.predict(rows[:5])).all()
    learner.learn(rows[:40], block.y[:40], np.ones(40))
    together = learner.predict(rows)
    np.testing.assert_allclose(together.sum(axis=1), 1, atol=1e-12)
    alone = np.concatenate([learner.predict(rows[i : i + 1]) for i in range(200)])
    np.testing.assert_array_equal(together, alone)


def test_by_text() -> None:
    learner = parse_learner("ESN(hidden_size=20, fading=0.99)")
    assert repr(learner) == "ESN(hidden_size=20, fading=0.99)"
    assert (learner.context, learner.period) == (10, 128)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"hidden_size": 0}, r"ESN\(hidden_size=0\): expected 1 or more"),
        ({"window_size": 1.5}, r"ESN\(window_size\)"),
        ({"ridge": 0.0}, "expected a number above 0"),
        ({"spectral_radius": float("inf")}, "expected a number above 0"),
        ({"fading": 1.1}, "expected 0 < fading <= 1"),
    ],
)
def test_invalid_arguments_are_errors(arguments: Any, complaint: str) -> None:
    with pytest.raises(sg.UsageError, match=complaint):
        sg.ESN(**arguments)


def test_its_remedy_is_temporal_correction() -> None:
    assert remedy_for(small()).startswith("try TemporalCorrection(ESN(")
