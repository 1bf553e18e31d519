"""Buttons that show or hide a learner or reference in all figures of a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from streamgauge._support.printable import printable
from streamgauge.reports.html import Html, tag


def series_buttons(names: Sequence[str], charts: Sequence[dict[str, Any]]) -> Html | None:
    """A button for each series, which shows or hides it in every figure; None for one alone."""
    if len(names) < 2:
        return None
    colours: dict[str, str] = {}
    for chart in charts:
        colours = dict(_colours(chart["spec"])) | colours
    buttons = [_toggle(printable(name), colours.get(printable(name))) for name in names]
    label = tag("span", "Show in figures:", id="series-buttons-label")
    return tag("div", label, *buttons, id="series-buttons", class_="series-buttons", role="group",
               aria_labelledby="series-buttons-label")  # fmt: skip


def _colours(part: Any) -> Iterator[tuple[str, str]]:
    """The colours of series, wherever in a chart they are."""
    if isinstance(part, list):
        for each in part:
            yield from _colours(each)
    if isinstance(part, dict):
        match part.get("color"):
            case {"field": "series", "scale": {"domain": list(names), "range": list(colours)}}:
                yield from zip(names, colours, strict=False)
        for each in part.values():
            yield from _colours(each)


def _toggle(name: str, colour: str | None) -> Html:
    square = tag("svg", tag("rect", width="10", height="10", rx="2", fill=colour),
                 viewBox="0 0 10 10", aria_hidden="true")  # fmt: skip
    return tag("button", square, name, type="button", aria_pressed="true", data_series=name)
