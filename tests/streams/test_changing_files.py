"""A file that changes after it was opened, or during a pass, is an error: never other rows."""

from __future__ import annotations

import gzip
import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

import streamgauge as sg
from streamgauge._support import file_stamp
from streamgauge.streams.formats import _text_files
from tests.streams.chunks import chunks_of
from tests.streams.tables import whole

ROWS = 4000


def table(rows: int) -> pa.Table:
    return pa.table({"a": np.arange(rows) + 0.5, "y": [str(i % 2) for i in range(rows)]})


def csv(rows: int) -> bytes:
    return b"a,y\n" + b"".join(f"{i}.5,{i % 2}\n".encode() for i in range(rows))


def arff(rows: int) -> bytes:
    return b"@attribute a numeric\n@attribute y {0,1}\n@data\n" + csv(rows)[4:]


def parquet(rows: int) -> bytes:
    out = io.BytesIO()
    pq.write_table(table(rows), out, row_group_size=500)
    return out.getvalue()


def arrow(rows: int) -> bytes:
    out = io.BytesIO()
    feather.write_feather(table(rows), out, chunksize=500, compression="uncompressed")
    return out.getvalue()


FILES: dict[str, Callable[[int], bytes]] = {
    "t.csv": csv,
    "t.csv.gz": lambda rows: gzip.compress(csv(rows)),
    "quoted.csv": lambda rows: csv(rows).replace(b"0.5", b'"0.5"', 1),
    "t.arff": arff,
    "t.arff.gz": lambda rows: gzip.compress(arff(rows)),
    "t.parquet": parquet,
    "t.arrow": arrow,
}


def remove(path: Path, make: Callable[[int], bytes]) -> None:
    path.unlink()


def shrink(path: Path, make: Callable[[int], bytes]) -> None:
    path.write_bytes(make(ROWS // 2))


def cut(path: Path, make: Callable[[int], bytes]) -> None:
    os.truncate(path, path.stat().st_size // 2)


def grow(path: Path, make: Callable[[int], bytes]) -> None:
    path.write_bytes(make(ROWS * 2))


def replace(path: Path, make: Callable[[int], bytes]) -> None:
    other = path.with_name(f"new-{path.name}")
    other.write_bytes(make(ROWS))
    other.replace(path)


CHANGES = [remove, shrink, cut, grow, replace]


@pytest.fixture(params=[True, False], ids=["cached", "not cached"])
def small_chunks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("streamgauge.streams.formats.table.BATCH_ROWS", 500)
    if request.param:
        monkeypatch.setattr(file_stamp, "_COARSEST_NS", -(10**12))  # as if the file were old
    with chunks_of(2000):
        yield


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("name", FILES)
def test_change_between_passes_and_within_one(tmp_path: Path, name: str) -> None:
    path, make = tmp_path / name, FILES[name]
    for change in CHANGES:
        path.write_bytes(make(ROWS))
        stream = sg.read(path, "y")
        before = whole(stream).X[:, 0]
        blocks = stream.blocks(100)
        seen = [next(blocks).X[:, 0]]
        change(path, make)
        with pytest.raises(sg.InputError, match=rf"{name}: the file (is gone|has changed)"):
            seen += [block.X[:, 0] for block in blocks]
        rows = np.concatenate(seen)
        assert len(rows) < ROWS
        assert np.array_equal(rows, before[: len(rows)])  # what came before is true
        for use in (whole, sg.Stream.fingerprint, lambda s: next(s.blocks(10))):
            with pytest.raises(sg.InputError, match=rf"{name}: the file (is gone|has changed)"):
                use(stream)


def test_change_before_the_first_pass_is_noticed_by_views_and_evaluate(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(csv(100))
    stream = sg.read(path, "y")
    path.write_bytes(csv(50))
    for view in (stream, stream.take(10), stream.skip(3)):
        with pytest.raises(sg.InputError, match=r"t\.csv: the file has changed from"):
            sg.evaluate(view, sg.NaiveBayes())


@chunks_of(500)
def test_log_that_changes_while_it_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.csv"
    path.write_bytes(b"id,t,a,y\n" + b"".join(b"%d,%d,1,\n" % (i, i) for i in range(2000)))
    original = _text_files.text_batches

    def growing(*given: Any, **options: Any) -> Any:
        for batch in original(*given, **options):
            yield batch
            with path.open("ab") as file:
                file.write(b"9999,9999,1,\n")

    monkeypatch.setattr(_text_files, "text_batches", growing)
    with pytest.raises(sg.InputError, match=r"log\.csv: the file has changed"):
        sg.read_events(path, "y", id="id", time="t")
    with pytest.raises(sg.InputError, match=r"log\.csv: the file has changed"):
        sg.score(path, true="y", pred="a")


def test_relative_path_survives_a_change_of_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, make in FILES.items():
        Path(name).write_bytes(make(100))
    streams = [sg.read(name, "y") for name in FILES]
    monkeypatch.chdir("/")
    for stream in streams:
        assert len(whole(stream)) == 100
        assert len(whole(stream)) == 100
        assert stream.fingerprint()


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".parquet", ".arrow", ".arff", ".toml"])
def test_named_pipe_is_refused_in_words(tmp_path: Path, suffix: str) -> None:
    os.mkfifo(tmp_path / f"pipe{suffix}")
    path = tmp_path / f"pipe{suffix}"
    with pytest.raises(sg.StreamgaugeError, match=f"pipe{suffix} is a named pipe; expected a file"):
        sg.evaluate(str(path), sg.NaiveBayes(), target=None if suffix == ".toml" else "y")


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".parquet", ".arrow", ".arff", ".arff.gz"])
def test_empty_files_and_folders(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"x{suffix}"
    path.write_bytes(b"")
    with pytest.raises(sg.InputError, match=rf"x{suffix}: .*; expected"):
        sg.read(path, "y")
    path.unlink()
    path.mkdir()
    with pytest.raises(sg.InputError, match=rf"x{suffix} is a folder; expected a file in it"):
        sg.read(path, "y")
