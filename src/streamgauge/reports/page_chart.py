"""An Altair chart as a page keeps it: its specification, and its data in compact columns.

Columns hold what a screen can show: numbers are rounded to five digits of their range, long curves
are thinned, and whole numbers are kept as their differences.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

from streamgauge._support.printable import printable

_LEADER, _LETTER = 20, 6.4  # pixels, of names beside lines
_LEVELS = 5  # decimal digits of a column's range that are kept

Row = dict[str, Any]


class PageChart(NamedTuple):
    """A chart without its title and caption, which the page shows as text."""

    title: str
    caption: tuple[str, ...]  # every sentence, the most important first
    spec: dict[str, Any]  # without data
    data: dict[str, Any]  # name of a data set → its columns
    labels: str = ""  # the label policy that it is about; empty: not of one
    stream: str = ""


def page_chart(chart: Any, points: int) -> PageChart:
    """Pack a chart; curves keep at most `points` points of a series."""
    spec = chart.to_dict(validate=False)  # ours are valid; checking takes most of the time
    sets = spec.pop("datasets", {})
    caption = tuple(map(printable, spec.pop("description", "").split("\n")))
    spec = _shown(spec)
    spec.pop("$schema", None)
    spec.pop("usermeta", None)
    heading = spec.pop("title", "")
    heading = heading if isinstance(heading, dict) else {"text": heading}
    caption = tuple(filter(None, caption))
    data, widest = {}, 1
    if beside := max(map(_names_width, sets.values()), default=0):
        spec["usermeta"] = {"names": beside}
    for name, rows in sets.items():
        kept, step = thinned(rows, points)
        widest = max(widest, step)
        data[name] = _shown(columns_of(kept))
    if widest > 1:
        caption += (f"Of every {widest} points the lowest and the highest are drawn.",)
    title = heading.get("text", "")
    return PageChart(title if isinstance(title, str) else " ".join(title), caption, spec, data)


def _names_width(rows: list[Row]) -> int:
    """The pixels of the names beside the lines, which page.js leaves room for."""
    if not rows or not {"name", "from", "to"} <= rows[0].keys():
        return 0
    return _LEADER + round(_LETTER * max(len(row["name"]) for row in rows))


def _shown(part: Any) -> Any:
    """The same values; characters in names that would act on other text are shown instead."""
    if isinstance(part, str):
        return printable(part)
    if isinstance(part, list):
        return [_shown(each) for each in part]
    if isinstance(part, dict):
        return {key: _shown(value) for key, value in part.items()}
    return part


def thinned(rows: list[Row], points: int) -> tuple[list[Row], int]:
    """At most about `points` rows of each series along the stream, and the length of a stretch.

    Of each stretch the lowest and the highest value stay, and an undefined one: it is a gap.
    """
    if not rows or not {"series", "rows"} <= rows[0].keys():
        return rows, 1
    if {"low", "high"} <= rows[0].keys() and "value" not in rows[0]:
        return _sparser(rows, points), 1
    if "value" not in rows[0]:
        return rows, 1
    places: dict[Any, list[int]] = {}
    for place, row in enumerate(rows):
        places.setdefault(row["series"], []).append(place)
    keep: set[int] = set()
    longest = 1
    for each in places.values():
        if len(each) <= points:
            keep.update(each)
            continue
        length = 2 * -(-len(each) // points)
        longest = max(longest, length)
        keep.update((each[0], each[-1]))
        for start in range(0, len(each), length):
            keep.update(_extremes(rows, each[start : start + length]))
    return [row for place, row in enumerate(rows) if place in keep], longest


def _sparser(rows: list[Row], points: int) -> list[Row]:
    """One in several rows of the band of each series, which is smooth."""
    counts: dict[Any, int] = {}
    for row in rows:
        counts[row["series"]] = counts.get(row["series"], 0) + 1
    seen = dict.fromkeys(counts, 0)
    kept = []
    for row in rows:
        place, count = seen[row["series"]], counts[row["series"]]
        seen[row["series"]] += 1
        if place % max(1, -(-count // points)) == 0 or place == count - 1:
            kept.append(row)
    return kept


def _extremes(rows: list[Row], stretch: list[int]) -> Iterator[int]:
    defined = [place for place in stretch if rows[place]["value"] is not None]
    if len(defined) < len(stretch):
        yield next(place for place in stretch if rows[place]["value"] is None)
    if defined:
        yield min(defined, key=lambda place: rows[place]["value"])
        yield max(defined, key=lambda place: rows[place]["value"])


def columns_of(rows: list[Row]) -> dict[str, Any]:
    """The rows by columns; page.js has the inverse."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return {
        "n": len(rows),
        "columns": {name: _column([row.get(name) for row in rows]) for name in names},
    }


def _column(values: list[Any]) -> dict[str, Any]:
    known = [value for value in values if value is not None]
    if known and all(isinstance(value, str) for value in known):
        names = list(dict.fromkeys(values))
        places = {value: place for place, value in enumerate(names)}
        codes = [places[value] for value in values]
        return {"names": names, "runs": _runs(codes)}
    if len(known) < len(values) or not all(_is_number(value) for value in known):
        if all(_is_number(value) for value in known):
            return _decimals(values)
        return {"values": values}
    if all(float(value).is_integer() and abs(value) < 2**53 for value in known):
        steps = [int(b) - int(a) for a, b in zip([0, *values[:-1]], values, strict=True)]
        return {"steps": _runs(steps)}
    return _decimals(values)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _decimals(values: list[Any]) -> dict[str, Any]:
    """Numbers as integers, to be divided by a power of ten."""
    known = [value for value in values if value is not None]
    spread = max(known) - min(known) if known else 0.0
    digits = _LEVELS - math.floor(math.log10(spread)) - 1 if spread > 0 else 6
    digits = min(max(digits, 0), 12)
    scaled = [None if value is None else round(value * 10**digits) for value in values]
    return {"digits": digits, "scaled": scaled}


def _runs(values: list[int]) -> list[int]:
    """Runs of equal values: value, length, value, length, ..."""
    return [each for value, group in groupby(values) for each in (value, len(list(group)))]
