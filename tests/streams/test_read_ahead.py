"""Reading ahead: the same blocks and errors, a bounded lead, and a thread that ends."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

import streamgauge as sg
from streamgauge._support.types import Block
from streamgauge.streams import _read_ahead as module
from streamgauge.streams._read_ahead import read_ahead
from streamgauge.testing import check_stream
from tests.streams.chunks import chunks_of

ROWS = 2000
FORMATS = ("t.csv", "t.csv.gz", "quoted.csv", "t.arff", "t.parquet", "t.arrow")


@pytest.fixture(autouse=True)
def _two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "available_cores", lambda: 2)


def block(number: int) -> Block:
    return Block(number, np.full((1, 1), float(number)), np.zeros(1, np.int32))


def reading_threads() -> int:
    return sum("streamgauge-reading" in thread.name for thread in threading.enumerate())


def counted(taken: list[int], stop: int = 1000) -> Generator[Block]:
    for number in range(stop):
        taken.append(number)
        yield block(number)


def test_same_blocks_in_order() -> None:
    assert [b.start for b in read_ahead(counted([], 50))] == list(range(50))
    assert list(read_ahead(counted([], 0))) == []
    assert reading_threads() == 0


def test_one_core_needs_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "available_cores", lambda: 1)
    taken: list[int] = []
    blocks = read_ahead(counted(taken, 5))
    assert [next(blocks).start, next(blocks).start] == [0, 1]
    assert (taken, reading_threads()) == ([0, 1], 0)
    assert len(list(blocks)) == 3


def test_lead_is_bounded() -> None:
    taken: list[int] = []
    blocks = read_ahead(counted(taken))
    for _ in range(10):
        next(blocks)
    deadline = time.monotonic() + 5
    while len(taken) < 10 + module._BLOCKS and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.05)
    assert len(taken) == 10 + module._BLOCKS


def test_large_blocks_are_read_one_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BYTES", 8)  # a block of the test has as many
    taken: list[int] = []
    blocks = read_ahead(counted(taken))
    for _ in range(10):
        next(blocks)
    deadline = time.monotonic() + 5
    while len(taken) < 11 and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.05)
    assert len(taken) == 11


def test_first_block_alone_starts_no_thread() -> None:
    taken: list[int] = []
    blocks = read_ahead(counted(taken))
    next(blocks)
    assert (taken, reading_threads()) == ([0], 0)


def test_blocks_at_hand_need_no_thread() -> None:
    taken: list[int] = []
    blocks = read_ahead(counted(taken, 9), lambda: len(taken) < 4)
    assert [next(blocks).start for _ in range(4)] == [0, 1, 2, 3]
    assert (taken, reading_threads()) == ([0, 1, 2, 3], 0)
    assert [each.start for each in blocks] == [4, 5, 6, 7, 8]
    assert list(read_ahead(counted([], 3), lambda: True))[-1].start == 2


def test_first_pass_uses_the_rows_read_on_opening(tmp_path: Path) -> None:
    path = write(tmp_path, "t.csv")
    os.utime(path, (0, 0))  # the cache skips files that were just written
    stream = sg.read(path, "y")
    threads = [reading_threads() for _ in stream.blocks(300)]
    assert (len(threads), max(threads)) == (7, 0)


def test_error_comes_after_the_blocks_before_it() -> None:
    def failing() -> Generator[Block]:
        yield from counted([], 7)
        raise sg.InputError("row 7 is wrong")

    blocks = read_ahead(failing())
    assert [next(blocks).start for _ in range(7)] == list(range(7))
    with pytest.raises(sg.InputError, match="row 7 is wrong"):
        next(blocks)
    assert reading_threads() == 0


def test_abandoned_iteration_ends_thread_and_source() -> None:
    closed = []

    def source() -> Generator[Block]:
        try:
            yield from counted([])
        finally:
            closed.append(True)

    blocks = read_ahead(source())
    for _ in range(3):
        next(blocks)
    assert reading_threads() == 1
    del blocks
    gc.collect()
    assert (reading_threads(), closed) == (0, [True])


def test_interrupt_while_waiting_ends_the_thread() -> None:
    blocks = read_ahead(counted([]))
    next(blocks)
    next(blocks)
    with pytest.raises(KeyboardInterrupt):
        blocks.throw(KeyboardInterrupt)
    assert reading_threads() == 0


def write(folder: Path, name: str) -> Path:
    path = folder / name
    x = np.arange(ROWS) % 97 / 8
    y = np.where(np.arange(ROWS) % 3, "no", "yes")
    table = pa.table({"a": x, "y": y})
    rows = "".join(f"{a},{b}\n" for a, b in zip(x, y, strict=True))
    if name.endswith(".parquet"):
        pq.write_table(table, path, row_group_size=500)
    elif name.endswith(".arrow"):
        feather.write_feather(table, path, chunksize=500, compression="uncompressed")
    elif name.endswith(".arff"):
        path.write_text("@attribute a numeric\n@attribute y {no,yes}\n@data\n" + rows)
    elif name.endswith(".gz"):
        with pa.output_stream(path, compression="gzip") as file:
            file.write(("a,y\n" + rows).encode())
    else:
        path.write_text("a,y\n" + rows.replace("0.0,yes", '"0.0",yes', 1))
    return path


@pytest.mark.parametrize("name", FORMATS)
@chunks_of(1 << 11)
def test_every_format_reads_ahead_with_the_same_numbers(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("streamgauge.streams.formats.table.BATCH_ROWS", 100)
    stream = sg.read(write(tmp_path, name), "y")
    check_stream(stream)
    threads = set()
    for _ in stream.blocks(300):
        threads.add(reading_threads())
    assert max(threads) == 1
    assert reading_threads() == 0
    ahead = stream.fingerprint(), sg.Stream.fingerprint(stream)
    monkeypatch.setattr("streamgauge.streams.files.read_ahead", lambda blocks, at_hand: blocks)
    assert (stream.fingerprint(), sg.Stream.fingerprint(stream)) == ahead


def test_pass_that_is_open_at_the_end_of_the_process(tmp_path: Path) -> None:
    """The interpreter ends although a pass was left in a global name."""
    path = tmp_path / "t.csv"
    path.write_text("a,y\n" + "0.5,no\n1.5,yes\n" * 200_000)
    code = (
        "import sys, streamgauge as sg\n"
        "blocks = sg.read(sys.argv[1], 'y').blocks(100)\n"
        "for _ in range(1000): next(blocks)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], check=False, capture_output=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, b"")
