"""What streams are made from, and what follows: texts, titles, seeds."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.experiments.grid import entry_of
from streamgauge.streams.origin import Origin
from streamgauge.streams.stream_text import parse_stream

SEEDS = st.none() | st.integers(0, 99)


@st.composite
def sources(draw: st.DrawFn) -> sg.Stream:
    seed: Any = draw(SEEDS)
    kind = draw(st.sampled_from(["SEA", "Sine1", "tenet", "splice"]))
    if kind == "tenet":
        name = draw(st.sampled_from(["SEA", "Hyperplane"]))
        return sg.tenet_streams("gradual", rows=80, seed=seed)[name]
    if kind == "splice":
        concepts = [sg.SEA(60, seed), sg.SEA(60, draw(SEEDS), variant=2)]
        return sg.splice(concepts, at=[40], n=80, seed=draw(SEEDS))
    if kind == "SEA":
        return sg.SEA(80, seed, noise=draw(st.sampled_from([0.0, 0.1])))
    return sg.Sine1(80, seed, reverse=draw(st.booleans()))


@st.composite
def streams(draw: st.DrawFn) -> sg.Stream:
    stream = draw(sources())
    for step in draw(st.lists(st.sampled_from(["take", "skip", "select", "inject", "shuffle"]))):
        rows = stream.rows or 2
        if step == "take":
            stream = stream.take(draw(st.integers(1, rows)))
        elif step == "skip":
            stream = stream.skip(draw(st.integers(0, rows - 1)))
        elif step == "select":
            stream = stream.select(stream.schema.features[:2])
        elif step == "inject":
            stream = sg.inject(stream, order=2)
        else:
            verb = draw(st.sampled_from([sg.shuffled, sg.shuffled_within_class]))
            stream = verb(stream, seed=draw(SEEDS))
    return stream


def rows_of(stream: sg.Stream) -> Any:
    blocks = list(stream.blocks(7))
    return [[*map(np.ndarray.tolist, (block.X, block.y))] for block in blocks]


@given(streams(), st.integers(0, 9))
def test_text_of_an_origin_makes_the_same_stream(stream: sg.Stream, seed: int) -> None:
    again = parse_stream(stream.origin.text, None)
    assert again.origin == stream.origin
    assert rows_of(again) == rows_of(stream)
    assert rows_of(again.seeded(seed)) == rows_of(stream.seeded(seed))
    assert again.seeded(seed).fingerprint() == stream.seeded(seed).fingerprint()


@given(streams())
def test_stream_without_seeds_is_read_as_a_run_reads_it_by_default(stream: sg.Stream) -> None:
    bound = stream.seeded(1)
    assert rows_of(bound) == rows_of(stream)
    assert bound.fingerprint() == stream.fingerprint()
    assert bound.seeded(2) is bound  # every seed is given now
    assert bound.origin.unseeded == stream.origin.unseeded


@given(streams())
def test_origin_survives_json(stream: sg.Stream) -> None:
    written = json.dumps(asdict(stream.origin))
    assert msgspec.json.decode(written, type=Origin) == stream.origin


@pytest.mark.parametrize("seed", [1, 5])
def test_generator_without_a_seed_takes_that_of_the_run_as_object_and_as_text(seed: int) -> None:
    text = "splice([SEA(300), SEA(300, variant=2)], at=[200], width=9)"
    drifting = sg.splice([sg.SEA(300), sg.SEA(300, variant=2)], at=[200], width=9)
    for one, other in (("SEA(300)", sg.SEA(300)), (text, drifting)):
        first, second = (sg.evaluate(each, "NaiveBayes", seed=seed) for each in (one, other))
        assert first.id == second.id
        assert first.stream == second.stream
    tenets = ("tenet:SEA", sg.tenet_streams()["SEA"])
    first, second = (sg.evaluate(each, "Majority", seed=seed) for each in tenets)
    assert first.id == second.id


def test_runs_store_the_origin_with_the_seeds_that_were_drawn(tmp_path: Path) -> None:
    run = sg.evaluate(sg.inject(sg.SEA(300), order=2), "NaiveBayes", seed=4, save=tmp_path)
    assert run.stream.origin.text == "inject(SEA(300, seed=4), order=2)"
    assert run.path is not None
    assert sg.open_run(run.path).stream == run.stream


def test_files_and_data_sets_say_where_they_are_from(tmp_path: Path) -> None:
    (tmp_path / "covtype.csv").write_text("a,y\n" + "1,x\n2,z\n" * 20)
    stream = sg.read(tmp_path / "covtype.csv", nominal=["a"])
    assert stream.origin.title == "covtype"
    assert stream.origin.arguments == {
        "path": str(tmp_path / "covtype.csv"), "target": "y", "nominal": ["a"],
    }  # fmt: skip
    again = parse_stream(stream.origin.text, 1)
    assert again.fingerprint() == stream.fingerprint()


def test_own_file_called_like_a_data_set_is_read_and_nothing_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("streamgauge.streams.datasets.catalog.find_dataset", pytest.fail)
    (tmp_path / "covtype.csv").write_text("a,y\n" + "1,x\n2,z\n" * 20)
    entry = entry_of(sg.read(tmp_path / "covtype.csv"))
    expected = {"read": str((tmp_path / "covtype.csv").resolve()), "name": "covtype", "target": "y"}
    assert entry == expected


def test_rows_that_only_this_process_has_cannot_be_repeated() -> None:
    arrays = sg.from_arrays([[0.0]] * 4, list("abab"), name="mine")
    assert arrays.origin == Origin("memory", {"name": "mine"})
    assert not sg.inject(arrays, order=2).take(3).origin.is_repeatable
    assert not sg.SEA(9).map(lambda X, y: (X, y)).origin.is_repeatable
    assert sg.SEA(9).take(3).origin.is_repeatable


def test_generator_of_ones_own_is_not_taken_for_a_registered_one() -> None:
    class SEA(sg.SEA):
        pass

    assert SEA(9, seed=1).origin.maker == "memory"
    assert len({each.origin for each in (SEA(9, seed=1), sg.SEA(9, seed=1))}) == 2


def test_generator_whose_seed_has_a_number_as_default_is_refused_by_name() -> None:
    with pytest.raises(sg.UsageError, match=r"Fixed: the default of seed is 0.*expected None"):

        class Fixed(sg.SEA):
            def __init__(self, n: int, seed: int = 0) -> None:
                raise AssertionError


def test_short_title_leaves_out_seeds_and_positions() -> None:
    concepts = [sg.SEA(500, seed=1), sg.SEA(500, seed=2, variant=3)]
    stream = sg.inject(sg.splice(concepts, at=[250], width=50, seed=4), order=2)
    assert stream.origin.short == "inject(SEA(500) → SEA(500, variant=3), order=2)"
    assert stream.summary().title == stream.origin.short
    assert stream.name in stream.describe()
    assert sg.SEA(500, seed=2).summary().title == "SEA(500, seed=2)"
