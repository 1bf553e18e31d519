"""ARFF tables of the tests: write one, and decode its cells and labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamgauge as sg
from tests.streams.tables import numbers, whole, write


def arff(tmp_path: Path, text: str, target: str = "y", **options: Any) -> sg.Stream:
    return sg.read(write(tmp_path / "table.arff", text), target, **options)


def cells(stream: sg.Stream, feature: str) -> list[Any]:
    """Decode a feature's cells."""
    j = stream.schema.features.index(feature)
    values = stream.schema.values[j]
    return [
        None if c is None else values[int(c)] if values else c
        for c in numbers(whole(stream).X[:, j])
    ]


def labels(stream: sg.Stream) -> list[Any]:
    classes = (*stream.schema.classes, None)  # the last for -1
    return [classes[c] for c in whole(stream).y]
