"""Snapshots: one file, written aside and renamed, so that it is always whole."""

from __future__ import annotations

import json
import os
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from streamgauge._support.errors import InputError
from streamgauge.monitoring._state_tree import Arrays

FORMAT = 1  # incremented when the state of a monitor changes
_MAGIC = b"streamgauge monitor\n"
_ALIGNED = 64
_PIECE = 1 << 24


def write_snapshot(path: Path, head: dict[str, Any], tree: Any, arrays: Arrays) -> None:
    """Write a snapshot; a reader sees the old one or the new one, never a part."""
    arrays = [np.ascontiguousarray(each) for each in arrays]
    kinds = [[each.dtype.str, list(each.shape)] for each in arrays]
    text = json.dumps({"format": FORMAT, **head, "tree": tree, "arrays": kinds}).encode()
    aside = path.with_suffix(".new")
    checksum = 0
    with aside.open("wb") as file:

        def put(data: Any) -> None:
            nonlocal checksum
            checksum = zlib.crc32(data, checksum)
            file.write(data)

        put(_MAGIC)
        put(len(text).to_bytes(8, "little"))
        put(text)
        for array in arrays:
            put(b"\0" * (-file.tell() % _ALIGNED))
            flat = memoryview(array.reshape(-1).view(np.uint8)) if array.size else memoryview(b"")
            for start in range(0, len(flat), _PIECE):
                put(flat[start : start + _PIECE])
        file.write(checksum.to_bytes(4, "little"))
        file.flush()
        os.fsync(file.fileno())
    os.replace(aside, path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def read_head(path: Path) -> dict[str, Any]:
    """The head of a snapshot, with its tree; an error unless it is one of this version."""
    with path.open("rb") as file:
        return _head(file, path)


def read_snapshot(path: Path) -> tuple[dict[str, Any], Arrays]:
    """The head of a snapshot and its arrays, as writeable copies."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = _head(file, path)
        arrays: Arrays = []
        for kind, shape in head["arrays"]:
            file.seek(-file.tell() % _ALIGNED, os.SEEK_CUR)
            count = int(np.prod(shape, dtype=np.int64))
            array = np.fromfile(file, np.dtype(kind), count)
            if len(array) < count:
                raise _damaged(path)
            arrays.append(array.reshape(shape))
        if file.tell() + 4 != size or _checksum(path, size - 4) != int.from_bytes(
            file.read(4), "little"
        ):
            raise _damaged(path)
    return head, arrays


def _head(file: Any, path: Path) -> dict[str, Any]:
    if file.read(len(_MAGIC)) != _MAGIC:
        raise _damaged(path)
    try:
        head: dict[str, Any] = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    except (ValueError, MemoryError, OverflowError):
        raise _damaged(path) from None
    if head["format"] != FORMAT:
        raise InputError(
            f"{path}: a snapshot of format {head['format']}, this version of streamgauge reads "
            f"format {FORMAT}; go on with the version that wrote it, or start again with an empty "
            "state folder: the whole log is then read again"
        )
    return head


def _checksum(path: Path, size: int) -> int:
    checksum, left = 0, size
    with path.open("rb") as file:
        while left and (data := file.read(min(_PIECE, left))):
            checksum = zlib.crc32(data, checksum)
            left -= len(data)
    return checksum


def _damaged(path: Path) -> InputError:
    return InputError(
        f"{path}: the snapshot is damaged; restore it from a backup, or start again with an empty "
        "state folder: the whole log is then read again"
    )
