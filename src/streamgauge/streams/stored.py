"""Streams written to a file, so that other processes read exactly the same rows."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from streamgauge._support.errors import InputError
from streamgauge._support.inside import Inside
from streamgauge._support.types import Block, Drift, Schema, Updates
from streamgauge._support.whole_file import whole_file
from streamgauge.streams.base import Stream
from streamgauge.streams.blocks import check_codes, concatenate
from streamgauge.streams.frames import ArrayStream
from streamgauge.streams.origin import Origin

SUFFIX = ".npz"
_BLOCK_ROWS = 8192


class StoredStream(ArrayStream):
    """A stream that `write_stream` wrote; name, schema, rows and fingerprint are the original's."""

    def __init__(self, path: Path) -> None:
        try:
            with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            facts: dict[str, Any] = json.loads(arrays.pop("facts").tobytes())
            features, values, classes, time, clock = facts["schema"]
            schema = Schema(tuple(features), tuple(map(tuple, values)), tuple(classes), time, clock)
            updates = [arrays.pop(f"updates_{field}", None) for field in Updates._fields]
            evolving = None if updates[0] is None else Updates(*updates)
            block = Block(
                0, arrays["X"], arrays["y"], arrays.get("arrives"), arrays.get("revealed"), evolving
            )
            super().__init__(facts["name"], schema, block)
            self.drifts = tuple(Drift(*each) for each in facts["drifts"])
            self.skipped = facts["skipped"]
            self._fingerprint = facts["fingerprint"]
            self._origin = msgspec.convert(facts["origin"], Origin)
        except Exception as error:  # a damaged file may raise anything; its parts have checksums
            raise InputError(
                f"{path}: not a stored stream ({type(error).__name__}: {error}); run it again"
            ) from None
        check_codes(block, schema, self.name)

    def fingerprint(self) -> str:
        """Return the original's fingerprint."""
        return str(self._fingerprint)


def write_stream(stream: Stream, place: Inside) -> None:
    """Write a stream, with all its rows, to a file that appears only when it is complete."""
    schema = stream.schema
    facts = {
        "name": stream.name,
        "schema": [schema.features, schema.values, schema.classes, schema.time, schema.clock],
        "drifts": stream.drifts,
        "skipped": dict(stream.skipped),
        "fingerprint": stream.fingerprint(),
        "origin": asdict(stream.origin),
    }
    block = concatenate(list(stream.blocks(_BLOCK_ROWS)))
    arrays: dict[str, Any] = {
        "X": block.X,
        "y": block.y,
        "arrives": block.arrives,
        "revealed": block.revealed,
    }
    if block.updates is not None:
        arrays |= {f"updates_{name}": each for name, each in block.updates._asdict().items()}
    text = np.frombuffer(json.dumps(facts).encode(), np.uint8)
    place.parent.make()
    with whole_file(place) as file:
        known = {name: each for name, each in arrays.items() if each is not None}
        np.savez(file, facts=text, **known)
