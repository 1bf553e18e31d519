"""Parsing the texts of an experiment."""

from __future__ import annotations

import numpy as np

from streamgauge.experiments._parsing import make_stream
from tests.experiments.stores import grid


def test_generators_without_a_seed_get_distinct_seeds() -> None:
    text = "drift([SEA(50), SEA(50, variant=2)], at=[50])"
    first, again, other = (make_stream(text, seed) for seed in (1, 1, 2))
    blocks = [next(s.blocks(100)).X for s in (first, again, other)]
    assert np.array_equal(blocks[0], blocks[1])
    assert not np.array_equal(blocks[0], blocks[2])
    assert not np.array_equal(blocks[0][:50], blocks[0][50:])  # each concept has its own seed
    assert make_stream("SEA(50)", 3).name == "SEA(50, seed=3)"
    assert make_stream("SEA(50, 9)", 3).name == make_stream("SEA(50, seed=9)", 4).name
    fixed = grid(streams=[{"generate": "SEA(99, seed=5)"}], learners=["NaiveBayes()"])
    assert len({cell.id for cell in fixed.cells}) == 2  # the learner still gets the seed
