"""Figures in the width of a column or a page, with text that can be read in print."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from typing import Any, NamedTuple

from streamgauge._support.print_widths import INCHES, inches_of
from streamgauge.figures.captions import CAPTION_WIDTH, TITLE_WIDTH, shortened, shown_lines

_POINTS = 72  # in an inch
_SMALLEST = 11  # pixels: the smallest text of our figures
_DRAWN = 480  # pixels: the width for which titles and captions are broken
_NARROWEST = 60  # pixels of a panel
_SIZE = re.compile(r'<svg[^>]*?\bwidth="([\d.]+)"[^>]*?\bheight="([\d.]+)"')
_PARTS = ("layer", "hconcat", "vconcat", "concat")


class PrintWidth(NamedTuple):
    """A width on paper, and the size of the smallest text there."""

    inches: float
    points: float

    @property
    def pixels(self) -> float:
        """How wide the figure is drawn, so that it has this text when it is scaled."""
        return self.inches * _POINTS * _SMALLEST / self.points


_TEXT = {"column": 7.0, "page": 8.0}  # points
WIDTHS = {name: PrintWidth(inches, _TEXT[name]) for name, inches in INCHES.items()}


def print_width(name: str) -> PrintWidth:
    """The width of this name."""
    inches_of(name)
    return WIDTHS[name]


def fitted(chart: dict[str, Any], width: PrintWidth) -> tuple[dict[str, Any], float]:
    """The chart with panels that fill this width, and by how much it is scaled on paper.

    Only panels change their width; names, axes and legends need as much room as before, so the
    width of the whole is measured.
    """
    base = _narrowed(chart, width)
    factor, earlier = width.pixels / _DRAWN, None
    for _ in range(4):
        drawn = _stretched(base, factor)
        whole, _ = drawn_size(drawn)
        if abs(whole - width.pixels) < 1:
            break
        slope = _DRAWN if earlier is None else (whole - earlier[1]) / (factor - earlier[0])
        earlier = factor, whole
        factor = max(factor + (width.pixels - whole) / (slope if slope > 1 else _DRAWN), 0.05)
    return drawn, width.inches * _POINTS / whole


def drawn_size(chart: dict[str, Any]) -> tuple[float, float]:
    """Width and height of a chart in pixels, with all its names and axes."""
    found = _SIZE.search(_svg(chart))
    return (float(found[1]), float(found[2])) if found else (float(_DRAWN), float(_DRAWN))


def printed_svg(chart: dict[str, Any], scale: float, unit: str = "") -> str:
    """The chart as SVG in points, which a PDF has without their name."""

    def sized(found: re.Match[str]) -> str:
        width, height = float(found[1]), float(found[2])
        text = found[0].replace(f'width="{found[1]}"', f'width="{width * scale:.2f}{unit}"', 1)
        return text.replace(f'height="{found[2]}"', f'height="{height * scale:.2f}{unit}"', 1)

    return _SIZE.sub(sized, _svg(chart), count=1)


def _svg(chart: dict[str, Any]) -> str:
    import altair as alt
    import vl_convert

    version = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    return str(vl_convert.vegalite_to_svg(json.dumps(chart), vl_version=version))


def _narrowed(chart: dict[str, Any], width: PrintWidth) -> dict[str, Any]:
    """Title, caption and legend for this width; panels below each other where it is small."""
    drawn = deepcopy(chart)
    share = width.pixels / _DRAWN
    heading = drawn.get("title")
    if isinstance(heading, dict) and "subtitle" in heading:
        title = heading.get("text", "")
        whole = title if isinstance(title, str) else " ".join(title)
        heading["text"] = [shortened(whole, round(TITLE_WIDTH * share))]
        told = [each for each in drawn.get("description", "").split("\n") if each]
        heading["subtitle"] = shown_lines(told, round(CAPTION_WIDTH * share))
    if share < 1:
        if "columns" in drawn:
            drawn["columns"] = max(1, drawn["columns"] // 2)
        legend = drawn.setdefault("config", {}).setdefault("legend", {})
        legend |= {"columns": 1, "labelLimit": int(width.pixels) - 40}
        _narrow_legends(drawn, int(width.pixels))
    return drawn


def _narrow_legends(part: Any, pixels: int) -> None:
    """Keep legends of their own from being wider than the figure."""
    if isinstance(part, list):
        for each in part:
            _narrow_legends(each, pixels)
    elif isinstance(part, dict):
        legend = part.get("legend")
        if isinstance(legend, dict):
            legend |= {"columns": 1, "labelLimit": min(legend.get("labelLimit", 999), pixels - 40)}
        for key, each in part.items():
            if key not in ("datasets", "data"):
                _narrow_legends(each, pixels)


def _stretched(part: dict[str, Any], factor: float) -> dict[str, Any]:
    """The chart with the widths of its panels times this factor."""
    drawn = dict(part)
    if isinstance(drawn.get("width"), int | float):
        drawn["width"] = max(round(drawn["width"] * factor), _NARROWEST)
    for key in _PARTS:
        if key in drawn:
            drawn[key] = [_stretched(each, factor) for each in drawn[key]]
    if "spec" in drawn:
        drawn["spec"] = _stretched(drawn["spec"], factor)
    return drawn
