"""A folder to which complete files are added; each file is read once, in the order of the names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from streamgauge._support.errors import InputError
from streamgauge.monitoring.sources.base import Piece
from streamgauge.monitoring.sources.growing_file import GrowingFile
from streamgauge.monitoring.sources.lines import PARSERS
from streamgauge.streams.columns import check_columns

FORMATS = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
_UNFINISHED = (".tmp", ".part", ".partial", ".crdownload")
_ROWS = 1 << 16


class Folder:
    """The lines of all files in a folder.

    Files appear under their name when they are complete: write them aside and rename them. Names
    that begin with "." or "_" or end in .tmp or .part are not read. A file that has been read must
    not change.
    """

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self.name = str(path)
        self._path, self._columns = path, columns
        self._done: dict[str, int] = {}  # name → size
        self._current: GrowingFile | _ParquetFile | None = None
        self._current_name = ""
        self.ended = False

    @property
    def position(self) -> dict[str, Any]:
        """The files read, and the position in the current one."""
        current = None if self._current is None else self._current.position
        return {"done": self._done, "file": self._current_name, "position": current}

    def seek(self, position: Mapping[str, Any]) -> None:
        """Go on from an earlier position, if the files read before have kept their sizes."""
        self._done = dict(position["done"])
        for name, size in self._done.items():
            path = self._path / name
            if path.exists() and path.stat().st_size != size:
                raise InputError(
                    f"{path}: the file has {path.stat().st_size:,} bytes, but had {size:,} when it "
                    "was read; files in a folder must be complete: put the old file back and new "
                    "lines into a new file, or start again with an empty state folder"
                )
        if position["position"] is not None:
            self._open(position["file"])
            assert self._current is not None
            self._current.seek(position["position"])

    def read(self) -> Piece | None:
        """The next lines; None if there is no new file."""
        while True:
            if self._current is None:
                name = min(self._new(), default=None)
                if name is None:
                    return None
                self._open(name)
            assert self._current is not None
            piece = self._current.read()
            if piece is not None:
                return piece
            self._current.close()
            self._done[self._current_name] = (self._path / self._current_name).stat().st_size
            self._current = None

    def _new(self) -> list[str]:
        if not self._path.is_dir():
            return []
        return [
            each.name
            for each in self._path.iterdir()
            if each.suffix in FORMATS
            and not each.name.startswith((".", "_"))
            and not each.name.endswith(_UNFINISHED)
            and each.name not in self._done
        ]

    def _open(self, name: str) -> None:
        path, kind = self._path / name, FORMATS[Path(name).suffix]
        self._current_name = name
        if kind == "parquet":
            self._current = _ParquetFile(path, self._columns)
        else:
            parser = PARSERS[kind](self._columns, str(path))
            self._current = GrowingFile(path, parser, whole=True)

    def close(self) -> None:
        """Close the current file."""
        if self._current is not None:
            self._current.close()


class _ParquetFile:
    """The rows of one Parquet file."""

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self._columns = list(columns)
        try:
            self._file = pq.ParquetFile(path)
        except (pa.ArrowInvalid, OSError) as error:
            raise InputError(
                f"{path}: not a complete Parquet file ({error}); write files aside and rename them "
                "when they are complete"
            ) from None
        check_columns(self._columns, self._file.schema_arrow.names, str(path))
        self._at = 0
        self._batches = self._file.iter_batches(_ROWS, columns=self._columns)

    @property
    def position(self) -> dict[str, Any]:
        return {"rows": self._at}

    def seek(self, position: Mapping[str, Any]) -> None:
        while self._at < position["rows"]:
            self._at += len(next(self._batches))

    def read(self) -> Piece | None:
        batch = next(self._batches, None)
        if batch is None:
            return None
        self._at += len(batch)
        return Piece({name: batch[name] for name in self._columns}, len(batch))

    def close(self) -> None:
        self._file.close()
