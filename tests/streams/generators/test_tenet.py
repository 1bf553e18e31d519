"""TENET's streams: what they are made of, and Table I of ziffer2024 beside ours."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import Drift
from streamgauge.papers.printed import printed
from streamgauge.streams.generators.tenet import TENET
from streamgauge.testing import check_stream
from tests.streams.tables import whole

FEATURES = {
    "SEA": 3,
    "STAGGER": 3,
    "Sine1": 2,
    "Sine2": 2,
    "Hyperplane": 10,
    "RBF": 10,
    "Agrawal": 9,
}
MOVING = ("Hyperplane", "RBF")
DRIFTS = dict.fromkeys(MOVING, ()) | {"STAGGER": (500, 1000)}  # STAGGER ends as it was before


@pytest.mark.parametrize("drift", ["abrupt", "gradual"])
def test_the_seven(drift: Any) -> None:
    streams = sg.tenet_streams(drift, rows=2000, seed=3)
    assert tuple(streams) == TENET == tuple(FEATURES)
    for name, stream in streams.items():
        assert (stream.rows, len(stream.schema.features)) == (2000, FEATURES[name])
        assert len(stream.schema.classes) == 2
        width = 1 if drift == "abrupt" else 100
        wanted = DRIFTS.get(name, (500, 1000, 1500))
        assert stream.drifts == tuple(Drift(at, width) for at in wanted)
        check_stream(stream)
        assert stream.name == f"tenet:{name}:{drift}(2000, seed=3)"
    identities = {stream.fingerprint() for stream in streams.values()}
    assert len(identities) == len(TENET)


def test_seeds_give_other_rows_and_concepts_share_none() -> None:
    one, other = (sg.tenet_streams(rows=4000, seed=seed)["Sine1"] for seed in (1, 2))
    X = [whole(stream).X for stream in (one, other)]
    assert np.array_equal(whole(sg.tenet_streams(rows=4000, seed=1)["Sine1"]).X, X[0])
    every = np.concatenate(X)
    assert len(np.unique(every, axis=0)) == len(every)


def test_as_in_the_paper_by_default() -> None:
    stream = sg.tenet_streams("gradual")["Agrawal"]
    assert stream.rows == 100_000
    assert stream.drifts == tuple(Drift(at, 5000) for at in (25_000, 50_000, 75_000))


def test_an_abrupt_drift_is_where_it_should_be() -> None:
    block = whole(sg.tenet_streams("abrupt", rows=8000)["Sine1"])
    below = (block.X[:, 0] < np.sin(block.X[:, 1])).astype(np.int32)
    for start in range(0, 8000, 2000):
        part = slice(start + 5, start + 1995)  # a drift is a row wide, give or take
        expected = below[part] if start in (0, 4000) else 1 - below[part]
        assert np.array_equal(block.y[part], expected)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"drift": "sudden"}, "expected 'abrupt' or 'gradual'"),
        ({"rows": 3}, "expected a row for each concept"),
        ({"rows": 2.5}, "tenet_streams: rows"),
        ({"seed": -1}, "seed"),
    ],
)
def test_what_is_refused(arguments: Any, complaint: str) -> None:
    with pytest.raises(sg.UsageError, match=complaint):
        sg.tenet_streams(**arguments)


def test_an_unknown_stream_is_refused() -> None:
    from streamgauge.streams.generators.tenet import tenet_stream

    with pytest.raises(sg.UsageError, match="TENET has no stream 'LED'; expected SEA, STAGGER"):
        tenet_stream("LED")


@pytest.mark.long
def test_class_proportions_and_repeats_are_those_of_table_i() -> None:
    table = printed("ziffer2024")["table1"]
    for drift in ("abrupt", "gradual"):
        for name, stream in sg.tenet_streams(drift).items():
            for order, prefix in ((0, ""), (2, "injected ")):
                y = whole(sg.inject(stream, order)).y
                majority, repeats = np.bincount(y).max() / len(y), (y[1:] == y[:-1]).mean()
                assert majority == pytest.approx(table.value(name, f"{prefix}P(M)"), abs=0.03)
                assert repeats == pytest.approx(table.value(name, f"{prefix}P(T)"), abs=0.03)
