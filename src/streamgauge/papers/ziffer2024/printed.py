"""The numbers that ziffer2024 prints, Tables I to III, read from printed.toml."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

_TABLES: dict[str, Any] = tomllib.loads(
    (files("streamgauge.papers.ziffer2024") / "printed.toml").read_text(encoding="utf-8")
)

LEARNERS: tuple[str, ...] = tuple(_TABLES["learners"])
NO_CHANGE: str = _TABLES["no_change"]

# P(M) and P(T) of the stream, then of the stream with temporal injection, by stream.
TABLE_I: dict[str, tuple[float, ...]] = {
    stream: tuple(values) for stream, values in _TABLES["table_1"].items()
}

# Kappa in percent of LEARNERS and No-Change, by stream, drift and whether injected.
TABLE_II: dict[tuple[str, str, bool], tuple[float, ...]] = {
    (stream, drift, kind == "injected"): tuple(values)
    for kind, streams in _TABLES["table_2"].items()
    for stream, drifts in streams.items()
    for drift, values in drifts.items()
}

# Kappa in percent of LEARNERS, by stream.
TABLE_III: dict[str, tuple[float, ...]] = {
    stream: tuple(values) for stream, values in _TABLES["table_3"].items()
}
