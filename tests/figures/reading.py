"""Reads the specifications of charts: their data, layers and captions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def datasets(chart: Any) -> list[list[dict[str, Any]]]:
    """The rows of each data set of a chart."""
    return list(chart.to_dict()["datasets"].values())


def rows_with(chart: Any, *fields: str) -> list[dict[str, Any]]:
    """All rows that have exactly these fields."""
    return [row for rows in datasets(chart) for row in rows if set(row) == set(fields)]


def marks(chart: Any) -> list[str]:
    """The types of all marks, in order."""
    return [each["mark"]["type"] for each in units(chart.to_dict())]


def units(spec: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The single views of a specification."""
    if "mark" in spec:
        yield spec
    for key in ("layer", "vconcat", "hconcat", "concat"):
        for each in spec.get(key, ()):
            yield from units(each)


def caption(chart: Any) -> str:
    """The caption in one line."""
    return " ".join(chart.title.subtitle)
