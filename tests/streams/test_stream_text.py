"""Streams from text."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.streams.stream_text import parse_stream
from tests.experiments.stores import grid


def test_generators_without_a_seed_get_distinct_seeds() -> None:
    text = "splice([SEA(50), SEA(50, variant=2)], at=[50])"
    first, again, other = (parse_stream(text, seed) for seed in (1, 1, 2))
    blocks = [next(s.blocks(100)).X for s in (first, again, other)]
    assert np.array_equal(blocks[0], blocks[1])
    assert not np.array_equal(blocks[0], blocks[2])
    assert not np.array_equal(blocks[0][:50], blocks[0][50:])  # each concept has its own seed
    assert parse_stream("SEA(50)", 3).name == "SEA(50, seed=3)"
    assert parse_stream("SEA(50, 9)", 3).name == parse_stream("SEA(50, seed=9)", 4).name
    fixed = [{"generate": "SEA(99, seed=5)"}]
    for learner, cells in (("NaiveBayes()", 1), ("LeveragingBagging()", 2)):  # it gets the seed
        made = grid(streams=fixed, learners=[learner]).cells
        assert len({cell.id for cell in made}) == len(made) == cells


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("SAE(100)", "unknown name 'SAE' (did you mean 'SEA'?)"),
        ("SEA(0)", "SEA(0): expected at least one row"),
        ("SEA(", "is not a stream: "),
        ("SEA(100, nois=1)", "SEA has no parameter 'nois' (did you mean 'noise'?)"),
        ("open('x')", "unknown name 'open'"),
        ("os.system('true')", "unknown name 'os.system'"),
        ("SEA((lambda: 100)())", "is not a stream: "),
        ("NaiveBayes()", "unknown name 'NaiveBayes'"),
    ],
)
def test_text_is_never_evaluated(text: str, complaint: str) -> None:
    with pytest.raises(sg.UsageError) as caught:
        parse_stream(text, 1)
    assert complaint in str(caught.value)
