"""Features that alone predict nearly every label: against the oracle, and as hints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import Block, Floats, Schema
from streamgauge.streams.frames import ArrayStream
from tests.conftest import real_data
from tests.oracles import inspection_claims as oracle


def stream_of(X: Floats, y: list[int]) -> sg.Stream:
    schema = Schema(tuple("abcdefgh"[: X.shape[1]]), ((),) * X.shape[1], ("no", "yes"))
    return ArrayStream("rows", schema, Block(0, X, np.array(y, np.int32)))


def delays(random: np.random.Generator, rows: int, right: float) -> tuple[Floats, list[int]]:
    """Late if the delay, the second feature, is above 15 minutes; some labels are wrong."""
    X = random.normal(size=(rows, 3)) * 30
    y = (X[:, 1] > 15).astype(int)
    wrong = random.random(rows) >= right
    return X, np.where(wrong, 1 - y, y).tolist()


@settings(max_examples=30)
@given(
    st.integers(0, 10_000),
    st.integers(1200, 2600),
    st.sampled_from([0.9, 0.985, 0.995, 1.0]),
    st.sampled_from([0, 1]),
    st.sampled_from([3, 500]),
    st.integers(1, 3000),
)
def test_leaks_match_oracle(
    seed: int, rows: int, right: float, lag: int, digits: int, block_rows: int
) -> None:
    random = np.random.default_rng(seed)
    X, y = delays(random, rows, right)
    X = np.round(X * digits) / digits if digits == 3 else X
    X[random.random(X.shape) < 0.01] = np.nan
    y = np.roll(y, lag).tolist()
    y = np.where(random.random(rows) < 0.02, -1, y).tolist()
    profile = sg.inspect(stream_of(X, y), block_rows=block_rows)
    best = max(profile.references.values())
    expected: dict[str, Any] = {}
    for j, name in enumerate("abc"):
        own = [oracle.leak_accuracy(X[:, j].tolist(), y, 3, 2, each) for each in (0, 1)]
        clear = [
            (found[0], -each)
            for each, found in enumerate(own)
            if found is not None and found[0] >= 0.99 and found[0] - best >= 0.10
        ]
        if clear:
            accuracy, negative = max(clear)
            expected[name] = (-negative, pytest.approx(accuracy, rel=1e-12))
    assert {leak.feature: (leak.lag, leak.accuracy) for leak in profile.leaks} == expected


@pytest.mark.parametrize("lag", [0, 1])
def test_leak_is_hinted_at(lag: int) -> None:
    X, y = delays(np.random.default_rng(1), 4000, 0.998)
    profile = sg.inspect(stream_of(X, np.roll(y, lag).tolist()))
    (leak,) = profile.leaks
    assert (leak.feature, leak.lag, leak.reference) == ("b", lag, "Majority")
    assert leak.above == pytest.approx(leak.accuracy - profile.references["Majority"])
    where = " of the row before" if lag else ""
    assert f"Feature b{where} alone predicts 99." in profile.details
    assert "it may be known only together with the label." in profile.details
    assert profile.to_dict()["leaks"][0]["feature"] == "b"


def test_no_hint_where_a_reference_is_as_good() -> None:
    """Labels that repeat are predicted by any copy of the last one."""
    y = np.repeat(np.arange(40) % 2, 100)
    X = np.column_stack([np.roll(y, 1), y]).astype(float)
    assert sg.inspect(stream_of(X, y.tolist())).leaks == ()


def test_no_hint_from_few_rows_or_below_99_per_cent() -> None:
    random = np.random.default_rng(2)
    assert sg.inspect(stream_of(*delays(random, 1499, 1.0))).leaks == ()
    assert len(sg.inspect(stream_of(*delays(random, 1500, 1.0))).leaks) == 1
    assert sg.inspect(stream_of(*delays(random, 5000, 0.98))).leaks == ()


def test_nominal_feature_leaks() -> None:
    random = np.random.default_rng(3)
    y = random.integers(0, 2, 3000)
    X = (2 * random.integers(0, 4, 3000) + y).astype(float)[:, None]
    schema = Schema(("code",), (tuple("stuvwxyz"),), ("no", "yes"))
    stream = ArrayStream("rows", schema, Block(0, X, y.astype(np.int32)))
    (leak,) = sg.inspect(stream).leaks
    assert (leak.feature, leak.accuracy) == ("code", 1.0)


def test_declared_leaks_are_said_if_the_feature_is_there() -> None:
    real_data("elec2")
    profile = sg.inspect(sg.load("elec2"), 3000)
    how = profile.declared_leaks["nswprice"]
    assert (
        f"Feature nswprice leaks the label, as the data set's card says: {how}." in profile.details
    )
    assert profile.to_dict()["declared_leaks"] == {"nswprice": how}
    papers = sg.inspect(sg.load("elec2", variant="papers"), 3000)
    assert "nswprice" not in papers.stream.schema.features
    assert papers.declared_leaks == {}
    assert "leaks the label" not in papers.details
