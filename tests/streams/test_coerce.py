"""What users have becomes a stream."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import streamgauge as sg
from streamgauge.streams.coerce import as_stream, open_by_text
from tests.messages import usage_error
from tests.streams.tables import whole, write

ROWS = {"a": [1.0, 2.0, 3.0, 4.0], "b": ["u", "v", "u", "v"], "y": ["n", "p", "p", "n"]}


def same(one: sg.Stream, other: sg.Stream) -> bool:
    return one.schema == other.schema and one.fingerprint() == other.fingerprint()


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frame_is_read_with_its_target_given_or_guessed(kind: Any) -> None:
    frame, named = kind(ROWS), sg.from_frame(pa.table(ROWS), "y")
    assert same(as_stream(frame, target="y"), named)
    assert same(as_stream(frame), named)
    assert as_stream(frame, target="b").schema.classes == ("u", "v")
    assert "no column 'z'" in usage_error(as_stream, frame, target="z")


def test_stream_is_returned_unchanged() -> None:
    stream = sg.SEA(10, seed=3)
    assert as_stream(stream) is stream
    assert as_stream(sg.SEA(10), seed=3).name == stream.name
    assert "got SEA, whose target is known; remove target=" in usage_error(
        as_stream, stream, target="y"
    )


def test_path_text_and_name_are_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, elec2: sg.Stream
) -> None:
    monkeypatch.chdir(tmp_path)
    path = write(tmp_path / "x.csv", "a,b,label\n1,2,u\n2,4,v\n3,6,u\n")
    assert same(as_stream("x.csv"), sg.read(path, "label"))
    assert same(as_stream(path, target="b"), sg.read(path, "b"))
    assert as_stream("elec2").fingerprint() == elec2.fingerprint()
    assert as_stream("SEA(50)", seed=4).name == "SEA(50, seed=4)"
    assert as_stream("elec2:papers").name == sg.load("elec2", "papers").name == "elec2:papers"
    assert as_stream("tenet:SEA").name.startswith("tenet:SEA")
    assert as_stream("inject(load('elec2'), order=2)").rows == elec2.rows
    write(tmp_path / "SEA(50)", "a,y\n1,2\n2,4\n")  # a file has precedence
    assert as_stream("SEA(50)").rows == 2


def test_unusable_texts_say_what_to_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert usage_error(as_stream, "SEA") == (
        "SEA is a generator; expected its number of rows: SEA(10000)"
    )
    assert "unknown data set 'elec3' (did you mean 'elec2'?)" in usage_error(as_stream, "elec3")
    assert usage_error(as_stream, "sae").startswith(
        "unknown data set or generator 'sae' (did you mean 'SEA'?); a generator needs its number"
    )
    assert "'SEA(9' is not a stream: " in usage_error(as_stream, "SEA(9")
    assert "got the class SEA; expected an object: SEA(...)" in usage_error(as_stream, sg.SEA)
    assert "write it without quotes: SEA(9)" in usage_error(sg.inject, "SEA(9)", order=2)
    assert "SEA(9) is a generated stream with fixed columns; remove target=" in usage_error(
        as_stream, "SEA(9)", target="y"
    )
    assert "variant= papers: only data sets have variants, and SEA(9) is a gen" in usage_error(
        open_by_text, "SEA(9)", {"target": None}, "papers"
    )
    with pytest.raises(sg.InputError, match=r"no such file: nowhere\.csv"):
        as_stream("nowhere.csv")


def test_target_is_guessed_only_if_one_column_has_a_usual_name(tmp_path: Path) -> None:
    both = write(tmp_path / "both.csv", "y,Class\n1,x\n2,y\n")
    none = write(tmp_path / "none.csv", "a,b\n1,x\n2,y\n")
    for path in (both, none):
        message = usage_error(sg.read, path)
        assert "cannot tell which of its columns is the label: " in message
        assert "name it with target=..., or --target on the command line" in message
    assert "frame: cannot tell which" in usage_error(sg.from_frame, pa.table({"a": [1], "b": [2]}))
    capital = write(tmp_path / "capital.csv", "a,Target\n1,x\n2,y\n")
    assert sg.read(capital).schema.classes == ("x", "y")


@pytest.mark.parametrize(
    "thing",
    [None, 3, [1, 2], [], {"a": 1}, np.zeros((3, 2)), (np.zeros((3, 2)), np.zeros(3)), object()],
)
def test_other_things_are_refused(thing: Any) -> None:
    message = usage_error(as_stream, thing)
    assert f"expected a stream, got {type(thing).__name__}; make one with" in message


def test_pairs_are_read_up_to_the_rows_needed() -> None:
    pairs = [({"a": 1.0}, "n"), ({"a": 2.0}, "p"), ({"a": 3.0}, "n")]
    assert same(as_stream(pairs), sg.from_rows(pairs))
    endless = (({"a": float(i)}, i % 2) for i in count())
    assert as_stream(endless, rows=20).rows == 20


def test_river_data_sets_are_streams() -> None:
    datasets = pytest.importorskip("river.datasets")
    phishing = as_stream(datasets.Phishing())
    assert (phishing.name, phishing.rows, len(phishing.schema.features)) == ("Phishing", 1250, 9)
    assert phishing.schema.classes == (False, True)
    images = as_stream(datasets.ImageSegments())
    assert len(images.schema.classes) == 7
    weights = as_stream(datasets.ChickWeights())  # integers, but a regression target
    assert (weights.rows, weights.schema.regression) == (578, True)
    made = datasets.synth.SEA(seed=1)
    expected = [x for x, _ in made.take(30)]
    assert whole(as_stream(made, rows=30)).X.tolist() == [list(x.values()) for x in expected]
    assert same(as_stream(made.take(30)), as_stream(made, rows=30))
    assert usage_error(as_stream, made) == (
        "SEA has no end; expected a number of rows: SEA(...).take(10_000)"
    )
    assert "SolarFlare has several targets (Multi-output regression)" in usage_error(
        as_stream, datasets.SolarFlare()
    )

    class Remote(datasets.Phishing):  # type: ignore[misc, name-defined]
        def __iter__(self) -> Any:
            raise OSError("no network")

    with pytest.raises(sg.DownloadError, match="River cannot read Remote: no network"):
        as_stream(Remote())
    with pytest.raises(sg.InputError, match=r"'month' has type timestamp.*drop=\['month'\]"):
        as_stream(datasets.AirlinePassengers())
    assert sg.from_rows(datasets.AirlinePassengers(), drop=["month"]).rows == 144


def test_evaluate_and_inspect_take_them() -> None:
    datasets = pytest.importorskip("river.datasets")
    run = sg.evaluate(datasets.Phishing(), "NaiveBayes", labels="Delay(10)")
    assert run.stream.name == "Phishing"
    frame = pd.DataFrame(ROWS)
    assert sg.evaluate(frame, "Majority", target="b").classes == ("u", "v")
    assert sg.inspect(frame, target="b").stream.schema.classes == ("u", "v")
    assert sg.inspect(datasets.synth.SEA(seed=1), rows=100).rows == 100
    assert sg.inspect("SEA(200)").rows == 200
