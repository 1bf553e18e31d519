"""Buttons that show or hide a learner or reference in all figures of a page."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from streamgauge._support.printable import printable
from streamgauge.figures.colours import GREY, colour_of
from streamgauge.reports.html import Html, tag


def series_buttons(names: Sequence[str], references: Collection[str]) -> Html | None:
    """A button for each series, which shows or hides it in every figure; None for one alone."""
    if len(names) < 2:
        return None
    buttons = [
        _toggle(printable(name), GREY if name in references else colour_of(printable(name)))
        for name in names
    ]
    label = tag("span", "Show in figures:", id="series-buttons-label")
    return tag("div", label, *buttons, id="series-buttons", class_="series-buttons", role="group",
               aria_labelledby="series-buttons-label")  # fmt: skip


def _toggle(name: str, colour: str) -> Html:
    square = tag("svg", tag("rect", width="10", height="10", rx="2", fill=colour),
                 viewBox="0 0 10 10", aria_hidden="true")  # fmt: skip
    return tag("button", square, name, type="button", aria_pressed="true", data_series=name)
