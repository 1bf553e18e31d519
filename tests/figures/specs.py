"""Reads chart specifications: what is drawn, and from which rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def datasets(chart: Any) -> list[list[dict[str, Any]]]:
    """The rows of each data set of a chart."""
    return list(chart.to_dict()["datasets"].values())


def rows_with(chart: Any, *fields: str) -> list[dict[str, Any]]:
    """All rows that have exactly these fields."""
    return [row for rows in datasets(chart) for row in rows if set(row) == set(fields)]


def units(spec: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The single charts in a specification, with the data of what surrounds them."""
    inner = [spec.get(key, []) for key in ("layer", "vconcat", "hconcat", "concat")]
    children = [child for each in inner for child in each]
    if "spec" in spec:
        children.append(spec["spec"])
    for child in children:
        yield from units({"data": spec.get("data"), **child})
    if not children:
        yield spec


def mark_kinds(chart: Any) -> list[str]:
    """The kinds of all marks, in order."""
    return [each["mark"]["type"] for each in units(chart.to_dict())]


def marks(chart: Any) -> dict[str, list[dict[str, Any]]]:
    """The rows behind each kind of mark of a chart, in the order drawn."""
    spec = chart.to_dict()
    found: dict[str, list[dict[str, Any]]] = {}
    for unit in units(spec):
        mark = unit["mark"]
        kind = mark if isinstance(mark, str) else mark["type"]
        data = unit["data"]
        rows = data["values"] if "values" in data else spec["datasets"][data["name"]]
        found.setdefault(kind, []).extend(rows)
    return found


def heading(chart: Any) -> str:
    """The title."""
    return " ".join(chart.to_dict()["title"]["text"])


def caption(chart: Any) -> str:
    """Everything that the figure says about itself, in one line."""
    return str(chart.caption).replace("\n", " ")
