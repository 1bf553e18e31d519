"""Paths and names that no file can have are errors in words, wherever something is written."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.paths import check_path, exists

HALF = "a\ud800b"  # half of a character


@pytest.mark.parametrize("path", ["a\0b", HALF, f"x/{HALF}/y"])
def test_impossible_path_is_an_error_in_words(path: str) -> None:
    with pytest.raises(sg.UsageError, match="cannot be a path: it has a null character, or one"):
        check_path(path)
    assert not exists(Path(path))


def test_file_names_of_any_bytes_are_paths() -> None:
    assert check_path(os.fsdecode(b"\xff")) == Path("\udcff")
    with pytest.raises(sg.UsageError, match="cannot be a path"):
        check_path("\udcff", utf8=True)


def stream(name: str = "mine") -> sg.Stream:
    return sg.from_arrays(np.arange(40.0)[:, None], np.arange(40) % 2, name=name)


def monitor(**given: object) -> sg.Monitor:
    feed = {"path": "asked.csv", "prediction": "p", "label": "y"}
    return sg.Monitor({"predictions": feed, "classes": ["a"], "join": {"timeout": 9}, **given})


WRITERS: dict[str, Callable[[Path], object]] = {
    "folder of a run": lambda place: sg.evaluate(stream(), "Majority").save(place / HALF),
    "folder of predictions": lambda place: sg.evaluate(stream(), "Majority", save=place / HALF),
    "name of a stream": lambda place: sg.evaluate(stream(HALF), "Majority").save(place),
    "name of a learner": lambda place: sg.evaluate(stream(), {HALF: "Majority"}).save(place),
    "store": lambda place: sg.run_grid(sg.Grid(["SEA(50)"], ["Majority"]), place / HALF, workers=0),
    "bytes of a store": lambda place: sg.run_grid(
        sg.Grid(["SEA(50)"], ["Majority"]), place / "\udcff", workers=1
    ),
    "bytes of a folder": lambda place: sg.evaluate(stream(), "Majority").save(place / "\udcff"),
    "null in a store": lambda place: sg.run_grid(
        sg.Grid(["SEA(50)"], ["Majority"]), place / "a\0b", workers=0
    ),
    "name of a grid": lambda place: sg.run_grid(
        sg.Grid(["SEA(50)"], ["Majority"], name=HALF), place, workers=0
    ),
    "name in a grid": lambda place: sg.run_grid(
        sg.Grid(["SEA(50)"], {HALF: "Majority"}), place, workers=0
    ),
    "stream in a grid": lambda place: sg.Grid([stream(HALF)], ["Majority"]),
    "state of a monitor": lambda place: monitor(state=HALF),
    "class of a monitor": lambda place: monitor(classes=["a", HALF], state=str(place)).save(),
    "figure": lambda place: sg.evaluate(stream(), "Majority").plot().save(place / f"{HALF}.svg"),
}


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_text_that_cannot_be_written_is_an_error_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[Path], object]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "asked.csv").write_text("id,time,p,y\n")
    with pytest.raises(sg.StreamgaugeError, match=r"cannot be a path|\\ud800b.* not valid Unicode"):
        write(tmp_path)
