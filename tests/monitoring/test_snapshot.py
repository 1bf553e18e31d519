"""Snapshots: whole or not there, and never of another format."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.inside import Inside
from streamgauge.monitoring import _snapshot
from streamgauge.monitoring._snapshot import read_snapshot, write_in_background, write_snapshot


def test_arrays_of_every_kind_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_snapshot, "_PIECE", 64)
    rng = np.random.default_rng(1)
    arrays = [
        rng.normal(size=(7, 3)), np.empty((0, 4)), rng.integers(0, 9, 100, np.int32),
        np.array([np.nan, np.inf]), np.zeros(1000, np.uint8), rng.normal(size=(5, 4)).T,
    ]  # fmt: skip
    write_snapshot(Inside(tmp_path, "snapshot"), {"name": "x"}, {"a": [1, None]}, arrays)
    head, found = read_snapshot(tmp_path / "snapshot")
    assert head["name"] == "x"
    assert head["tree"] == {"a": [1, None]}
    for one, other in zip(arrays, found, strict=True):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
        assert other.flags.writeable


def test_every_damage_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "snapshot"
    write_snapshot(Inside.of(path), {}, {}, [np.arange(50), np.ones(3)])
    whole = path.read_bytes()
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1
        path.write_bytes(bytes(changed))
        with pytest.raises((sg.InputError, OSError)):
            read_snapshot(path)
    for size in (0, 10, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(sg.InputError, match="damaged"):
            read_snapshot(path)


def test_another_format_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_snapshot, "FORMAT", 99)
    write_snapshot(Inside(tmp_path, "snapshot"), {}, {}, [])
    monkeypatch.undo()
    with pytest.raises(sg.InputError, match="format 99, this version of streamgauge reads"):
        read_snapshot(tmp_path / "snapshot")


def test_the_background_writes_the_state_of_the_moment(tmp_path: Path) -> None:
    import os

    array = np.arange(10)
    process = write_in_background(Inside(tmp_path, "snapshot"), {}, {}, [array])
    assert process is not None
    array[:] = 0
    assert os.waitpid(process, 0)[1] == 0
    _, (found,) = read_snapshot(tmp_path / "snapshot")
    assert found.tolist() == list(range(10))
