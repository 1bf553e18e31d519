"""Snapshots: one file, written aside and renamed, so that it is always whole.

A text of JSON holds the plain values and says which arrays follow. Arrays are compressed piece by
piece, since most of what waits is alike; a checksum ends the file.
"""

from __future__ import annotations

import json
import os
import warnings
import zlib
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import InputError
from streamgauge._support.file_stamp import open_regular
from streamgauge._support.inside import Inside
from streamgauge.monitoring._state_tree import REMEDY, Arrays

FORMAT = 5  # of the file; fields have names, and versions of their own
_MAGIC = b"streamgauge monitor\n"
_PIECE = 1 << 22
_INTEGER = 8  # bytes of a length
_CHECKSUM = 4
_CODEC = "lz4_raw"


class _Writer:
    """Writes bytes and keeps their checksum."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self.checksum = file, 0

    def put(self, data: Any) -> None:
        self.checksum = zlib.crc32(data, self.checksum)
        self._file.write(data)

    def put_sized(self, data: Any) -> None:
        self.put(len(data).to_bytes(_INTEGER, "little"))
        self.put(data)


def write_snapshot(place: Inside, head: dict[str, Any], tree: Any, arrays: Arrays) -> None:
    """Write a snapshot; a reader sees the old one or the new one, never a part."""
    kinds = [[each.dtype.str, list(each.shape)] for each in arrays]
    text = json.dumps({"format": FORMAT, **head, "tree": tree, "arrays": kinds}).encode()
    aside = place.parent / f"{place.name}.new"
    with aside.open("wb") as file:
        writer = _Writer(file)
        writer.put(_MAGIC)
        writer.put_sized(text)
        for array in arrays:
            flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
            for start in range(0, len(flat), _PIECE):
                writer.put_sized(pa.compress(flat[start : start + _PIECE], _CODEC, asbytes=True))
        file.write(writer.checksum.to_bytes(_CHECKSUM, "little"))
        file.flush()
        os.fsync(file.fileno())
    aside.replace(place)
    folder = os.open(place.parent.path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def write_in_background(
    place: Inside, head: dict[str, Any], tree: Any, arrays: Arrays
) -> int | None:
    """Write a snapshot in a copy of this process, whose memory stays as it is now.

    Returns the process's id, or None where there are no such copies: then nothing was done.
    """
    if not hasattr(os, "fork"):
        return None
    with warnings.catch_warnings():
        # The copy has one thread; it only compresses and writes.
        warnings.simplefilter("ignore", DeprecationWarning)
        process = os.fork()
    if process:
        return process
    code = 1
    try:
        write_snapshot(place, head, tree, arrays)
        code = 0
    finally:
        os._exit(code)


def read_snapshot(path: Path) -> tuple[dict[str, Any], Arrays]:
    """The head of a snapshot, with its tree, and its arrays."""
    _check_whole(path)
    with open_regular(path) as file:
        file.seek(len(_MAGIC))
        head = _head(_sized(file), path)
        return head, [_array(file, *each) for each in head["arrays"]]


def _check_whole(path: Path) -> None:
    left, checksum = path.stat().st_size - _CHECKSUM, 0
    with open_regular(path) as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise _damaged(path)
        file.seek(0)
        while left > 0 and (data := file.read(min(_PIECE, left))):
            checksum = zlib.crc32(data, checksum)
            left -= len(data)
        if checksum != int.from_bytes(file.read(_CHECKSUM), "little"):
            raise _damaged(path)


def _sized(file: BinaryIO) -> bytes:
    return file.read(int.from_bytes(file.read(_INTEGER), "little"))


def _array(file: BinaryIO, kind: str, shape: list[int]) -> Any:
    array = np.empty(shape, np.dtype(kind))
    flat = array.reshape(-1).view(np.uint8)
    for start in range(0, len(flat), _PIECE):
        part = flat[start : start + _PIECE]
        plain = pa.decompress(_sized(file), len(part), _CODEC, asbytes=True)
        part[:] = np.frombuffer(plain, np.uint8)
    return array


def _head(text: bytes, path: Path) -> dict[str, Any]:
    head: dict[str, Any] = json.loads(text)
    if head["format"] != FORMAT:
        raise InputError(
            f"{path}: a snapshot of format {head['format']}, this version of streamgauge reads "
            f"format {FORMAT}; {REMEDY}"
        )
    return head


def _damaged(path: Path) -> InputError:
    return InputError(
        f"{path}: the snapshot is damaged; restore it from a backup, or start again with an empty "
        "state folder: the whole log is then read again"
    )
