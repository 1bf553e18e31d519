"""The echo-state network: the battery, what it learns, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import Block
from streamgauge.learners.base import remedy_for
from streamgauge.learners.learner_text import parse_learner
from streamgauge.learners.neural.esn import _scale_weights
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing import check_learner, example_stream
from tests.streams.tables import whole


def small(**more: Any) -> sg.ESN:
    return sg.ESN(**{"hidden_size": 12, "window_size": 4, "batch_size": 8, **more})


@pytest.mark.long
def test_the_battery() -> None:
    assert check_learner(small(), example_stream(120)) == []


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


def test_a_window_of_one_row() -> None:
    run = sg.evaluate(sg.SEA(200, seed=1), small(window_size=1))
    assert run.summary["accuracy"] > 0.8


def nominal(n: int, size: int) -> sg.Stream:
    """Two features of many values, the label in the first."""
    X = np.random.default_rng(1).integers(0, size, (n, 2)).astype(float)
    values = tuple(map(str, range(size)))
    schema = sg.Schema(("a", "b"), (values, values), (0, 1))
    return ArrayStream("nominal", schema, Block(0, X, (X[:, 0] % 2).astype(np.int32)))


def test_nominal_values_cost_as_many_inputs_as_were_seen() -> None:
    stream = nominal(200, 100_000)  # a square of all inputs would take 320 GB
    learner = small()
    run = sg.evaluate(stream, learner)
    assert run.summary["coverage"] > 0.9
    learner = small()
    learner.start(stream.schema, 1)
    before = learner.nbytes
    block = whole(stream)
    learner.learn(np.repeat(block.X[:8, None], 4, axis=1), block.y[:8], np.ones(8))
    assert 0 < learner.nbytes - before < 10_000


def test_values_that_never_occur_change_no_prediction() -> None:
    """Their columns would be 0 in every row: only the draw of the weights depends on them."""
    few, many = small(), small()
    stream = nominal(200, 5)
    few.start(stream.schema, 1)
    many.start(nominal(200, 9).schema, 1)
    # The same weights for the values that occur, and the recurrent layer.
    kept = [*range(5), *range(9, 14), 18]
    few._inputs = np.ascontiguousarray(many._inputs[kept])
    few._sources, few._weights = many._sources, many._weights
    block = whole(stream)
    rows = np.repeat(block.X[:, None], 4, axis=1)
    for learner in (few, many):
        learner.learn(rows, block.y, np.ones(200))
    np.testing.assert_array_equal(few.predict(rows), many.predict(rows))


def test_too_many_inputs_for_the_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("streamgauge._support.free_memory.free_memory", lambda: 10**8)
    stream = nominal(200, 50_000)
    with pytest.raises(sg.UsageError, match=r"100 units × 100,001 inputs take 0.2 GB of memory"):
        sg.ESN().start(stream.schema, 1)
    small().start(stream.schema, 1)


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
